import { Icons } from '#kit/icons.tsx'
import type { Delivery } from '#contract/models.ts'
import { Button } from '#kit/Button.tsx'
import { Empty, Note, WhenLoaded } from '#kit/Note.tsx'
import { Shown } from '#kit/Shown.tsx'
import { addressOf } from '#client/addresses/compose.ts'
import { useEditable, useLog, type Scope } from '#client/state/scope.ts'
import { useKeys } from '#client/command-registry.ts'
import { ResendButton } from './ResendDialog.tsx'
import type { Resendable } from './target-suggestions.ts'
import {
  askWhereTo,
  selectAttempt,
  useSelectedAttempt,
  type AttemptsListed,
  type AttemptsSource,
} from './resend.ts'
import { formatCount, formatDuration } from '#shared/text/format.ts'
import { Suspense, type ReactNode, useState, useMemo } from 'react'
import { useQuery, useClient } from '#client/use-client.ts'
import { AttemptList, OutcomeMark } from './AttemptList.tsx'
import { AttemptView } from './AttemptView.tsx'
import type { AttemptSummary, Attempt } from '#contract/sending.ts'
import { clockTimeSeconds } from '#kit/text/time.ts'
import { outcomeOf, signingSentence } from './labels.ts'
import { Segments } from '#kit/Switch.tsx'
import { ClockTime } from '#kit/Time.tsx'
import type { Client } from '#client/client.ts'
import { BodyDiffView, HeaderDiffTable } from '#parts/diff/on-demand.ts'
import { type DiffSide, digestOf } from '#parts/diff/CompareBar.tsx'
import './Attempts.css'

/** The attempts to send this delivery, newest first. */
export function AttemptsTab(props: { delivery: Delivery; source: AttemptsSource }) {
  return (
    <WhenLoaded query={props.source}>
      {(listed) => <AttemptsContent delivery={props.delivery} listed={listed} />}
    </WhenLoaded>
  )
}

function AttemptsContent({ delivery, listed }: { delivery: Delivery; listed: AttemptsListed }) {
  const { rows, total, notForwarded } = listed
  const editable = useEditable()
  const requestedId = useSelectedAttempt((state) => state.selectedId)
  // The requested attempt may belong to another delivery.
  const selectedId = rows.some(({ id }) => id === requestedId) ? requestedId : null
  const step = (by: number): void => {
    const place = rows.findIndex(({ id }) => id === (selectedId ?? rows[0]?.id))
    const next = rows[place + by]
    if (next) selectAttempt(next.id)
  }
  useKeys({ 'attempt-newer': () => step(-1), 'attempt-older': () => step(1) })
  const [againstId, setAgainstId] = useState<number | null>(null)
  const shownId = selectedId ?? rows[0]?.id ?? null
  const against = againstId === shownId ? null : againstId
  const reasons = notForwarded.map((reason) => (
    <Note key={reason} tone="info">
      <Shown text={reason} />
    </Note>
  ))
  if (shownId === null) {
    return (
      <>
        {reasons}
        <Empty
          icon={Icons.Send}
          title={editable ? 'No attempts yet' : 'No attempts'}
          actions={editable && <Actions delivery={delivery} />}
        >
          {editable
            ? 'Re-send this delivery exactly as received, or edit it first. Each response is stored here.'
            : 'This log has no attempts for this delivery.'}
        </Empty>
      </>
    )
  }
  const actions = (
    <span className="inline-flex gap-3">
      {editable && (
        <a
          className="button"
          data-kind="quiet"
          href={addressOf({ kind: 'attempt', id: shownId })}
          title="Open this request as sent, to edit and re-send it"
        >
          <Icons.PenLine /> Edit this request
        </a>
      )}
      <CompareChoice rows={rows} selectedId={shownId} againstId={against} onChange={setAgainstId} />
    </span>
  )
  return (
    <>
      {reasons}
      <AttemptList
        rows={rows}
        selectedId={shownId}
        againstId={against}
        onSelect={(id) => selectAttempt(id === rows[0]?.id ? null : id)}
      />
      {rows.length < total && (
        <p className="text-dim">
          The newest {rows.length} of {formatCount(total)} attempts.
        </p>
      )}
      {against === null ? (
        <SingleAttempt key={shownId} id={shownId} actions={actions} />
      ) : (
        <AttemptPair
          key={`${shownId} ${against}`}
          one={shownId}
          other={against}
          actions={actions}
        />
      )}
    </>
  )
}

function Actions({ delivery }: { delivery: Resendable }) {
  const { id } = delivery
  return (
    <>
      <ResendButton delivery={delivery} />
      <Button aria-keyshortcuts="Shift+R" onClick={() => askWhereTo(id)}>
        Re-send to… <kbd aria-hidden>Shift R</kbd>
      </Button>
      <a
        className="button"
        data-kind="plain"
        href={addressOf({ kind: 'delivery', id, log: null })}
        aria-keyshortcuts="e"
      >
        <Icons.PenLine />
        Edit and send <kbd aria-hidden>E</kbd>
      </a>
    </>
  )
}

function SingleAttempt({ id, actions }: { id: number; actions: ReactNode }) {
  const query = useQuery('attempts.get', { id, log: useLog() })
  return (
    <WhenLoaded query={query}>
      {(attempt) => <AttemptView attempt={attempt} actions={actions} />}
    </WhenLoaded>
  )
}

interface PairProps {
  one: number
  other: number
  actions: ReactNode
}

function AttemptPair({ one, other, ...props }: PairProps) {
  const log = useLog()
  const [earlier, later] = one < other ? [one, other] : [other, one]
  const first = useQuery('attempts.get', { id: earlier, log })
  const second = useQuery('attempts.get', { id: later, log })
  return (
    <WhenLoaded query={first}>
      {(before) => (
        <WhenLoaded query={second}>
          {(after) => <AttemptCompare before={before} after={after} {...props} />}
        </WhenLoaded>
      )}
    </WhenLoaded>
  )
}

interface CompareChoiceProps {
  /** Newest first. */
  rows: readonly AttemptSummary[]
  selectedId: number
  againstId: number | null
  onChange: (id: number | null) => void
}

function CompareChoice({ rows, selectedId, againstId, onChange }: CompareChoiceProps) {
  const others = rows.filter(({ id }) => id !== selectedId)
  if (others.length === 0) return null
  const previous = rows.find(({ id }) => id === selectedId)?.previousAttemptId ?? null
  return (
    <select
      className="input w-(--measure-field) flex-none"
      aria-label="Compare with another attempt"
      value={againstId ?? ''}
      onChange={(event) => onChange(event.target.value === '' ? null : Number(event.target.value))}
    >
      <option value="">{againstId === null ? 'Compare with…' : 'No comparison'}</option>
      {others.map((row) => (
        <option key={row.id} value={row.id}>
          {clockTimeSeconds(row.sentAt)} {outcomeOf(row).word}
          {row.id === previous && ' (previous)'}
        </option>
      ))}
    </select>
  )
}

type Side = 'response' | 'request'

interface AttemptCompareProps {
  before: Attempt
  after: Attempt
}

function AttemptCompare(props: AttemptCompareProps & Pick<PairProps, 'actions'>) {
  const { before, after, actions } = props
  const [side, setSide] = useState<Side>('response')
  return (
    <section
      className="grid min-w-0 gap-5"
      aria-label={`Attempt ${before.id} compared with ${after.id}`}
    >
      <div className="plain-card grid gap-1 px-5 py-4">
        <AttemptLine word="Before" attempt={before} />
        <AttemptLine word="After" attempt={after} />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <Segments
          label="Parts to compare"
          value={side}
          options={[
            { value: 'response', label: 'Responses' },
            { value: 'request', label: 'Requests as sent' },
          ]}
          onChange={setSide}
        />
        {actions}
      </div>
      <Messages key={side} before={before} after={after} which={side} />
    </section>
  )
}

function Messages({ before, after, which }: AttemptCompareProps & { readonly which: Side }) {
  const client = useClient()
  const log = useLog()
  const sides = useMemo(
    () => [diffSideOf(client, log, before, which), diffSideOf(client, log, after, which)] as const,
    [after, before, client, log, which],
  )
  const [old, fresh] = sides
  if (old === null || fresh === null) {
    return (
      <p className="text-dim">
        {old === fresh
          ? 'Neither attempt received a response.'
          : `Only the attempt ${old === null ? 'after' : 'before'} received a response, so there is nothing to compare.`}
      </p>
    )
  }
  return (
    <Suspense fallback={null}>
      <BodyDiffView before={old} after={fresh} />
      <HeaderDiffTable before={old.headers} after={fresh.headers} />
    </Suspense>
  )
}

function AttemptLine({ word, attempt }: { word: string; attempt: Attempt }) {
  return (
    <p>
      <span className="inline-block w-11 text-s text-dim">{word}</span>{' '}
      <OutcomeMark row={attempt} />{' '}
      <span className="text-dim">
        <ClockTime at={attempt.sentAt} />, took {formatDuration(attempt.durationMs)}.{' '}
        <Shown text={`${attempt.method} ${attempt.url}`} max={200} />. {signingSentence(attempt)}
      </span>
    </p>
  )
}

function diffSideOf(client: Client, log: Scope, attempt: Attempt, which: Side): DiffSide | null {
  const { id, request, response, requestBytes, responseBytes } = attempt
  const common = {
    altered: null,
    read: (slice) => client.call('attempts.body', { id, log, which, ...slice }),
  } satisfies Partial<DiffSide>
  if (which === 'request') {
    const { headers, sha256 } = request
    const sizes = { bytes: requestBytes, bytesKept: requestBytes }
    return { ...common, ...sizes, headers, sha256: digestOf(sha256) }
  }
  return (
    response && {
      ...common,
      headers: response.headers,
      bytes: responseBytes,
      bytesKept: response.storedBytes,
      sha256: null,
    }
  )
}
