import { Field } from '../../components/Field.tsx'
import { Segments } from '../../components/Segments.tsx'
import type { PaceDraft, PaceFaults } from './pace-draft.ts'

interface Props {
  readonly pace: PaceDraft
  readonly faults: PaceFaults
  readonly set: (change: Partial<PaceDraft>) => void
}

/** How fast they go out, always in the order in which they arrived. */
export function PaceFields({ pace, faults, set }: Props) {
  return (
    <div className="pace" role="group" aria-label="Pace">
      <Segments
        label="How fast"
        value={pace.how}
        options={[
          { value: 'one_by_one', label: 'One by one' },
          { value: 'rate', label: 'At a rate' },
          { value: 'spacing', label: 'As they arrived' },
          { value: 'at_once', label: 'Many at once' },
        ]}
        onChange={(how) => set({ how })}
      />
      <Details pace={pace} faults={faults} set={set} />
    </div>
  )
}

function Details({ pace, faults, set }: Props) {
  switch (pace.how) {
    case 'one_by_one':
      return (
        <label className="send-check">
          <input
            type="checkbox"
            checked={pace.stopOnFailure}
            onChange={(event) => set({ stopOnFailure: event.target.checked })}
          />
          Stop at the first that is not answered with 2xx
        </label>
      )
    case 'rate':
      return (
        <Field
          className="field-short"
          label="Deliveries a second"
          inputMode="decimal"
          value={pace.perSecond}
          error={faults.perSecond}
          onChange={(event) => set({ perSecond: event.target.value })}
        />
      )
    case 'spacing':
      return (
        <div className="pace-two">
          <Field
            label="Times as fast"
            inputMode="decimal"
            hint="1: as far apart as they arrived."
            value={pace.speed}
            error={faults.speed}
            onChange={(event) => set({ speed: event.target.value })}
          />
          <Field
            label="Longest gap"
            inputMode="decimal"
            hint="Longer ones are cut to it."
            value={pace.longestGap}
            error={faults.longestGap}
            after={<span className="field-unit">seconds</span>}
            onChange={(event) => set({ longestGap: event.target.value })}
          />
        </div>
      )
    case 'at_once':
      return (
        <Field
          className="field-short"
          label="Under way at once"
          inputMode="numeric"
          hint="They begin in order, but may arrive in another."
          value={pace.width}
          error={faults.width}
          onChange={(event) => set({ width: event.target.value })}
        />
      )
  }
}
