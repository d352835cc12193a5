import { Send, Webhook } from 'lucide-react'
import { Empty } from '../../components/Empty.tsx'
import { SelectField } from '../../components/Field.tsx'
import { Note } from '../../components/Note.tsx'
import { Card, Page } from '../../components/Page.tsx'
import { cut, visible } from '../../components/text/visible.ts'
import { endpointUrl, useEndpoints } from '../endpoints/store.ts'
import { useKeys } from '../shell/command-registry.ts'
import { useShell } from '../shell/store.ts'
import { useTunnel } from '../tunnel/store.ts'
import { publicUrl } from '../tunnel/labels.ts'
import { EveningCard } from './EveningCard.tsx'
import { ServiceCard } from './ServiceCard.tsx'
import { useSandbox } from './store.ts'
import { useSandboxCommands } from './use-sandbox-commands.ts'
import './SandboxPage.css'
import { eventTypes } from '#catalogue/catalogue.ts'
import { Button } from '../../components/Button.tsx'
import { EventIcon } from '../../components/EventIcon.tsx'
import { counted } from '../../components/text/numbers.ts'
import { sentence } from '../../platform/call-error.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { say } from '../shell/toasts.ts'
import { withSecret } from './with-secret.ts'

const allTypes = eventTypes.map(({ type }) => type)

function SamplesCard({ endpointId }: { readonly endpointId: number }) {
  const client = useClient()
  const through = useSandbox((state) => state.through)
  const send = useAction(async (types: readonly string[]) => {
    const { sent } = await withSecret(endpointId, () =>
      client.call('sandbox.send', { endpointId, types: [...types], through }),
    )
    say('valid', `${counted(sent, 'sample', 'samples')} sent.`, {
      action: { label: 'Show deliveries', run: () => location.assign('#/deliveries') },
      about: 'samples',
    })
  })
  return (
    <Card title="Samples" note="One delivery at a click, with believable data.">
      <div>
        <Button icon={<Send aria-hidden />} busy={send.busy} onClick={() => send.start(allTypes)}>
          Send one of each
        </Button>
      </div>
      {send.error !== null && (
        <Note tone="invalid" alert>
          {sentence(send.error)}
        </Note>
      )}
      <ul className="samples" aria-label="Event types">
        {eventTypes.map(({ type, label, view }) => (
          <li key={type}>
            <button
              type="button"
              className="sample"
              aria-label={`Send ${label} ${type}`}
              title={`Send one ${type}`}
              onClick={() => send.start([type])}
            >
              <EventIcon name={view.icon} />
              <span className="cut">{label}</span> <span className="mono dim cut">{type}</span>
            </button>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** The service in miniature: it sends what the real one would. */
export function SandboxPage() {
  const endpoints = useEndpoints((state) => state.endpoints)
  const chosen = useSandbox((state) => state.endpointId)
  const listener = useShell((state) => state.listener)
  const through = useSandbox((state) => state.through)
  const tunnelUrl = useTunnel((state) => state.view?.url ?? null)
  useKeys(useSandboxCommands())
  const endpoint = endpoints.find(({ id }) => id === chosen) ?? endpoints[0]

  return (
    <Page
      title="Sandbox"
      lead="Everything the service does, without an account: users who approve, tokens, a resource, signed deliveries."
    >
      <ServiceCard />
      {endpoint ? (
        <>
          {listener.state !== 'listening' && (
            <Note tone="missing">
              The listener is not up, so nothing can be delivered. See the bar above.
            </Note>
          )}
          <Card title="Deliveries" note="The endpoint that gets them.">
            <SelectField
              label="Send to"
              value={endpoint.id}
              hint={
                through === 'tunnel' && tunnelUrl !== null
                  ? visible(publicUrl(tunnelUrl, endpoint.slug))
                  : (endpointUrl(listener, endpoint) ?? `/hooks/${endpoint.slug}`)
              }
              onChange={(event) => useSandbox.setState({ endpointId: Number(event.target.value) })}
            >
              {endpoints.map(({ id, name }) => (
                <option key={id} value={id}>
                  {visible(cut(name, 80))}
                </option>
              ))}
            </SelectField>
            <SelectField
              label="By which way"
              value={through}
              hint="Through the tunnel each delivery goes out to its public address and comes back in, as the service’s would."
              onChange={(event) =>
                useSandbox.setState({
                  through: event.target.value === 'tunnel' ? 'tunnel' : 'listener',
                })
              }
            >
              <option value="listener">Straight to the listener</option>
              <option value="tunnel">Through the tunnel</option>
            </SelectField>
            {through === 'tunnel' && tunnelUrl === null && (
              <Note tone="missing" action={<a href="#/tunnel">Tunnel</a>}>
                No tunnel is open now, so nothing can be sent through it.
              </Note>
            )}
            {!endpoint.secret.set && (
              <Note tone="unsigned">
                {endpoint.hadSecret
                  ? 'The secret of this endpoint was cleared: what is sent to it is unsigned.'
                  : 'This endpoint has no secret yet. The first delivery that you send from here creates one, and is signed with it.'}
              </Note>
            )}
          </Card>
          <EveningCard endpointId={endpoint.id} />
          <SamplesCard endpointId={endpoint.id} />
        </>
      ) : (
        <Empty icon={<Webhook aria-hidden />} title="No endpoint to send to">
          Create one under <a href="#/endpoints">Endpoints</a> first.
        </Empty>
      )}
    </Page>
  )
}
