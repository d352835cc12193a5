import { copyText } from '#kit/clipboard.ts'
import { relayAddress, settingAddress } from '#client/addresses/pages.ts'
import { useShell } from '#client/state/app.ts'
import { LearnMore } from '#parts/LearnMore.tsx'
import { Relays } from './relay/RelayCard.tsx'
import { Tunnel } from './Tunnel.tsx'
import { CopyButton } from '#kit/Button.tsx'
import { Page } from '#kit/Page.tsx'
import { Segments } from '#kit/Switch.tsx'

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
          <CopyButton text={listener.origin} label="Copy the address" copy={copyText} />
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
