import type { Diagnosis, DiagnosisCause } from '#contract/deliveries.ts'
import type { Delivery, Verdict } from '#contract/models.ts'
import { Button } from '#renderer/components/Button.tsx'
import { VerdictIcon } from '#renderer/components/Mark.tsx'
import { Note } from '#renderer/components/Note.tsx'
import { Shown } from '#renderer/components/Shown.tsx'
import { counted } from '#renderer/components/text/numbers.ts'
import { useCan } from '../../../shell/store.ts'
import { TrySecret } from './TrySecret.tsx'
import { useChecked } from './use-checked.ts'
import { ArrowRight, Check, CircleDashed, X } from 'lucide-react'
import { causeOutcomeLabels, fixLocationLabels } from './labels.ts'

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

interface CauseCardProps {
  readonly cause: DiagnosisCause
  /** False: what came of trying it is told already. */
  readonly detailed: boolean
}

/** A cause that matches, with what to do about it. */
function CauseCard({ cause, detailed }: CauseCardProps) {
  const { code, title, detail, fix, where } = cause
  return (
    <article className="plain-card cause-card" aria-label={title} data-testid="cause">
      <header>
        <span className="tag" data-tone="info">
          <Check aria-hidden strokeWidth={3} /> found
        </span>
        <h4>{title}</h4>
        <code className="mono dim">{code}</code>
      </header>
      {detailed && (
        <p className="selectable dim">
          <Shown text={detail} />
        </p>
      )}
      <div className="cause-fix">
        <p>
          <b>To do {fixLocationLabels[where]}.</b> <Shown text={fix} />
        </p>
        {where === 'here' && (
          <a className="button" data-kind="plain" href="#/endpoints">
            Open the endpoints <ArrowRight aria-hidden />
          </a>
        )}
      </div>
    </article>
  )
}

interface TriedCausesProps {
  readonly causes: readonly DiagnosisCause[]
  readonly diagnosis: Diagnosis
}

/** Everything else that was tried, folded, with what came of each. */
function TriedCauses({ causes, diagnosis }: TriedCausesProps) {
  const { tried, exhaustive } = diagnosis
  return (
    <>
      <p className="dim why-count">
        {countWords(tried)}
        {!exhaustive && ' The body is so large that not everything could be tried.'}
      </p>
      {causes.length > 0 && (
        <details className="tried-causes">
          <summary>What was tried: {counted(causes.length, 'other cause', 'other causes')}</summary>
          <ul aria-label="What was tried">
            {causes.map((cause) => (
              <li key={cause.code}>
                <span className="tried-outcome" data-tone={toneOf(cause.outcome)}>
                  <OutcomeIcon outcome={cause.outcome} /> {causeOutcomeLabels[cause.outcome]}
                </span>
                <div>
                  <p>{cause.title}</p>
                  <p className="dim">
                    <Shown text={cause.detail} />
                  </p>
                </div>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

function countWords(tried: number): string {
  if (tried === 0) return 'No signature was computed.'
  if (tried === 1) return '1 signature was computed.'
  return `${counted(tried, 'signature', 'signatures')} were computed.`
}

function toneOf(outcome: DiagnosisCause['outcome']): 'info' | 'unsigned' | 'missing' {
  switch (outcome) {
    case 'matches':
      return 'info'
    case 'ruled_out':
      return 'unsigned'
    case 'untried':
      return 'missing'
  }
}

function OutcomeIcon({ outcome }: { readonly outcome: DiagnosisCause['outcome'] }) {
  switch (outcome) {
    case 'matches':
      return <Check aria-hidden strokeWidth={3} />
    case 'ruled_out':
      return <X aria-hidden strokeWidth={2.6} />
    case 'untried':
      return <CircleDashed aria-hidden strokeWidth={2.4} />
  }
}
