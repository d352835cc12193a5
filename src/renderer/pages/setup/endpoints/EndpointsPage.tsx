import { Icons } from '#kit/icons.tsx'
import { useId, useState } from 'react'
import { Fact } from '#kit/Table.tsx'
import { Button, IconButton, CopyButton } from '#kit/Button.tsx'
import { Empty, Note } from '#kit/Note.tsx'
import { Page } from '#kit/Page.tsx'
import { useKeys } from '#client/command-registry.ts'
import { useShell } from '#client/state/app.ts'
import { EndpointLine } from './EndpointLine.tsx'
import { EndpointForm } from '#parts/endpoints/EndpointForm.tsx'
import { endpointUrl, useEndpoints } from '#client/state/live-values.ts'
import './EndpointsPage.css'
import type { EndpointActivity } from '#contract/calls.ts'
import type { Endpoint } from '#contract/models.ts'
import { confirm } from '#kit/Confirm.tsx'
import { Shown } from '#kit/Shown.tsx'
import { truncate } from '#kit/text/visible.ts'
import { useClient, useQuery, useRefresh } from '#client/use-client.ts'
import { ForwardSection, ResponseSection } from './RuleSections.tsx'
import { PublicUrl } from '#parts/tunnel/PublicUrl.tsx'
import { EndpointRelays } from '../reach/relay/RelayCard.tsx'
import { SecretLine } from '#kit/SecretLine.tsx'
import { SecretDialog } from '#parts/endpoints/SecretDialog.tsx'
import { LearnMore } from '#parts/LearnMore.tsx'

/** How often the lines are updated at most, in milliseconds. */
const activityInterval = 1000

export function EndpointsPage() {
  const endpoints = useEndpoints((state) => state.endpoints)
  const listener = useShell((state) => state.listener)
  const [creating, setCreating] = useState(false)
  /** These are in one line until the user opens them. A single or new endpoint is open. */
  const [closed] = useState(() => (endpoints.length > 1 ? endpoints.map(({ id }) => id) : []))
  const activity = useQuery('endpoints.activity', {})
  useRefresh(null, ['deliveries.arrived', 'deliveries.changed'], activityInterval, activity.reload)
  useKeys({ 'endpoint-new': () => setCreating(true) })
  const create = (
    <Button kind="primary" icon={Icons.Plus} onClick={() => setCreating(true)}>
      New endpoint
    </Button>
  )
  return (
    <Page
      lead="Each endpoint is a webhook URL for the service’s integrations dashboard."
      help={<LearnMore page="signatures" section="set-the-secret-of-an-endpoint" />}
      actions={endpoints.length > 0 && create}
      wide
    >
      {endpoints.length === 0 ? (
        <Empty icon={Icons.Webhook} title="No endpoints" actions={create}>
          Without an endpoint, deliveries are stored and get a 404 response.
        </Empty>
      ) : (
        <ul className="grid grid-cols-1 gap-5" aria-label="Endpoints">
          {endpoints.map((endpoint) => (
            <EndpointCard
              key={endpoint.id}
              endpoint={endpoint}
              url={endpointUrl(listener, endpoint)}
              startsOpen={!closed.includes(endpoint.id)}
              activity={
                activity.state.phase === 'ready'
                  ? activity.state.value.find(({ endpointId }) => endpointId === endpoint.id)
                  : undefined
              }
            />
          ))}
        </ul>
      )}
      {creating && <EndpointForm endpoint={null} onClose={() => setCreating(false)} />}
    </Page>
  )
}

interface EndpointCardProps {
  endpoint: Endpoint
  /** Null while the listener is stopped. */
  url: string | null
  startsOpen: boolean
  activity: EndpointActivity | undefined
}

function EndpointCard({ endpoint, url, startsOpen, activity }: EndpointCardProps) {
  const client = useClient()
  const details = useId()
  const [open, setOpen] = useState(startsOpen)
  const [editing, setEditing] = useState(false)
  const remove = (): void =>
    confirm({
      title: `Delete ${truncate(endpoint.name, 60)}?`,
      description:
        'Deletes its secrets. Further requests to its URL get a 404 response. Deliveries stay.',
      action: 'Delete',
      async run() {
        await client.call('endpoints.remove', { id: endpoint.id })
      },
    })
  return (
    <li className="framed endpoint px-6 py-4" id={`endpoint-${endpoint.id}`}>
      <section aria-label={truncate(endpoint.name, 80)}>
        <EndpointLine
          endpoint={endpoint}
          activity={activity}
          open={open}
          onToggle={() => setOpen(!open)}
          controls={details}
        >
          {url !== null && !open && <CopyButton text={url} label="Copy URL" />}
          <Button icon={Icons.Pencil} onClick={() => setEditing(true)}>
            Edit
          </Button>
          <IconButton label={`Delete ${truncate(endpoint.name, 80)}`} onClick={remove}>
            <Icons.Trash2 />
          </IconButton>
        </EndpointLine>
        <div id={details} hidden={!open}>
          <div className="well mt-4 flex items-center justify-between gap-5">
            {url === null ? (
              <span className="mono text-dim">
                /hooks/{endpoint.slug}, once the listener is started
              </span>
            ) : (
              <>
                <code className="mono wrap-anywhere select-text">{url}</code>
                <CopyButton text={url} label="Copy URL" words="Copy URL" />
              </>
            )}
          </div>
          <PublicUrl endpoint={endpoint} className="well mt-3" />
          <EndpointRelays endpoint={endpoint} />
          <SecretCard endpoint={endpoint} />
          <dl className="mt-5 grid grid-cols-label-1 gap-3 border-t border-dashed border-line-strong pt-5">
            <Fact name="Application ID">
              {endpoint.applicationId === '' ? (
                <span className="text-dim">any</span>
              ) : (
                <span className="mono">
                  <Shown text={endpoint.applicationId} />
                </span>
              )}
            </Fact>
            <Fact name="Custom headers">
              {endpoint.customHeaders.length === 0 ? (
                <span className="text-dim">none expected</span>
              ) : (
                <span className="flex flex-wrap gap-2">
                  {endpoint.customHeaders.map(([name, value]) => (
                    <span className="tag mono" key={`${name}:${value}`}>
                      <Shown text={`${name}: ${value}`} max={80} />
                    </span>
                  ))}
                </span>
              )}
            </Fact>
          </dl>
          <ForwardSection endpointId={endpoint.id} />
          <ResponseSection endpointId={endpoint.id} />
        </div>
      </section>
      {editing && <EndpointForm endpoint={endpoint} onClose={() => setEditing(false)} />}
    </li>
  )
}

function SecretCard({ endpoint }: { endpoint: Endpoint }) {
  const client = useClient()
  const [rotating, setRotating] = useState(false)
  const clear = (): void =>
    confirm({
      title: 'Clear the secret?',
      description:
        'Deletes the current and the previous secret. Deliveries are then unsigned, so their sender cannot be verified.',
      action: 'Clear secret',
      async run() {
        await client.call('endpoints.clearSecret', { id: endpoint.id })
      },
    })
  const load = async (which: 'current' | 'previous'): Promise<string> =>
    (await client.call('endpoints.revealSecret', { id: endpoint.id, which })).secret
  const locked = useShell((state) => state.secretsLocked)
  const { secret, previousSecret } = endpoint
  return (
    <div className="mt-5 grid gap-3">
      <div className="flex flex-wrap items-start gap-4">
        <div className="grid min-w-0 flex-[1_1_var(--measure-menu)] gap-2">
          <SecretLine
            name="Secret"
            labelled
            ending={secret.ending}
            obstacle={
              !secret.set
                ? 'not set: deliveries are unsigned'
                : secret.unavailable
                  ? 'cannot be read'
                  : undefined
            }
            load={() => load('current')}
          />
          {previousSecret.set && (
            <SecretLine
              name="Previous secret"
              labelled
              ending={previousSecret.ending}
              obstacle={previousSecret.unavailable ? 'cannot be read' : undefined}
              load={() => load('previous')}
            />
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          <Button
            icon={secret.set ? Icons.RotateCcwKey : Icons.KeyRound}
            onClick={() => setRotating(true)}
          >
            {secret.unavailable ? 'Enter secret' : secret.set ? 'Change secret' : 'Set secret'}
          </Button>
          {(secret.set || previousSecret.set) && (
            <Button kind="quiet" onClick={clear}>
              Clear secret
            </Button>
          )}
        </div>
      </div>
      {secret.whiteSpaceAtEnds && (
        <Note tone="warning">
          The secret starts or ends with white space, which is rarely intended. If signatures do not
          match, correct it: enter it without the white space.
        </Note>
      )}
      {(secret.unavailable || previousSecret.unavailable) && (
        <Note tone="warning">
          {locked
            ? 'Unlock your system’s keyring to use the secret. No delivery is lost.'
            : 'The stored secret cannot be read on this machine. Enter it again. No delivery is lost.'}
        </Note>
      )}
      {rotating && <SecretDialog endpoint={endpoint} onClose={() => setRotating(false)} />}
    </div>
  )
}
