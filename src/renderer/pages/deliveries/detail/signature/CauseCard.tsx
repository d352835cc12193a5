import { describeCause } from '#catalogue/signature-causes.ts'
import type { DiagnosisCause } from '#contract/deliveries.ts'
import type { Cause } from '#contract/models.ts'
import { Prose, Shown } from '#kit/Shown.tsx'
import { LearnMore } from '#parts/LearnMore.tsx'
import './Why.css'

const places = {
  here: 'here, in Tabscope',
  dashboard: 'on the service’s dashboard',
  between: 'between the service and Tabscope',
  sender: 'where it is signed',
  handler: 'in your handler',
} as const satisfies Record<DiagnosisCause['where'], string>

interface AdviceProps {
  cause: Cause
  /** A button fixes it, so only what shows it is said. */
  short?: boolean
}

/** What to do about a cause, and for a handler what shows it. */
export function CauseAdvice({ cause, short = false }: AdviceProps) {
  const { sentence, fix } = describeCause(cause)
  const { key, header } = cause.values ?? {}
  if (short && cause.where !== 'handler') {
    if (cause.code === 'header.other_name') return <Shown text={`It is in ${header ?? '?'}.`} />
    return <Shown text={key === undefined ? sentence : `It was signed with ${key}.`} />
  }
  if (cause.code === 'response.unknown') return <Shown text={`${sentence} ${fix}`} />
  const { writes } = cause.values ?? {}
  return cause.code === 'handler.serialized' ? (
    <Shown text={writes === undefined ? sentence : `${writes} writes other bytes. ${fix}`} />
  ) : (
    <>
      Fix {places[cause.where]}: <Shown text={fix} />
    </>
  )
}

interface CausesProps {
  causes: readonly DiagnosisCause[]
  /** False: everything. `proof`: title and fix are shown elsewhere, `fix`: the title. */
  partsOf?: (cause: DiagnosisCause) => 'proof' | 'fix' | false
}

/** Causes with the evidence for them. */
export function CauseCards({ causes, partsOf = () => false }: CausesProps) {
  return causes.map((cause, index) => {
    const { code, title, detail } = cause
    const parts = partsOf(cause)
    return (
      <article
        key={code}
        className="plain-card grid gap-3 px-6 py-5 [&_p]:max-w-[78ch] [&_p]:wrap-anywhere"
        aria-label={title}
        data-testid="cause"
      >
        <header className="flex flex-wrap items-center gap-2 gap-x-4">
          <h3 className="font-semibold">{parts ? 'Evidence' : title}</h3>
          <code className="mono ml-auto text-xs text-dim">{code}</code>
        </header>
        {/* Causes that match only together share one detail text. */}
        {causes.findIndex((each) => each.detail === detail) === index && (
          <p className="select-text">
            <Prose text={detail} />
          </p>
        )}
        {parts !== 'proof' && (
          <p className="text-dim">
            <CauseAdvice cause={cause} />{' '}
            {cause.values?.['proxy'] !== undefined && <LearnMore page="behind-a-proxy" />}
          </p>
        )}
      </article>
    )
  })
}
