import type { Verdict } from '#contract/models.ts'
import {
  Check,
  CircleDashed,
  CircleQuestionMark,
  CornerUpRight,
  History,
  Minus,
  TriangleAlert,
  X,
  Info,
} from './icons.tsx'
import type { Severity } from '#contract/models.ts'
import { Text, Row } from './Layout.tsx'
import './Mark.css'
import type { StatusTone } from './text/status.ts'

const words = {
  valid: 'Valid',
  invalid: 'Invalid',
  missing: 'Missing',
  unsigned: 'Unsigned',
  unchecked: 'Not checked',
} as const satisfies Record<Verdict, string>

export function verdictWord(verdict: Verdict): string {
  return words[verdict]
}

/** Icons differ in shape as well as in color. */
export function VerdictIcon({ verdict }: { readonly verdict: Verdict }) {
  switch (verdict) {
    case 'valid':
      return <Check aria-hidden strokeWidth={3} />
    case 'invalid':
      return <X aria-hidden strokeWidth={3} />
    case 'missing':
      return <CircleDashed aria-hidden strokeWidth={2.6} />
    case 'unsigned':
      return <Minus aria-hidden strokeWidth={3} />
    case 'unchecked':
      return <CircleQuestionMark aria-hidden strokeWidth={2.4} />
  }
}

interface VerdictMarkProps {
  readonly verdict: Verdict
  /** The verdict at arrival, if a later check returned a different one. */
  readonly atArrival?: Verdict | undefined
}

/** The verdict in a row, as an icon and a word. */
export function VerdictMark({ verdict, atArrival = verdict }: VerdictMarkProps) {
  const changed = atArrival !== verdict
  const before = changed ? `, ${words[atArrival].toLowerCase()} when it arrived` : ''
  return (
    <Row
      as="span"
      inline
      align="baseline"
      gap={3}
      shrink
      data-tone={verdict}
      title={`${words[verdict]}${before}`}
    >
      <span className="disc" data-tone={verdict}>
        <VerdictIcon verdict={verdict} />
      </span>
      <Text size="xs" weight="medium" tone="state" className="verdict-word">
        {words[verdict]}
      </Text>
      {changed && (
        <>
          <History aria-hidden className="verdict-changed" />
          <span className="visually-hidden">{before}</span>
        </>
      )}
    </Row>
  )
}

/** The icon of a response status. Icons differ in shape as well as color. */
export function StatusIcon({ tone }: { readonly tone: StatusTone }) {
  switch (tone) {
    case 'valid':
      return <Check aria-hidden strokeWidth={2.6} />
    case 'info':
      return <Info aria-hidden />
    case 'missing':
      return <CornerUpRight aria-hidden />
    case 'invalid':
      return <X aria-hidden strokeWidth={2.6} />
  }
}

/** The icon of a finding's severity. */
export function SeverityIcon({ severity }: { readonly severity: Severity }) {
  switch (severity) {
    case 'error':
      return <X aria-hidden strokeWidth={2.6} />
    case 'warning':
      return <TriangleAlert aria-hidden strokeWidth={2.2} />
    case 'info':
      return <Info aria-hidden strokeWidth={2.2} />
  }
}

export function severityTone(severity: Severity): 'invalid' | 'missing' | 'info' {
  switch (severity) {
    case 'error':
      return 'invalid'
    case 'warning':
      return 'missing'
    case 'info':
      return 'info'
  }
}
