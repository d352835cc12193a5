import { useState } from 'react'
import type { Delivery, Verdict } from '#contract/models.ts'
import { DiagnosisView } from './DiagnosisView.tsx'
import { RawBodyChecks } from './RawBodyChecks.tsx'
import './Why.css'

interface Props {
  readonly delivery: Delivery
  /** With the secrets of now. */
  readonly verdict: Verdict
}

/** Why the signature failed; of a valid one, folded, why a handler of one's own may refuse it. */
export function Why({ delivery, verdict }: Props) {
  const [open, setOpen] = useState(false)
  if (verdict !== 'valid') return <DiagnosisView delivery={delivery} />
  return (
    <details
      className="why-folded"
      open={open}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>Valid here, but your handler refuses it?</summary>
      {open && (
        <div className="why">
          <DiagnosisView delivery={delivery} />
          <RawBodyChecks brand={delivery.brand} />
        </div>
      )}
    </details>
  )
}
