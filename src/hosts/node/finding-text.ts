import { printable } from '../printable.ts'
import type { Finding, Severity } from '#contract/models.ts'
import { coloured } from './output.ts'

const styles = { error: 'red', warning: 'yellow', info: 'cyan' } as const satisfies Record<
  Severity,
  string
>
const order: readonly Severity[] = ['error', 'warning', 'info']

/** Findings as people read them in a terminal, errors first: severity, code and place, then what it means, what was expected and what came. */
export function findingLines(findings: readonly Finding[]): string[] {
  return order.flatMap((severity) =>
    findings.filter((finding) => finding.severity === severity).flatMap(linesOf),
  )
}

function linesOf({ code, severity, place, message, expected, actual }: Finding): string[] {
  return [
    `${coloured(styles[severity], severity.padEnd(7))}  ${printable(code)}  ${coloured('bold', printable(place))}`,
    `         ${printable(message)}`,
    ...(expected === undefined ? [] : [`         expected  ${printable(expected)}`]),
    ...(actual === undefined ? [] : [`         came      ${printable(actual)}`]),
  ]
}
