import { fixOfGroup, groupFailures } from '#catalogue/rehearsal/root-causes.ts'
import { anyCaseOf } from '#catalogue/rehearsal/oauth-cases.ts'
import { withoutQuery } from '#shared/text/address.ts'
import { plural } from '#shared/text/format.ts'
import { defineReport, fixOfResult, gradeText } from '../report.ts'

function escape(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ').replaceAll(/[\\`*_{}[\]<>#|]/g, '\\$&')
}

export default defineReport({
  id: 'markdown',
  write: (input) => {
    const { rehearsal, results } = input
    const { options, counts, problem } = rehearsal
    const shown = results.filter(({ result }) => result !== 'pass' && result !== 'skipped')
    const { pass, fail, warn, review, skipped, flaky } = counts
    const lines = [
      `# Rehearsal of ${escape(withoutQuery(options.url))}`,
      '',
      ...(rehearsal.grade === null ? [] : [`**${gradeText(rehearsal)}**`, '']),
      ...(problem === null
        ? []
        : [
            escape(problem.message),
            '',
            ...problem.causes.map((cause) => `- ${escape(cause)}`),
            ...(problem.causes.length > 0 ? [''] : []),
          ]),
      `${pass} passed, ${fail} failed, ${plural(warn, 'warning', 'warnings')}, ${review} to review, ${skipped} skipped, ${flaky} flaky. Seed ${options.seed}.`,
      '',
      ...groupFailures(results).flatMap((group) => {
        const fix = fixOfGroup(group, input.framework)
        return [
          `## ${escape(group.title)}`,
          '',
          `Cases: ${group.cases.join(', ')}`,
          '',
          ...(fix === null ? [] : [...fix.split('\n').map((line) => `    ${line}`), '']),
        ]
      }),
      '| Case | Level | Result | Expected | Received |',
      '| --- | --- | --- | --- | --- |',
      ...results.map((each) => {
        const { id, level, result, expected, received } = each
        return `| ${id} ${escape(anyCaseOf(id)?.title ?? '')} | ${level} | ${result} | ${escape(expected)} | ${escape(received)} |`
      }),
      '',
      ...shown.flatMap((each) => {
        const { id, reason, repeat } = each
        const fix = fixOfResult(each, input.framework) ?? ''
        return [
          `## ${id}: ${escape(anyCaseOf(id)?.title ?? '')}`,
          '',
          escape(reason ?? ''),
          '',
          escape(anyCaseOf(id)?.why ?? ''),
          '',
          'To fix it:',
          '',
          ...fix.split('\n').map((line) => `    ${line}`),
          '',
          'To repeat it:',
          '',
          `    ${repeat}`,
          '',
        ]
      }),
    ]
    return `${lines.join('\n').trimEnd()}\n`
  },
})
