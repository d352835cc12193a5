import {
  ArrowRightLeft,
  Equal,
  Forward,
  PenLine,
  RotateCw,
  ShieldCheck,
  ShieldAlert,
  TrendingDown,
  Unplug,
  Wrench,
} from '../../ui/icons.tsx'
import { brokenResult } from '#contract/broken-signature.ts'
import type { AttemptSummary } from '#contract/sending.ts'
import { Text } from '../../ui/Layout.tsx'
import { StatusIcon } from '../../ui/Mark.tsx'
import { brokenSignatureLabels, attemptKindLabels, outcomeOf, comparisonLabels } from './labels.ts'
import './Attempts.css'

export function KindMark({ kind }: { readonly kind: AttemptSummary['kind'] }) {
  return (
    <span className="attempt-kind">
      <KindIcon kind={kind} />
      {attemptKindLabels[kind]}
    </span>
  )
}

function KindIcon({ kind }: { readonly kind: AttemptSummary['kind'] }) {
  switch (kind) {
    case 'resend':
      return <RotateCw aria-hidden />
    case 'compose':
      return <PenLine aria-hidden />
    case 'forward':
      return <Forward aria-hidden />
    case 'pass_through':
      return <ArrowRightLeft aria-hidden />
  }
}

export function OutcomeMark({ row }: { readonly row: Pick<AttemptSummary, 'status' | 'error'> }) {
  const { tone, word } = outcomeOf(row)
  return (
    <Text tone="state" weight="semibold" className="attempt-outcome" data-tone={tone}>
      {row.status === null ? <Unplug aria-hidden /> : <StatusIcon tone={tone} />}
      {word}
    </Text>
  )
}

/** Compares the result with the previous attempt, or shows how the target handled a deliberately broken signature. */
export function VerdictAgainst({ row }: { readonly row: AttemptSummary }) {
  switch (row.comparison) {
    case null:
      return <BrokenResult row={row} />
    case 'same':
      return (
        <span className="attempt-verdict" data-tone="unsigned" title="Same as the previous attempt">
          <Equal aria-hidden />
          {comparisonLabels.same}
        </span>
      )
    case 'fixed':
      return (
        <span
          className="attempt-verdict"
          data-tone="valid"
          title="The previous attempt did not get 2xx"
        >
          <Wrench aria-hidden />
          {comparisonLabels.fixed}
        </span>
      )
    case 'regressed':
      return (
        <span className="attempt-verdict" data-tone="invalid" title="The previous attempt got 2xx">
          <TrendingDown aria-hidden />
          {comparisonLabels.regressed}
        </span>
      )
  }
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
      {refused ? <ShieldCheck aria-hidden /> : <ShieldAlert aria-hidden />}
      {brokenSignatureLabels[result]}
    </span>
  )
}
