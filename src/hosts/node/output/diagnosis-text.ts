import type { Diagnosis, DiagnosisCause } from '#contract/deliveries.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { plural } from '#shared/text/format.ts'
import { verdictStyle } from './delivery-line.ts'
import { colored } from './output.ts'

const places: Readonly<Record<DiagnosisCause['where'], string>> = {
  here: 'in Tabscope',
  dashboard: 'on the service’s dashboard',
  between: 'between the service and Tabscope',
  sender: 'in the code that signs',
  handler: 'in your handler',
}

const candidates: Readonly<Record<NonNullable<Diagnosis['candidate']>, string>> = {
  matches: 'The given secret produces this signature.',
  matches_changed: 'The given secret produces this signature with the change described above.',
  differs: 'The given secret does not produce this signature.',
}

/** `--json` also has what was ruled out, and frameworks that do not change the body. */
export function diagnosisText(diagnosis: Diagnosis): string {
  const { verdict, conclusion, causes, difference, tried, exhaustive, candidate } = diagnosis
  const { computed } = diagnosis
  const lines = [
    `${colored(verdictStyle(verdict), verdict)}  ${escapeControls(conclusion)}`,
    ...causeLines(causes.filter(({ outcome }) => outcome === 'matches')),
  ]
  if (difference) {
    const { offset, signed, received } = difference
    lines.push(
      '',
      `The first difference is at byte ${offset}:`,
      `  signed    ${escapeControls(signed)}`,
      `  received  ${escapeControls(received)}`,
    )
  }
  if (candidate !== null) lines.push('', candidates[candidate])
  if (computed) {
    lines.push('', escapeControls(computed.conclusion), ...causeLines(computed.causes))
  }
  lines.push(...frameworkLines(diagnosis))
  const part = exhaustive ? '' : ' The time was too short to try all single changes.'
  lines.push('', colored('gray', `${plural(tried, 'signature', 'signatures')} computed.${part}`))
  return lines.join('\n')
}

/** Causes that match only together share one detail text. */
function causeLines(causes: readonly DiagnosisCause[]): string[] {
  return causes.flatMap(({ title, code, detail, where, fix }, index) => [
    '',
    `${colored('bold', escapeControls(title))}  ${colored('gray', code)}`,
    ...(causes.findIndex((each) => each.detail === detail) === index
      ? [`  ${escapeControls(detail)}`]
      : []),
    `  Fix it ${places[where]}: ${escapeControls(fix)}`,
  ])
}

const maxFrameworks = 4

function frameworkLines({ rejected, frameworks, computed }: Diagnosis): string[] {
  if (frameworks.length === 0 || computed) return []
  const changing = frameworks.filter(({ changes }) => changes)
  const shown = changing.slice(0, maxFrameworks)
  const status = rejected?.values?.['status']
  const lines = [
    '',
    status === undefined
      ? 'If your handler rejects it, it may compute the signature of one of these:'
      : `Your handler responded with ${status}. It may compute the signature of one of these:`,
    ...shown.map(({ label, writes, words, difference }) => {
      const first = difference
        ? `: ${difference.path === '' ? '' : `${difference.path} as `}${difference.signed}`
        : ''
      return `  ${label}: ${writes} writes it ${escapeControls(words.join(', ') + first)}`
    }),
  ]
  if (changing.length > shown.length) {
    lines.push(`  ${plural(changing.length - shown.length, 'other', 'others')}`)
  }
  if (changing.length === 0) {
    lines.splice(1, 1, 'No common framework changes this body when it serializes it again.')
  }
  lines.push(
    '  To find out exactly: --computed <digest>, with the digest that your handler computes.',
  )
  return lines
}
