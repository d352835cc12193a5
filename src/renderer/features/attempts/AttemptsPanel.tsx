import { PenLine } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { Note } from '../../components/Note.tsx'
import { count } from '../../components/text/numbers.ts'
import { useQuery } from '../../platform/use-client.ts'
import { addressOf } from '../compose/address.ts'
import { useLog } from '../deliveries/scope/scope.ts'
import { AttemptCompare } from './AttemptCompare.tsx'
import { AttemptList } from './AttemptList.tsx'
import { AttemptView } from './AttemptView.tsx'
import { inOrder } from './compare.ts'
import type { AttemptsListed, AttemptsSource } from './use-attempts.ts'
import './Attempts.css'
import type { AttemptSummary } from '#contract/sending.ts'
import { clockTimeSeconds } from '../../components/text/time.ts'
import { outcomeOf } from './labels.ts'

interface Props {
  readonly listed: AttemptsListed
  readonly source: AttemptsSource
  /** Null: the newest. */
  readonly chosenId: number | null
  readonly onChoose: (id: number | null) => void
  /** The brand whose header names are explained; null: unknown. */
  readonly brand: string | null
  /** Whether one of them can be sent anew. */
  readonly editable: boolean
}

/** A list of attempts, and under it the one that is chosen, or how it differs from another. At least one. */
export function AttemptsPanel(props: Props) {
  const { listed, source, chosenId, onChoose, brand, editable } = props
  const { rows, total } = listed
  const [againstId, setAgainstId] = useState<number | null>(null)
  const chosen = chosenId ?? rows[0]?.id ?? null
  const against = againstId === chosen ? null : againstId
  if (chosen === null) return null
  const choice = (
    <span className="attempt-actions">
      {editable && (
        <a
          className="button"
          data-kind="quiet"
          href={addressOf({ kind: 'attempt', id: chosen })}
          title="Open it as it was sent, to change it and send it again"
        >
          <PenLine aria-hidden /> Edit this
        </a>
      )}
      <CompareChoice rows={rows} chosenId={chosen} againstId={against} onChange={setAgainstId} />
    </span>
  )
  return (
    <>
      <AttemptList
        rows={rows}
        chosenId={chosen}
        againstId={against}
        onChoose={(id) => onChoose(id === rows[0]?.id ? null : id)}
      />
      {rows.length < total && (
        <Button
          kind="quiet"
          className="attempt-older"
          busy={source.busy}
          onClick={source.loadOlder}
        >
          Older ones: {count(total - rows.length)}
        </Button>
      )}
      {against === null ? (
        <One key={chosen} id={chosen} actions={choice} />
      ) : (
        <Two
          key={`${chosen} ${against}`}
          one={chosen}
          other={against}
          brand={brand}
          actions={choice}
        />
      )}
    </>
  )
}

function One({ id, actions }: { readonly id: number; readonly actions: ReactNode }) {
  const { state, reload } = useQuery('attempts.get', { id, log: useLog() })
  switch (state.phase) {
    case 'loading':
      return <Coming />
    case 'failed':
      return <Failed message={state.message} reload={reload} />
    case 'ready':
      return <AttemptView attempt={state.value} actions={actions} />
  }
}

interface TwoProps {
  readonly one: number
  readonly other: number
  readonly brand: string | null
  readonly actions: ReactNode
}

function Two({ one, other, brand, actions }: TwoProps) {
  const log = useLog()
  const first = useQuery('attempts.get', { id: one, log })
  const second = useQuery('attempts.get', { id: other, log })
  for (const { state, reload } of [first, second]) {
    if (state.phase === 'failed') return <Failed message={state.message} reload={reload} />
  }
  if (first.state.phase !== 'ready' || second.state.phase !== 'ready') return <Coming />
  const [before, after] = inOrder(first.state.value, second.state.value)
  return <AttemptCompare before={before} after={after} brand={brand} actions={actions} />
}

function Coming() {
  return <div className="detail-coming" role="status" aria-label="Loading the attempt" />
}

function Failed({ message, reload }: { readonly message: string; readonly reload: () => void }) {
  return (
    <Note tone="invalid" alert action={<Button onClick={reload}>Try again</Button>}>
      {message}
    </Note>
  )
}

interface CompareChoiceProps {
  /** Newest first. */
  readonly rows: readonly AttemptSummary[]
  readonly chosenId: number
  readonly againstId: number | null
  readonly onChange: (id: number | null) => void
}

/** With which other attempt the chosen one is compared. Nothing where there is only one. */
function CompareChoice({ rows, chosenId, againstId, onChange }: CompareChoiceProps) {
  const others = rows.filter(({ id }) => id !== chosenId)
  if (others.length === 0) return null
  const previous = rows.find(({ id }) => id === chosenId)?.previousId ?? null
  return (
    <select
      className="compare-choice"
      aria-label="Compare with another attempt"
      value={againstId ?? ''}
      onChange={(event) => onChange(event.target.value === '' ? null : Number(event.target.value))}
    >
      <option value="">{againstId === null ? 'Compare with…' : 'Do not compare'}</option>
      {others.map((row) => (
        <option key={row.id} value={row.id}>
          {clockTimeSeconds(row.at)} {outcomeOf(row).word}
          {row.id === previous && ' (the one before)'}
        </option>
      ))}
    </select>
  )
}
