import type { Endpoint } from '#contract/models.ts'
import { CopyButton } from '../../../components/CopyButton.tsx'
import { copyText } from '../../../platform/clipboard.ts'
import { useClient } from '../../../platform/use-client.ts'
import { endpointUrl } from '../../endpoints/store.ts'
import { useShell } from '../../shell/store.ts'
import { copyPublic } from '../../tunnel/commands.ts'
import { useTunnel } from '../../tunnel/store.ts'
import { publicUrl } from '../../tunnel/labels.ts'

/** The address to paste on the dashboard: the tunnel's where there is one. */
export function CopyWebhookUrl({ endpoint }: { readonly endpoint: Endpoint }) {
  const client = useClient()
  const listener = useShell((state) => state.listener)
  const origin = useTunnel(({ view }) => view?.url ?? null)
  const local = endpointUrl(listener, endpoint)
  const url = origin === null ? local : publicUrl(origin, endpoint.slug)
  return (
    url !== null && (
      <CopyButton
        text={url}
        label="Copy webhook URL"
        words="Copy webhook URL"
        copy={(text) => (url === local ? copyText(text) : copyPublic(client, text))}
      />
    )
  )
}
