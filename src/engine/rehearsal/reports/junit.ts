import { anyCaseOf } from '#catalogue/rehearsal/oauth-cases.ts'
import type { CaseResult } from '#contract/rehearsal.ts'
import { defineReport } from '../report.ts'

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

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}

function testCase(result: CaseResult, accepted: string | undefined): string {
  const { id, level, reason } = result
  const definition = anyCaseOf(id)
  const lines = [
    `Level: ${level}`,
    `Sent: ${result.sent}`,
    `Expected: ${result.expected}`,
    `Received: ${result.received}`,
    ...(reason === null ? [] : [`Reason: ${reason}`]),
    ...(definition ? [`Why it matters: ${definition.why}`] : []),
    `Repeat: ${result.repeat}`,
  ]
  const message = escape(reason ?? '')
  const failure =
    accepted !== undefined
      ? `<skipped message="${escape(`Accepted failure: ${accepted}`)}"/>`
      : result.result === 'fail' || result.result === 'flaky'
        ? `<failure type="${result.result}" message="${message}"/>`
        : result.result === 'skipped' || result.result === 'review'
          ? `<skipped message="${message}"/>`
          : ''
  const output = lines.map(escape).join('\n')
  return `    <testcase name="${escape(id)}" classname="${escape(`rehearsal.${definition?.group ?? 'cases'}`)}" time="${seconds(result.durationMs)}">${failure}<system-out>${output}</system-out></testcase>`
}

export default defineReport({
  id: 'junit',
  label: 'JUnit XML',
  fileName: 'rehearsal.xml',
  mediaType: 'application/xml',
  write: ({ rehearsal, results, accepted }) => {
    const count = (...wanted: CaseResult['result'][]): number =>
      results.filter(({ id, result }) => wanted.includes(result) && !accepted.has(id)).length
    const skipped = count('skipped', 'review') + results.filter(({ id }) => accepted.has(id)).length
    const duration = results.reduce((sum, { durationMs }) => sum + durationMs, 0)
    const totals = `tests="${results.length}" failures="${count('fail', 'flaky')}" errors="0" skipped="${skipped}" time="${seconds(duration)}"`
    const started = new Date(rehearsal.startedAt).toISOString().slice(0, 19)
    return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="Tabscope rehearsal" ${totals}>
  <testsuite name="${escape(rehearsal.options.url)}" ${totals} timestamp="${started}">
${results.map((result) => testCase(result, accepted.get(result.id))).join('\n')}
  </testsuite>
</testsuites>
`
  },
})
