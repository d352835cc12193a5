import { Bug, CircleStop, ExternalLink, Play, Radio, Square, Users } from 'lucide-react'
import { useState } from 'react'
import type { SandboxService } from '#contract/sandbox-service.ts'
import { Button } from '../../components/Button.tsx'
import { CopyButton } from '../../components/CopyButton.tsx'
import { Note } from '../../components/Note.tsx'
import { Card } from '../../components/Page.tsx'
import { counted } from '../../components/text/numbers.ts'
import { sentence } from '../../platform/call-error.ts'
import { copyText } from '../../platform/clipboard.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { ServiceTokens } from './ServiceTokens.tsx'
import { useSandbox } from './store.ts'
import './ServiceCard.css'

/** The service in miniature: authorization page, token endpoint and a resource made up. */
export function ServiceCard() {
  const service = useSandbox((state) => state.service)
  if (service === null) return null
  return (
    <Card
      title="The service in miniature"
      note="An authorization page, a token endpoint and one made-up resource, on a port of their own."
    >
      <ServiceState service={service} />
      {service.running && <ServiceTokens service={service} />}
      <ServiceFaults service={service} />
    </Card>
  )
}

function ServiceState({ service }: { readonly service: SandboxService }) {
  const client = useClient()
  const start = useAction(async () => {
    useSandbox.setState({ service: await client.call('sandboxService.start', {}) })
  })
  const stop = useAction(async () => {
    useSandbox.setState({ service: await client.call('sandboxService.stop', {}) })
  })
  const failure = start.error ?? stop.error
  return (
    <>
      <div className="service-state" data-tone={service.running ? 'valid' : 'unsigned'}>
        <span className="service-word" role="status" aria-label="State of the service">
          {service.running ? <Radio aria-hidden /> : <CircleStop aria-hidden />}
          {service.running ? 'Running' : 'Stopped'}
        </span>
        {service.baseUrl !== null && (
          <span className="service-url">
            <code className="mono selectable">{service.baseUrl}</code>
            <CopyButton text={service.baseUrl} label="Copy base URL" copy={copyText} />
          </span>
        )}
        <span className="service-actions">
          {service.dashboardUrl !== null && <DashboardLink url={service.dashboardUrl} />}
          {service.running ? (
            <Button icon={<Square aria-hidden />} busy={stop.busy} onClick={() => stop.start()}>
              Stop
            </Button>
          ) : (
            <Button
              kind="primary"
              icon={<Play aria-hidden />}
              busy={start.busy}
              onClick={() => start.start()}
            >
              Start
            </Button>
          )}
        </span>
      </div>
      {failure !== null && (
        <Note tone="invalid" alert>
          {sentence(failure)}
        </Note>
      )}
      {!service.running && (
        <p className="dim">
          Starting it fills in the integration “Sandbox”, so that you can{' '}
          <a href="#/authorization">authorize</a> and <a href="#/console">call</a> without an
          account.
        </p>
      )}
      {service.users.length > 0 && <UserList users={service.users} />}
    </>
  )
}

/** A link like any other; where this window may open none, the system's browser is asked, and the address is shown to open it elsewhere. */
function DashboardLink({ url }: { readonly url: string }) {
  const client = useClient()
  const [asked, setAsked] = useState(false)
  const open = useAction(async () => {
    setAsked(true)
    const { opened } = await client.call('sandboxService.openDashboard', {})
    if (!opened)
      throw new Error('No browser could be opened. Copy the address and open it yourself.')
  })
  return (
    <>
      {asked && (
        <span className="service-url">
          {open.error !== null && <span role="alert">{sentence(open.error)}</span>}
          <code className="mono selectable">{url}</code>
          <CopyButton text={url} label="Copy dashboard address" copy={copyText} />
        </span>
      )}
      <a
        className="button"
        href={url}
        target="_blank"
        rel="noopener noreferrer"
        title={url}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return
          event.preventDefault()
          const page = window.open(url, '_blank')
          if (page === null) open.start()
          else page.opener = null
        }}
      >
        <ExternalLink aria-hidden />
        Dashboard
      </a>
    </>
  )
}

function UserList({ users }: { readonly users: SandboxService['users'] }) {
  return (
    <div className="service-users">
      <h3>
        <Users aria-hidden /> Who can approve, and what each of them sees
      </h3>
      <dl>
        {users.map(({ name, locations }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd title={counted(locations.length, 'location', 'locations')}>
              {locations.map((location) => (
                <span className="tag" key={location}>
                  {location}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** What the service can be told to do wrong. Those that are on stand out, since they explain what else is seen. */
function ServiceFaults({ service }: { readonly service: SandboxService }) {
  const client = useClient()
  const change = useAction(async (faults: readonly string[]) => {
    useSandbox.setState({
      service: await client.call('sandboxService.configure', { faults: [...faults] }),
    })
  })
  const [open, setOpen] = useState(() => service.faults.some((fault) => fault.on))
  const on = service.faults.filter((fault) => fault.on).map(({ name }) => name)
  if (service.faults.length === 0) return null
  return (
    <details
      className="service-faults"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <Bug aria-hidden /> Faults
        <span className="tag" data-tone={on.length > 0 ? 'missing' : 'unsigned'}>
          {on.length === 0 ? 'none on' : `${on.length} on`}
        </span>
      </summary>
      <div className="fault-line dim">
        <span>What the service does wrong on purpose, to see how your integration bears it.</span>
        {on.length > 0 && (
          <Button kind="quiet" busy={change.busy} onClick={() => change.start([])}>
            All off
          </Button>
        )}
      </div>
      {change.error !== null && (
        <Note tone="invalid" alert>
          {sentence(change.error)}
        </Note>
      )}
      <ul className="faults" aria-label="Faults">
        {service.faults.map((fault) => (
          <li key={fault.name}>
            <label className="fault" data-on={fault.on || undefined}>
              <input
                type="checkbox"
                role="switch"
                checked={fault.on}
                aria-checked={fault.on}
                onChange={() =>
                  change.start(
                    fault.on ? on.filter((name) => name !== fault.name) : [...on, fault.name],
                  )
                }
              />
              <span className="switch" aria-hidden />
              <span>
                {fault.label}
                <code className="mono">{fault.name}</code>
              </span>
            </label>
          </li>
        ))}
      </ul>
    </details>
  )
}
