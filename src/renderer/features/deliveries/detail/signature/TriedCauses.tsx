import { CircleDashed, Check, X } from 'lucide-react'
import type { Diagnosis, DiagnosisCause } from '#contract/deliveries.ts'
import { Shown } from '#renderer/components/Shown.tsx'
import { counted } from '#renderer/components/text/numbers.ts'
import { outcomeWords } from './words.ts'

interface Props {
  readonly causes: readonly DiagnosisCause[]
  readonly diagnosis: Diagnosis
}

/** Everything else that was tried, folded, with what came of each. */
export function TriedCauses({ causes, diagnosis }: Props) {
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
                  <OutcomeIcon outcome={cause.outcome} /> {outcomeWords[cause.outcome]}
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
