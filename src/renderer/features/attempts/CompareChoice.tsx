import type { AttemptSummary } from '#contract/sending.ts'
import { clockTimeSeconds } from '../../components/text/time.ts'
import { outcomeOf } from './words.ts'

interface Props {
  /** Newest first. */
  readonly rows: readonly AttemptSummary[]
  readonly chosenId: number
  readonly againstId: number | null
  readonly onChange: (id: number | null) => void
}

/** With which other attempt the chosen one is compared. Nothing where there is only one. */
export function CompareChoice({ rows, chosenId, againstId, onChange }: Props) {
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
