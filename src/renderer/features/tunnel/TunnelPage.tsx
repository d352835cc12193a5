import { useRef } from 'react'
import type { TunnelView } from '#contract/tunnel.ts'
import { Card, Page } from '../../components/Page.tsx'
import { useClient, useQuery } from '../../platform/use-client.ts'
import { useKeys } from '../shell/command-registry.ts'
import { HistoryCard } from './history/HistoryCard.tsx'
import { SetupCard } from './setup/SetupCard.tsx'
import { SizesCard } from './sizes/SizesCard.tsx'
import { StateCard } from './StateCard.tsx'
import { useTunnel } from './store.ts'
import { useTunnelCommands } from './use-tunnel-commands.ts'
import { Warnings } from './Warnings.tsx'
import './TunnelPage.css'
import { CopyButton } from '../../components/CopyButton.tsx'
import { Note } from '../../components/Note.tsx'
import { Shown } from '../../components/Shown.tsx'
import { cut } from '../../components/text/visible.ts'
import { useEndpoints } from '../endpoints/store.ts'
import { copyPublic } from './commands.ts'
import { publicUrl } from './labels.ts'

/** Whether the listener can be reached from outside, since when and why; how it was; and by what it is made so. */
export function TunnelPage() {
  const view = useTunnel((state) => state.view)
  return view === null ? null : <Known view={view} />
}

function Known({ view }: { readonly view: TunnelView }) {
  const providers = useQuery('tunnel.providers', {})
  const label = (id: string): string =>
    (providers.state.phase === 'ready' &&
      providers.state.value.find((provider) => provider.id === id)?.label) ||
    id
  const heading = useRef<HTMLHeadingElement>(null)
  useKeys(useTunnelCommands())
  return (
    <Page
      title="Tunnel"
      lead="Makes the listener reachable from outside, and asks itself through the public address whether it really is."
    >
      <StateCard view={view} heading={heading} label={label} />
      <Warnings view={view} heir={heading} />
      {view.url !== null && <Addresses url={view.url} view={view} />}
      <HistoryCard view={view} />
      <SetupCard view={view} providers={providers.state} reload={providers.reload} />
      <SizesCard view={view} />
    </Page>
  )
}

interface AddressesProps {
  /** The public origin. */
  readonly url: string
  readonly view: TunnelView
}

/** What to paste on the dashboard, of each endpoint; and what else than a webhook meets at this address. */
function Addresses({ url, view }: AddressesProps) {
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
