import { relayAddress, settingAddress } from '#client/addresses/pages.ts'
import { useShell } from '#client/state/app.ts'
import { LearnMore } from '#parts/LearnMore.tsx'
import { Relays } from './relay/RelayCard.tsx'
import { CopyButton } from '#kit/Button.tsx'
import { Card, Page } from '#kit/Page.tsx'
import { Segments } from '#kit/Switch.tsx'
import { useRef } from 'react'
import { useClient, useQuery } from '#client/use-client.ts'
import { useKeys } from '#client/command-registry.ts'
import { SetupForm } from './SetupForm.tsx'
import { StateCard } from './StateCard.tsx'
import { useTunnel } from '#client/state/tunnel.ts'
import { Warnings } from './Warnings.tsx'
import { Note, WhenLoaded } from '#kit/Note.tsx'
import { Shown } from '#kit/Shown.tsx'
import { truncate } from '#kit/text/visible.ts'
import { useEndpoints } from '#client/state/live-values.ts'
import { copyPublic, useTunnelCommands } from '#parts/tunnel/commands.ts'
import { publicUrl } from '#client/state/tunnel-labels.ts'

const ways = [
  { value: 'tunnel', label: 'Tunnel' },
  { value: 'relay', label: 'Relay' },
] as const

/** How deliveries get here: the listener on this machine, and how the internet reaches it. */
export function ReachPage() {
  const way = useShell(({ hash }) => (hash === relayAddress ? 'relay' : 'tunnel'))
  return (
    <Page
      lead="Deliveries arrive at the listener on this machine: from the internet through a tunnel, or through a relay that also keeps them while Tabscope is not running."
      help={<LearnMore page={way === 'relay' ? 'relay' : 'tunnels'} />}
    >
      <ThisMachine />
      <div className="flex">
        <Segments
          label="From the internet"
          value={way}
          options={ways}
          onChange={(next) => location.assign(next === 'relay' ? relayAddress : '#/setup/reach')}
        />
      </div>
      {way === 'relay' ? <Relays /> : <Tunnel />}
    </Page>
  )
}

function ThisMachine() {
  const listener = useShell((state) => state.listener)
  return (
    <section className="well flex flex-wrap items-center gap-4" aria-label="This machine">
      <b>This machine</b>
      {listener.state === 'listening' ? (
        <>
          <code className="mono select-text">{listener.origin}</code>
          <CopyButton text={listener.origin} label="Copy the address" />
        </>
      ) : (
        <span className="text-invalid">The listener is not running.</span>
      )}
      <span className="ml-auto">
        <a href={settingAddress('port')}>Change the port</a>
      </span>
    </section>
  )
}

/** The tunnel: state, warnings, webhook URLs and setup. */
function Tunnel() {
  const view = useTunnel((state) => state.view)
  const providers = useQuery('tunnel.providers', {})
  const label = (id: string): string =>
    (providers.state.phase === 'ready' &&
      providers.state.value.find((provider) => provider.id === id)?.label) ||
    id
  const heading = useRef<HTMLHeadingElement>(null)
  useKeys(useTunnelCommands())
  if (view === null) return null
  return (
    <>
      <StateCard view={view} heading={heading} label={label} />
      <Warnings view={view} focusTarget={heading} />
      {view.url !== null && <Addresses url={view.url} />}
      <Card title="Provider" note="Used each time the tunnel opens, also after a restart.">
        <WhenLoaded
          query={providers}
          loading={
            <p className="text-dim" role="status">
              Detecting installed providers
            </p>
          }
        >
          {(found) => <SetupForm view={view} providers={found} detectAgain={providers.reload} />}
        </WhenLoaded>
      </Card>
    </>
  )
}

function Addresses({ url }: { url: string }) {
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
