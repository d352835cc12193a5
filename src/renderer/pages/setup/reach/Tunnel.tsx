import { useRef } from 'react'
import type { TunnelView } from '#contract/tunnel.ts'
import { Card } from '#kit/Page.tsx'
import { useClient, useQuery } from '#client/use-client.ts'
import { useKeys } from '#client/command-registry.ts'
import { SetupCard } from './SetupCard.tsx'
import { StateCard } from './StateCard.tsx'
import { useTunnel } from '#client/state/tunnel.ts'
import { Warnings } from './Warnings.tsx'
import { CopyButton } from '#kit/Button.tsx'
import { Note } from '#kit/Note.tsx'
import { Shown } from '#kit/Shown.tsx'
import { truncate } from '#kit/text/visible.ts'
import { useEndpoints } from '#client/state/live-values.ts'
import { copyPublic, useTunnelCommands } from '#parts/tunnel/commands.ts'
import { publicUrl } from '#client/state/tunnel-labels.ts'

/** The tunnel: state, warnings, webhook URLs and setup. */
export function Tunnel() {
  const view = useTunnel((state) => state.view)
  return view === null ? null : <TunnelContent view={view} />
}

function TunnelContent({ view }: { readonly view: TunnelView }) {
  const providers = useQuery('tunnel.providers', {})
  const label = (id: string): string =>
    (providers.state.phase === 'ready' &&
      providers.state.value.find((provider) => provider.id === id)?.label) ||
    id
  const heading = useRef<HTMLHeadingElement>(null)
  useKeys(useTunnelCommands())
  return (
    <>
      <StateCard view={view} heading={heading} label={label} />
      <Warnings view={view} focusTarget={heading} />
      {view.url !== null && <Addresses url={view.url} />}
      <SetupCard view={view} providers={providers.state} reload={providers.reload} />
    </>
  )
}

/** The webhook URL of each endpoint for the dashboard. `url`: the public origin. */
function Addresses({ url }: { readonly url: string }) {
  const client = useClient()
  const endpoints = useEndpoints((state) => state.endpoints)
  return (
    <Card
      title="Webhook URLs"
      note="Paste these on the service’s integrations dashboard. Nothing else in Tabscope is reachable from the internet."
    >
      {endpoints.length === 0 ? (
        <p className="text-dim">
          No endpoints: deliveries are stored and get 404. Create one under{' '}
          <a href="#/setup/endpoints">Endpoints</a>.
        </p>
      ) : (
        <ul className="lined grid" aria-label="Public webhook URLs">
          {endpoints.map(({ id, name, slug }) => (
            <li className="flex flex-wrap items-center gap-2 gap-x-5 py-3" key={id}>
              <span className="w-(--measure-key) flex-none wrap-anywhere">
                <Shown text={name} max={80} />
              </span>
              <code className="mono min-h-0 min-w-0 flex-1 wrap-anywhere select-text">
                <Shown text={publicUrl(url, slug)} max={400} />
              </code>
              <CopyButton
                text={publicUrl(url, slug)}
                label={`Copy URL of ${truncate(name, 60)}`}
                words="Copy URL"
                copy={(text) => copyPublic(client, text)}
              />
            </li>
          ))}
        </ul>
      )}
      <Note tone="info">
        An OAuth redirect cannot come through this address. Use a redirect URL on this machine for{' '}
        <a href="#/authorization/runs">Authorization</a>.
      </Note>
    </Card>
  )
}
