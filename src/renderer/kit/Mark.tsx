import type { Severity, Verdict } from '#contract/models.ts'
import { Icons, type Icon } from './icons.tsx'
import './Mark.css'
import type { StatusTone } from './text/status.ts'

/** Icons differ in shape as well as in color. */
const verdicts = {
  valid: { word: 'Valid', icon: Icons.Check, stroke: 3 },
  invalid: { word: 'Invalid', icon: Icons.X, stroke: 3 },
  missing: { word: 'Missing', icon: Icons.CircleDashed, stroke: 2.6 },
  unsigned: { word: 'Unsigned', icon: Icons.Minus, stroke: 3 },
  unchecked: { word: 'Not checked', icon: Icons.CircleQuestionMark, stroke: 2.4 },
} as const satisfies Record<Verdict, Look & { word: string }>

interface Look {
  readonly icon: Icon
  readonly stroke: number
}

function drawn({ icon: Shape, stroke }: Look) {
  return <Shape aria-hidden strokeWidth={stroke} />
}

export function verdictWord(verdict: Verdict): string {
  return verdicts[verdict].word
}

export function VerdictIcon({ verdict }: { verdict: Verdict }) {
  return drawn(verdicts[verdict])
}

interface VerdictMarkProps {
  verdict: Verdict
  /** The verdict at arrival, if a later check returned a different one. */
  atArrival?: Verdict | undefined
}

/** The verdict in a row, as an icon and a word. */
export function VerdictMark({ verdict, atArrival = verdict }: VerdictMarkProps) {
  const changed = atArrival !== verdict
  const before = changed ? `, ${verdictWord(atArrival).toLowerCase()} when it arrived` : ''
  return (
    <span
      className="baseline inline-flex min-w-0 gap-3"
      data-tone={verdict}
      title={`${verdictWord(verdict)}${before}`}
    >
      <span className="disc" data-tone={verdict}>
        <VerdictIcon verdict={verdict} />
      </span>
      <span className="text-xs font-medium text-tone">{verdictWord(verdict)}</span>
      {changed && (
        <>
          <Icons.History className="text-dim icon-xs" />
          <span className="visually-hidden">{before}</span>
        </>
      )}
    </span>
  )
}

const statuses = {
  valid: { icon: Icons.Check, stroke: 2.6 },
  info: { icon: Icons.Info, stroke: 2 },
  warning: { icon: Icons.CornerUpRight, stroke: 2 },
  invalid: { icon: Icons.X, stroke: 2.6 },
} as const satisfies Record<StatusTone, Look>

export function StatusIcon({ tone }: { tone: StatusTone }) {
  return drawn(statuses[tone])
}

const severities = {
  error: { tone: 'invalid', icon: Icons.X, stroke: 2.6 },
  warning: { tone: 'warning', icon: Icons.TriangleAlert, stroke: 2.2 },
  info: { tone: 'info', icon: Icons.Info, stroke: 2.2 },
} as const satisfies Record<Severity, Look & { tone: StatusTone }>

/** The icon of a finding's severity. */
export function SeverityIcon({ severity }: { severity: Severity }) {
  return drawn(severities[severity])
}

export function severityTone(severity: Severity): 'invalid' | 'warning' | 'info' {
  return severities[severity].tone
}

interface Props {
  tone: 'valid' | 'invalid' | 'warning' | 'unsigned' | 'info'
  icon: Icon
  word: string
}

/** A state as an icon and a word, so that it does not depend on color. */
export function StateMark({ tone, icon: Icon, word }: Props) {
  return (
    <span
      className="baseline inline-flex flex-none gap-3 text-s font-semibold whitespace-nowrap text-tone"
      data-tone={tone}
    >
      <span className="disc" data-tone={tone}>
        <Icon aria-hidden strokeWidth={2.8} />
      </span>
      {word}
    </span>
  )
}
