import type { Ref } from 'react'
import { Segments } from '../../components/Segments.tsx'
import type { Since, SinceChoice } from './since.ts'
import { dateOf } from './since.ts'

const labels = {
  today: 'Today',
  yesterday: 'Yesterday',
  week: 'Last 7 days',
  date: 'A date',
  all: 'All',
} as const satisfies Record<SinceChoice, string>

const options = (['today', 'yesterday', 'week', 'date', 'all'] as const).map((value) => ({
  value,
  label: labels[value],
}))

interface Props {
  readonly since: Since
  /** Milliseconds since the epoch: no later day can be chosen. */
  readonly now: number
  readonly onChange: (since: Since) => void
  readonly ref: Ref<HTMLDivElement>
}

/** From which day on things are called new. */
export function SincePicker({ since, now, onChange, ref }: Props) {
  return (
    <div className="since-picker" ref={ref}>
      <span className="dim" aria-hidden>
        New since
      </span>
      <Segments
        label="New since"
        value={since.choice}
        options={options}
        onChange={(choice) => onChange({ ...since, choice })}
      />
      {since.choice === 'date' && (
        <input
          type="date"
          className="input"
          aria-label="New since this day"
          value={since.date}
          max={dateOf(now)}
          onChange={({ target }) => onChange({ ...since, date: target.value })}
        />
      )}
    </div>
  )
}
