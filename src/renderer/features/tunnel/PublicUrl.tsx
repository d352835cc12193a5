import { Globe } from 'lucide-react'
import type { Endpoint } from '#contract/models.ts'
import { CopyButton } from '../../components/CopyButton.tsx'
import { Shown } from '../../components/Shown.tsx'
import { cut } from '../../components/text/visible.ts'
import { useClient } from '../../platform/use-client.ts'
import { useShell } from '../shell/store.ts'
import { copyPublic } from './commands.ts'
import { StateTag } from './StateTag.tsx'
import { useTunnel } from './store.ts'
import { publicUrl } from './labels.ts'
import './TunnelChip.css'

/** The address of an endpoint as the service reaches it, marked while it cannot be; nothing while no tunnel is wanted. */
export function PublicUrl({ endpoint }: { readonly endpoint: Endpoint }) {
  const client = useClient()
  const stale = useShell((state) => state.stale)
  const view = useTunnel((state) => state.view)
  // While it is opened anew the last address stays: it is asked for again.
  const origin = useTunnel(({ view: now, lastUrl }) => now?.url ?? lastUrl)
  if (view === null || origin === null) return null
  const url = publicUrl(origin, endpoint.slug)
  return (
    <div className="public-url">
      <span className="public-url-where" title="Reachable from outside, through the tunnel">
        <Globe aria-hidden />
        <span className="visually-hidden">Public URL: </span>
      </span>
      <code className="mono selectable">
        <Shown text={cut(url, 400)} />
      </code>
      {(view.state !== 'online' || stale) && <StateTag state={view.state} />}
      <CopyButton
        text={url}
        label={`Copy public URL of ${cut(endpoint.name, 60)}`}
        words="Copy public URL"
        copy={(text) => copyPublic(client, text)}
      />
    </div>
  )
}
