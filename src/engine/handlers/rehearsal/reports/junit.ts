import { anyCaseOf } from '#catalogue/rehearsal/oauth-cases.ts'
import type { CaseResult, RehearsalProblem } from '#contract/rehearsal.ts'
import { withoutQuery } from '#shared/text/address.ts'
import { defineReport, fixOfResult, type ReportInput } from '../report.ts'

function escape(text: string): string {
  return (
    text
      // XML 1.0, 2.2: control characters cannot be written at all.
      .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll('\n', '&#10;')
  )
}

function hasFailed({ result }: CaseResult): boolean {
  return result === 'fail' || result === 'flaky'
}

function isSkipped({ result }: CaseResult): boolean {
  return result === 'skipped' || result === 'review'
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}

function testCase(result: CaseResult, input: ReportInput): string {
  const { id, level, reason } = result
  const definition = anyCaseOf(id)
  const fix = fixOfResult(result, input.framework)
  const lines = [
    `Level: ${level}`,
    `Sent: ${result.sent}`,
    `Expected: ${result.expected}`,
    `Received: ${result.received}`,
    ...(reason === null ? [] : [`Reason: ${reason}`]),
    ...(definition ? [`Why it matters: ${definition.why}`] : []),
    ...(fix === null ? [] : [`Fix: ${fix}`]),
    `Repeat: ${result.repeat}`,
  ]
  const message = escape(reason ?? '')
  const failure = hasFailed(result)
    ? `<failure type="${result.result}" message="${message}"/>`
    : isSkipped(result)
      ? `<skipped message="${message}"/>`
      : ''
  const output = lines.map(escape).join('\n')
  return `    <testcase name="${escape(id)}" classname="${escape(`rehearsal.${definition?.group ?? 'cases'}`)}" time="${seconds(result.durationMs)}">${failure}<system-out>${output}</system-out></testcase>`
}

/** A run that could not judge anything is an error, so that CI does not show it as passed. */
function problemCase({ message, causes }: RehearsalProblem): string {
  const output = causes.map((cause) => escape(`- ${cause}`)).join('\n')
  return `    <testcase name="P1" classname="rehearsal.precheck" time="0.000"><error message="${escape(message)}"/><system-out>${output}</system-out></testcase>`
}

export default defineReport({
  id: 'junit',
  write: (input) => {
    const { rehearsal, results } = input
    const count = (wanted: (result: CaseResult) => boolean): number => results.filter(wanted).length
    const failures = count(hasFailed)
    const skipped = count(isSkipped)
    const problem = rehearsal.state === 'failed' ? rehearsal.problem : null
    const cases = [
      ...(problem === null ? [] : [problemCase(problem)]),
      ...results.map((result) => testCase(result, input)),
    ]
    const errors = problem === null ? 0 : 1
    const duration = results.reduce((sum, { durationMs }) => sum + durationMs, 0)
    const totals = `tests="${cases.length}" failures="${failures}" errors="${errors}" skipped="${skipped}" time="${seconds(duration)}"`
    const started = new Date(rehearsal.startedAt).toISOString().slice(0, 19)
    return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="Tabscope rehearsal" ${totals}>
  <testsuite name="${escape(withoutQuery(rehearsal.options.url))}" ${totals} timestamp="${started}">
${cases.join('\n')}
  </testsuite>
</testsuites>
`
  },
})
