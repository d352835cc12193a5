import { createHash } from 'node:crypto'
import { caseGroups, rehearsalCases } from '#catalogue/rehearsal/cases.ts'
import { anyCaseOf } from '#catalogue/rehearsal/oauth-cases.ts'
import type { CaseResult } from '#contract/rehearsal.ts'
import {
  acceptedReason,
  defineReport,
  fixOfResult,
  gradeText,
  type ReportInput,
} from '../report.ts'

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; padding: 32px 16px 64px; max-width: 60rem; }
h1 { font-size: 1.5rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
.grade { font-size: 1.1rem; font-weight: 600; }
.matrix { display: grid; grid-template-columns: max-content 1fr; gap: 6px 16px; align-items: center; margin: 1.5rem 0; }
.matrix div { display: flex; flex-wrap: wrap; gap: 6px; }
.case { border: 1px solid; border-radius: 6px; padding: 2px 8px; text-decoration: none; font-weight: 600; }
article { border-top: 1px solid color-mix(in srgb, currentColor 25%, transparent); padding: 12px 0; }
article h3 { font-size: 1rem; margin: 0 0 6px; }
dl { display: grid; grid-template-columns: 6rem 1fr; gap: 2px 12px; margin: 0; }
dt { opacity: .75; }
dd { margin: 0; overflow-wrap: anywhere; }
dd ul { margin: 0; padding-left: 1.2rem; }
pre { margin: 0; white-space: pre-wrap; }
code, pre { font: 13px/1.5 ui-monospace, monospace; }
.pass { color: light-dark(#15692f, #6fd58d); }
.fail, .flaky { color: light-dark(#a8121f, #ff9296); }
.warn { color: light-dark(#7a4a00, #f2bd55); }
.review { color: light-dark(#0d4f96, #84bdff); }
.skipped { color: light-dark(#555, #b0b0b0); }
`

const signs: Readonly<Record<CaseResult['result'], string>> = {
  pass: '✓',
  fail: '✗',
  flaky: '≈',
  warn: '!',
  review: '?',
  skipped: '–',
}

function chip({ id, result }: CaseResult): string {
  return `<a class="case ${result}" href="#${escape(id)}">${signs[result]} ${escape(id)}<span hidden> ${result}</span></a>`
}

/** Those of the catalogue, and that of OAuth clients. */
const groups: readonly { readonly id: string; readonly label: string }[] = [
  ...caseGroups,
  { id: 'oauth', label: 'OAuth client' },
]

function article(result: CaseResult, input: ReportInput): string {
  const definition = anyCaseOf(result.id)
  const accepted = acceptedReason(result, input)
  const fix = fixOfResult(result, input.framework)
  const { variants } = result
  const rows: [string, string][] = [
    ['Sent', escape(result.sent)],
    ['Expected', escape(result.expected)],
    ['Received', escape(result.received)],
    ...(result.reason === null
      ? []
      : [['Reason', escape(result.reason)] satisfies [string, string]]),
    ...(accepted === undefined ? [] : [['Accepted', escape(accepted)] satisfies [string, string]]),
    ...(definition
      ? [
          ['Why', escape(definition.why)] satisfies [string, string],
          [
            'Basis',
            definition.basis === null
              ? 'The API documentation does not describe it.'
              : `${escape(definition.basis)}${definition.quote === undefined ? '' : `: “${escape(definition.quote)}”`}`,
          ] satisfies [string, string],
        ]
      : []),
    ...(fix === null ? [] : [['Fix', `<pre>${escape(fix)}</pre>`] satisfies [string, string]]),
    ...(variants.length > 1
      ? [
          [
            'Variants',
            `<ul>${variants.map(({ name, result: of, received }) => `<li><span class="${of}">${signs[of]} ${of}</span> ${escape(name)}: ${escape(received)}</li>`).join('')}</ul>`,
          ] satisfies [string, string],
        ]
      : []),
    ['Repeat', `<code>${escape(result.repeat)}</code>`],
  ]
  return `<article id="${escape(result.id)}"><h3><span class="${result.result}">${signs[result.result]} ${result.result}</span> ${escape(result.id)} ${escape(definition?.title ?? '')} (${result.level})</h3><dl>${rows.map(([term, text]) => `<dt>${term}</dt><dd>${text}</dd>`).join('')}</dl></article>`
}

export default defineReport({
  id: 'html',
  label: 'HTML page',
  fileName: 'rehearsal.html',
  mediaType: 'text/html',
  write: (input) => {
    const { rehearsal, results, version } = input
    const { options, counts, problem } = rehearsal
    const { pass, fail, warn, review, skipped, flaky } = counts
    const order = new Map(rehearsalCases.map(({ id }, index) => [id, index]))
    const sorted = results.toSorted((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0))
    const matrix = groups
      .map(({ id, label }) => {
        const chips = sorted.filter((result) => anyCaseOf(result.id)?.group === id).map(chip)
        return chips.length === 0 ? '' : `<b>${label}</b><div>${chips.join('')}</div>`
      })
      .join('')
    const causes = problem?.causes.map((cause) => `<li>${escape(cause)}</li>`).join('') ?? ''
    // The policy keeps the page offline, whatever a handler has responded.
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Rehearsal of ${escape(options.url)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Rehearsal of ${escape(options.url)}</h1>
<p class="grade">${escape(gradeText(rehearsal))}</p>
<p>${pass} passed, ${fail} failed, ${warn} warned, ${review} to review, ${skipped} skipped, ${flaky} flaky. Seed ${options.seed}. ${new Date(rehearsal.startedAt).toISOString()}. Tabscope ${escape(version)}.</p>
${problem === null ? '' : `<p>${escape(problem.message)}</p><ul>${causes}</ul>`}
<div class="matrix">${matrix}</div>
<h2>Cases</h2>
${sorted.map((result) => article(result, input)).join('\n')}
</main>
</body>
</html>
`
  },
})
