import { Icons } from '#kit/icons.tsx'
import { brokenResult } from '#contract/broken-signature.ts'
import type { AttemptSummary } from '#contract/sending.ts'
import { StatusIcon } from '#kit/Mark.tsx'
import { brokenSignatureLabels, outcomeOf, comparisonLabels } from './labels.ts'
import './Attempts.css'

const attemptKinds = {
  resend: { icon: Icons.RotateCw, word: 'Re-sent' },
  compose: { icon: Icons.PenLine, word: 'Composed' },
  forward: { icon: Icons.Forward, word: 'Forwarded' },
  pass_through: { icon: Icons.ArrowRightLeft, word: 'Passed through' },
} as const satisfies Record<AttemptSummary['kind'], object>

export function KindMark({ kind }: { readonly kind: AttemptSummary['kind'] }) {
  const { icon: KindIcon, word } = attemptKinds[kind]
  return (
    <span className="inline-flex flex-none items-center gap-2 whitespace-nowrap">
      <KindIcon aria-hidden />
      {word}
    </span>
  )
}

export function OutcomeMark({ row }: { readonly row: Pick<AttemptSummary, 'status' | 'error'> }) {
  const { tone, word } = outcomeOf(row)
  return (
    <span
      className="attempt-outcome inline-flex flex-none items-center gap-2 font-semibold whitespace-nowrap text-tone"
      data-tone={tone}
    >
      {row.status === null ? <Icons.Unplug /> : <StatusIcon tone={tone} />}
      {word}
    </span>
  )
}

const comparisons = {
  same: { tone: 'unsigned', icon: Icons.Equal, title: 'Same as the previous attempt' },
  fixed: { tone: 'valid', icon: Icons.Wrench, title: 'The previous attempt did not get 2xx' },
  regressed: { tone: 'invalid', icon: Icons.TrendingDown, title: 'The previous attempt got 2xx' },
} as const

/** Compares the result with the previous attempt, or shows how the target handled a deliberately broken signature. */
export function VerdictAgainst({ row }: { readonly row: AttemptSummary }) {
  if (row.comparison === null) return <BrokenResult row={row} />
  const { tone, icon: ComparisonIcon, title } = comparisons[row.comparison]
  return (
    <span className="attempt-verdict" data-tone={tone} title={title}>
      <ComparisonIcon aria-hidden />
      {comparisonLabels[row.comparison]}
    </span>
  )
}

function BrokenResult({ row }: { readonly row: AttemptSummary }) {
  const result = brokenResult(row)
  if (result === null) return null
  const refused = result === 'refused'
  return (
    <span
      className="attempt-verdict"
      data-tone={refused ? 'valid' : 'invalid'}
      title={
        refused
          ? 'The signature was broken on purpose, and the target rejected the request'
          : 'The signature was broken on purpose, but the target accepted the request'
      }
    >
      {refused ? <Icons.ShieldCheck /> : <Icons.ShieldAlert />}
      {brokenSignatureLabels[result]}
    </span>
  )
}
