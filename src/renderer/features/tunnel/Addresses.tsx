import type { TunnelView } from '#contract/tunnel.ts'
import { CopyButton } from '../../components/CopyButton.tsx'
import { Note } from '../../components/Note.tsx'
import { Card } from '../../components/Page.tsx'
import { Shown } from '../../components/Shown.tsx'
import { cut } from '../../components/text/visible.ts'
import { useClient } from '../../platform/use-client.ts'
import { useEndpoints } from '../endpoints/store.ts'
import { copyPublic } from './commands.ts'
import { publicUrl } from './words.ts'

interface Props {
  /** The public origin. */
  readonly url: string
  readonly view: TunnelView
}

/** What to paste on the dashboard, of each endpoint; and what else than a webhook meets at this address. */
export function Addresses({ url, view }: Props) {
  const client = useClient()
  const endpoints = useEndpoints((state) => state.endpoints)
  return (
    <Card
      title="Webhook URLs"
      note="What to paste on the service’s integrations dashboard. Nothing else of Tabscope is reachable from outside."
    >
      {endpoints.length === 0 ? (
        <p className="dim">
          There is no endpoint: whatever arrives is kept and answered with 404. Create one under{' '}
          <a href="#/endpoints">Endpoints</a>.
        </p>
      ) : (
        <ul className="tunnel-addresses" aria-label="Public webhook URLs">
          {endpoints.map(({ id, name, slug }) => (
            <li key={id}>
              <span className="tunnel-address-name">
                <Shown text={cut(name, 80)} />
              </span>
              <code className="mono selectable">
                <Shown text={cut(publicUrl(url, slug), 400)} />
              </code>
              <CopyButton
                text={publicUrl(url, slug)}
                label={`Copy URL of ${cut(name, 60)}`}
                words="Copy URL"
                copy={(text) => copyPublic(client, text)}
              />
            </li>
          ))}
        </ul>
      )}
      {view.browser === 'interstitial' && (
        <Note tone="missing">
          Webhooks pass. A browser gets a page of the tunnel’s server first, so an OAuth redirect
          does not come through this address: use a loopback one for{' '}
          <a href="#/authorization">Authorization</a>.
        </Note>
      )}
    </Card>
  )
}
