import { useEffect, useRef, useState } from 'react'
import type { CallOutput } from '#contract/calls.ts'
import type { RelayView } from '#contract/relay.ts'
import { plural } from '#shared/text/format.ts'
import { messageOf, useAction } from '#kit/use-action.ts'
import { toast } from '#kit/toasts.ts'
import { useRelays } from '#client/state/live-values.ts'
import { useClient } from '#client/use-client.ts'
import { guideAddress } from '#client/addresses/guide.ts'
import { Button } from '#kit/Button.tsx'
import { ErrorNote, Note } from '#kit/Note.tsx'
import { CheckField, Field } from '#kit/Field.tsx'
import { Icons } from '#kit/icons.tsx'
import { Card } from '#kit/Page.tsx'
import { Shown } from '#kit/Shown.tsx'
import { shortText } from '#kit/text/visible.ts'
import { Fact } from '#kit/Table.tsx'

type Invited = CallOutput<'relay.read'>

/** Adds a relay by its invitation, after it shows what the invitation is for. `first`: there is no relay yet. */
export function AddCard({ first }: { first: boolean }) {
  const client = useClient()
  // The invitation has a key. It is only here while the user decides.
  const [invitation, setInvitation] = useState('')
  const [invited, setInvited] = useState<Invited | null>(null)
  const [createEndpoints, setCreateEndpoints] = useState(true)
  const [readError, setReadError] = useState<string | null>(null)
  const latest = useRef('')
  useEffect(() => () => void (latest.current = ''), [])
  const before = useRelays(({ relays }) => relays.find(({ id }) => id === invited?.replaces))
  const isKnown = before !== undefined && invited?.confirm === false

  const add = useAction(async (replace: number | null) => {
    const relay = await client.call('relay.add', { invitation, createEndpoints, replace })
    enter('')
    toast('valid', `Connected to ${shortText(relay.name, 80)}.`)
  })

  function enter(text: string): void {
    latest.current = text
    setInvitation(text)
    setInvited(null)
    setReadError(null)
    setCreateEndpoints(true)
    add.reset()
    if (text.trim() === '') return
    client.call('relay.read', { invitation: text }).then(
      (found) => latest.current === text && setInvited(found),
      (error: unknown) => latest.current === text && setReadError(messageOf(error)),
    )
  }

  return (
    <Card
      title={first ? 'Follow a relay' : 'Add another relay'}
      note={
        first
          ? 'Paste the invitation that the administrator of the relay gave you.'
          : 'Or paste a new invitation to a relay above, to replace its key.'
      }
    >
      {first && (
        <p>
          A relay receives deliveries on a server while this computer is off, and several developers
          can read the same ones. Each desktop checks, stores and forwards them with its own secrets
          and settings.
        </p>
      )}
      <form
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          if (invited !== null && !add.busy) add.start(null)
        }}
      >
        <Field
          label="Invitation"
          type="password"
          placeholder="tabscope-relay:…"
          value={invitation}
          // The call refuses longer ones with a sentence of its own.
          maxLength={20_000}
          error={readError}
          hint="One line, with a key. It is stored sealed, and never shown."
          onChange={({ target }) => enter(target.value)}
        />
        {invited !== null && (
          <Preview
            invited={invited}
            before={before}
            createEndpoints={createEndpoints}
            onCreateEndpoints={setCreateEndpoints}
          />
        )}
        <ErrorNote error={add.error} />
        {invited !== null && (
          <div className="flex flex-wrap gap-4">
            <Button
              kind="primary"
              type="submit"
              icon={isKnown ? Icons.KeyRound : Icons.Plus}
              busy={add.busy}
            >
              {isKnown ? 'Replace key' : before ? 'Add as another relay' : 'Add relay'}
            </Button>
            {before && !isKnown && (
              <Button icon={Icons.Replace} disabled={add.busy} onClick={() => add.start(before.id)}>
                Replace {shortText(before.name, 40)}
              </Button>
            )}
            <Button onClick={() => enter('')}>Cancel</Button>
          </div>
        )}
      </form>
      {first && (
        <p className="text-s text-mid">
          No relay yet? <code className="mono">tabscope relay init</code> writes everything that one
          small server needs. <a href={guideAddress('relay')}>Set up a relay</a>
        </p>
      )}
    </Card>
  )
}

interface PreviewProps {
  invited: Invited
  /** What it replaces. */
  before: RelayView | undefined
  createEndpoints: boolean
  onCreateEndpoints: (create: boolean) => void
}

function Preview({ invited, before, createEndpoints, onCreateEndpoints }: PreviewProps) {
  const { name, user, servers, endpoints, missing, confirm } = invited
  return (
    <section
      className="grid gap-5 rounded-md border border-line bg-bg px-6 py-5"
      aria-label="What the invitation is for"
    >
      <dl className="grid grid-cols-label-1 gap-3 gap-x-5">
        <Fact name="Relay">
          <span className="font-semibold">
            <Shown text={name} max={80} />
          </span>
        </Fact>
        <Fact name="Given to">
          <Shown text={user} max={80} />
        </Fact>
        <Fact name={servers.length === 1 ? 'Server' : 'Servers'}>
          <span className="mono select-text">
            <Shown text={servers.join(', ')} max={400} />
          </span>
        </Fact>
        <Fact name="Endpoints">
          <Slugs slugs={endpoints} />
        </Fact>
      </dl>
      {missing.length > 0 && (
        <CheckField
          label={`Create ${plural(missing.length, 'endpoint', 'endpoints')} here`}
          note={`Not here yet: ${shortText(missing.join(', '), 300)}. Without an endpoint, deliveries are stored but not checked.`}
          checked={createEndpoints}
          onChange={onCreateEndpoints}
        />
      )}
      {before && (
        <Note tone={confirm ? 'warning' : 'info'}>
          You follow <Shown text={before.name} max={80} /> at{' '}
          <Shown text={before.servers.join(', ')} max={400} /> already.{' '}
          {confirm
            ? 'Only its address says that this is the same relay. Replace its servers, user and key only if its administrator sent you this invitation.'
            : 'The invitation is of the same relay: it replaces its servers, user and key, and reading continues where it stopped.'}
        </Note>
      )}
    </section>
  )
}

/** The endpoints that a key may read. */
export function Slugs({ slugs }: { slugs: readonly string[] }) {
  if (slugs.includes('*')) return <span>all</span>
  const rest = slugs.length - maxShown
  return (
    <span className="inline-flex flex-wrap gap-2">
      {slugs.slice(0, maxShown).map((slug) => (
        <span className="tag mono" key={slug}>
          <Shown text={slug} max={63} />
        </span>
      ))}
      {rest > 0 && <span className="text-dim">and {rest} more</span>}
    </span>
  )
}

const maxShown = 12
