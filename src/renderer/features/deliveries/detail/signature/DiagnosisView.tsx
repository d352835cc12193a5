import type { Diagnosis } from '#contract/deliveries.ts'
import type { Delivery, Verdict } from '#contract/models.ts'
import { Button } from '#renderer/components/Button.tsx'
import { VerdictIcon } from '#renderer/components/Mark.tsx'
import { Note } from '#renderer/components/Note.tsx'
import { Shown } from '#renderer/components/Shown.tsx'
import { counted } from '#renderer/components/text/numbers.ts'
import { useCan } from '../../../shell/store.ts'
import { CauseCard } from './CauseCard.tsx'
import { TriedCauses } from './TriedCauses.tsx'
import { TrySecret } from './TrySecret.tsx'
import { useChecked } from './use-checked.ts'

/** From this size on it can take a second or more, and that is said. */
const largeBytes = 1024 * 1024

const headings = {
  valid: 'Our side is right',
  invalid: 'Why it failed',
  missing: 'Why it is missing',
  unsigned: 'Why nothing was checked',
  unchecked: 'Why it was not checked',
} as const satisfies Record<Verdict, string>

/** What a diagnosis came to: the conclusion, the causes that match, and what else was tried. */
export function DiagnosisView({ delivery }: { readonly delivery: Delivery }) {
  const { state, reload } = useChecked('deliveries.diagnose', delivery)
  switch (state.phase) {
    case 'loading':
      return (
        <p className="why-working" role="status">
          <span className="why-pulse" aria-hidden />
          Trying each cause on {counted(delivery.bytesKept, 'byte', 'bytes')} of body
          {delivery.bytesKept > largeBytes ? ': this takes a few seconds' : ''}…
        </p>
      )
    case 'failed':
      return (
        <Note tone="invalid" alert action={<Button onClick={reload}>Try again</Button>}>
          {state.message}
        </Note>
      )
    case 'ready':
      return <Told diagnosis={state.value} delivery={delivery} />
  }
}

function Told({ diagnosis, delivery }: { diagnosis: Diagnosis; delivery: Delivery }) {
  const { causes, conclusion, verdict, tried } = diagnosis
  const editing = useCan('editing')
  const matching = causes.filter(({ outcome }) => outcome === 'matches')
  const others = causes.filter(({ outcome }) => outcome !== 'matches')
  return (
    <section className="why" aria-labelledby="why">
      <div className="why-conclusion" data-tone={verdict} data-testid="conclusion">
        <VerdictIcon verdict={verdict} />
        <div>
          <h3 id="why">{headings[verdict]}</h3>
          <p className="selectable">
            <Shown text={conclusion} />
          </p>
        </div>
      </div>
      {matching.map((cause, index) => (
        // Causes that match only together have one and the same detail.
        <CauseCard
          key={cause.code}
          cause={cause}
          detailed={matching.findIndex(({ detail }) => detail === cause.detail) === index}
        />
      ))}
      {editing && verdict !== 'valid' && tried > 0 && <TrySecret id={delivery.id} />}
      <TriedCauses causes={others} diagnosis={diagnosis} />
    </section>
  )
}
