import { Icons } from '#kit/icons.tsx'
import { Empty, ErrorNote, Note } from '#kit/Note.tsx'
import { SelectField } from '#kit/Field.tsx'
import { StoredField } from '#kit/StoredField.tsx'
import { Card, Page } from '#kit/Page.tsx'
import { escapeControls, shortText } from '#kit/text/visible.ts'
import { endpointUrl, useEndpoints } from '#client/state/live-values.ts'
import { useKeys } from '#client/command-registry.ts'
import { useShell } from '#client/state/app.ts'
import { useTunnel } from '#client/state/tunnel.ts'
import { publicUrl } from '#client/state/tunnel-labels.ts'
import { ServiceCard } from './ServiceCard.tsx'
import { useSandbox } from '#client/state/sandbox.ts'
import { allTypes, sendSamples, startTraffic, stopTraffic, useSandboxCommands } from './commands.ts'
import { type SandboxProblem, sandboxProblems } from '#catalogue/sandbox-problems.ts'
import { eventTypes } from '#catalogue/catalogue.ts'
import { Button } from '#kit/Button.tsx'
import { EventIcon } from '#parts/EventIcon.tsx'
import { formatCount } from '#shared/text/format.ts'
import { useAction } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { LearnMore } from '#parts/LearnMore.tsx'
import { anyNumber, numberOf } from '#kit/field-checks.ts'

function EveningCard({ endpointId }: { endpointId: number }) {
  const client = useClient()
  const rate = useSandbox((state) => state.rate)
  const sandbox = useSandbox((state) => state.sandbox)
  const start = useAction(() => startTraffic(client, endpointId))
  const stop = useAction(() => stopTraffic(client))
  return (
    <Card
      title="Simulated traffic"
      note="Guests arrive, open tabs, order and leave, in a realistic order."
    >
      <StoredField
        label="Deliveries per second"
        numeric
        stored={String(rate)}
        check={(text) => anyNumber(text, 0.1, 1000)}
        store={async (text) => useSandbox.setState({ rate: numberOf(text) })}
      />
      <div className="flex flex-wrap items-center gap-4 gap-x-5">
        {sandbox.running ? (
          <Button icon={Icons.Square} busy={stop.busy} onClick={() => stop.start()}>
            Stop
          </Button>
        ) : (
          <Button icon={Icons.MoonStar} busy={start.busy} onClick={() => start.start()}>
            Start simulated traffic
          </Button>
        )}
        {sandbox.running && sandbox.rate !== rate && (
          <Button busy={start.busy} onClick={() => start.start()}>
            Change to {rate} per second
          </Button>
        )}
        {(sandbox.running || sandbox.sent + sandbox.failed > 0) && (
          <dl className="flex gap-6" aria-label="Traffic status">
            <div className="baseline flex gap-4">
              <dt className="text-s text-dim">
                {sandbox.running ? `running at ${sandbox.rate}/s` : 'last run'}
              </dt>
              <dd>
                <b>{formatCount(sandbox.sent)}</b> sent
              </dd>
            </div>
            {sandbox.failed > 0 && (
              <div className="baseline flex gap-4 text-invalid">
                <dt className="visually-hidden text-s text-dim">failed</dt>
                <dd>
                  <b>{formatCount(sandbox.failed)}</b> failed
                </dd>
              </div>
            )}
          </dl>
        )}
      </div>
      {sandbox.lastError !== null && <Note tone="invalid">{sandbox.lastError}</Note>}
      <ErrorNote error={start.error ?? stop.error} />
    </Card>
  )
}

function SamplesCard({ endpointId }: { endpointId: number }) {
  const client = useClient()
  const send = useAction((types: readonly string[], problem?: SandboxProblem) =>
    sendSamples(client, endpointId, types, problem),
  )
  return (
    <Card title="Samples" note="Send single deliveries with realistic data.">
      <div>
        <Button icon={Icons.Send} busy={send.busy} onClick={() => send.start(allTypes)}>
          Send one of each
        </Button>
      </div>
      <ErrorNote error={send.error} />
      <ul className="grid grid-cols-asides gap-3" aria-label="Event types">
        {eventTypes.map(({ type, label, view }) => (
          <li key={type}>
            <Button
              className="h-(--control-l) w-full justify-start hover:border-accent [&_svg]:text-accent"
              aria-label={`Send ${label} ${type}`}
              title={`Send one ${type}`}
              onClick={() => send.start([type])}
            >
              <EventIcon name={view.icon} />
              <span className="cut">{label}</span>{' '}
              <span className="mono cut ml-auto text-2xs font-normal text-dim">{type}</span>
            </Button>
          </li>
        ))}
      </ul>
      <h3 className="text-s font-semibold text-mid">Send one with a problem</h3>
      <ul className="grid grid-cols-asides gap-3" aria-label="Problems">
        {sandboxProblems.map(({ name, label }) => (
          <li key={name}>
            <Button
              className="w-full justify-start"
              onClick={() => send.start(['ORDER_PLACED'], name)}
            >
              {label}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** The sandbox page: the simulated service and the deliveries that it sends. */
export function SandboxPage() {
  const endpoints = useEndpoints((state) => state.endpoints)
  const selectedId = useSandbox((state) => state.endpointId)
  const listener = useShell((state) => state.listener)
  const through = useSandbox((state) => state.through)
  const tunnelUrl = useTunnel((state) => state.view?.url ?? null)
  useKeys(useSandboxCommands())
  const endpoint = endpoints.find(({ id }) => id === selectedId) ?? endpoints[0]

  return (
    <Page
      lead="Simulates the service without an account: users, tokens, an API resource and signed deliveries."
      help={<LearnMore page="sandbox" />}
    >
      <ServiceCard />
      {endpoint ? (
        <>
          <Card title="Deliveries" note="The endpoint that receives them.">
            <SelectField
              label="Send to"
              value={endpoint.id}
              hint={
                through === 'tunnel' && tunnelUrl !== null
                  ? escapeControls(publicUrl(tunnelUrl, endpoint.slug))
                  : (endpointUrl(listener, endpoint) ?? `/hooks/${endpoint.slug}`)
              }
              onChange={(event) => useSandbox.setState({ endpointId: Number(event.target.value) })}
            >
              {endpoints.map(({ id, name }) => (
                <option key={id} value={id}>
                  {shortText(name, 80)}
                </option>
              ))}
            </SelectField>
            <SelectField
              label="Delivery path"
              value={through}
              hint="Through the tunnel, each delivery goes to the public URL and back, like deliveries from the service."
              onChange={(event) =>
                useSandbox.setState({
                  through: event.target.value === 'tunnel' ? 'tunnel' : 'listener',
                })
              }
            >
              <option value="listener">Direct to the listener</option>
              <option value="tunnel">Through the tunnel</option>
            </SelectField>
            {through === 'tunnel' && tunnelUrl === null && (
              <Note tone="warning" action={<a href="#/setup/reach">Open a tunnel</a>}>
                No tunnel is open, so nothing can be sent through it.
              </Note>
            )}
            {!endpoint.secret.set && (
              <Note tone="unsigned">
                {endpoint.hadSecret
                  ? 'The secret of this endpoint was cleared. Deliveries to it are unsigned.'
                  : 'This endpoint has no secret yet. The first delivery that you send from here creates one, and is signed with it.'}
              </Note>
            )}
          </Card>
          <EveningCard endpointId={endpoint.id} />
          <SamplesCard endpointId={endpoint.id} />
        </>
      ) : (
        <Empty icon={Icons.Webhook} title="No endpoint to send to">
          Create one under <a href="#/setup/endpoints">Endpoints</a> first.
        </Empty>
      )}
    </Page>
  )
}
