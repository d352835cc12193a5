import { Icons } from '#kit/icons.tsx'
import { Suspense, useState } from 'react'
import type { Attempt } from '#contract/sending.ts'
import { Button } from '#kit/Button.tsx'
import { Empty, EmptyFailure, WhenLoaded } from '#kit/Note.tsx'
import { Sending } from '#kit/Sending.tsx'
import { useQuery } from '#client/use-client.ts'
import { AttemptList } from '#parts/send/AttemptList.tsx'
import { AttemptView } from '#parts/send/on-demand.ts'
import { useAttempts } from '#parts/send/resend.ts'
import { type Session, changeSession } from '#parts/composer/store.ts'

/** The response panel: the last or selected attempt, and the list of all attempts. */
export function ResponsePanel({ session }: { session: Session }) {
  const { outcome, key } = session
  const done = outcome?.phase === 'done' ? outcome.attempt : null
  const [choice, setChoice] = useState<{ id: number; over: Attempt | null } | null>(null)
  // A new result replaces an earlier selection.
  const selectedId = choice !== null && choice.over === done ? choice.id : null
  return (
    // Scrollable, so it must be reachable by keyboard even without controls.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section
      className="flex h-full min-h-0 min-w-0 flex-col gap-4 overflow-auto p-5 focus-visible:-outline-offset-2"
      aria-label="Response"
      data-scrolls
      tabIndex={0}
    >
      <h2 className="text-xs font-semibold text-dim">Response</h2>
      {outcome?.phase === 'sending' ? (
        <Sending key={outcome.key} since={outcome.since} />
      ) : outcome?.phase === 'refused' ? (
        <Empty
          icon={Icons.CircleAlert}
          title="The request was not sent"
          actions={<Button onClick={() => changeSession(key, { outcome: null })}>Dismiss</Button>}
        >
          <span role="alert">{outcome.message}</span>
        </Empty>
      ) : (
        <Attempts
          of={ownerOf(session)}
          done={done}
          selectedId={selectedId}
          onSelect={(attemptId) => setChoice({ id: attemptId, over: done })}
        />
      )}
    </section>
  )
}

type Owner = { readonly deliveryId: number } | { readonly draftId: number } | null

function ownerOf({ id, content: { origin } }: Session): Owner {
  if (origin.kind === 'delivery') return { deliveryId: origin.deliveryId }
  return id === null ? null : { draftId: id }
}

interface Props {
  of: Owner
  done: Attempt | null
  selectedId: number | null
  onSelect: (id: number) => void
}

function Attempts(props: Props) {
  return props.of === null ? <NothingSent /> : <AttemptsOf {...props} of={props.of} />
}

function AttemptsOf({
  of,
  done,
  selectedId,
  onSelect,
}: Props & { readonly of: NonNullable<Owner> }) {
  const { state, reload } = useAttempts(of)
  const rows = state.phase === 'ready' ? state.value.rows : []
  const shownId = selectedId ?? done?.id ?? null
  if (state.phase === 'failed' && done === null) {
    return (
      <EmptyFailure title="Could not load the attempts" onRetry={reload}>
        {state.message}
      </EmptyFailure>
    )
  }
  if (shownId === null && rows.length === 0) {
    return <NothingSent />
  }
  return (
    <div className="grid flex-none gap-5">
      {shownId !== null &&
        (done?.id === shownId ? (
          <Suspense key={shownId} fallback={null}>
            <AttemptView attempt={done} />
          </Suspense>
        ) : (
          <Stored key={shownId} id={shownId} />
        ))}
      {rows.length > 0 && (
        <AttemptList
          rows={rows}
          selectedId={shownId}
          onSelect={onSelect}
          label={'deliveryId' in of ? 'Attempts of the delivery' : 'Attempts of the draft'}
        />
      )}
    </div>
  )
}

function NothingSent() {
  return (
    <Empty icon={Icons.Send} title="Nothing sent yet">
      The response appears here, with all attempts below it.
    </Empty>
  )
}

function Stored({ id }: { id: number }) {
  const query = useQuery('attempts.get', { id, log: null })
  return (
    <WhenLoaded query={query}>
      {(attempt) => (
        <Suspense fallback={null}>
          <AttemptView attempt={attempt} />
        </Suspense>
      )}
    </WhenLoaded>
  )
}
