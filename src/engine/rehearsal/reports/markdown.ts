import { anyCaseOf } from '#catalogue/rehearsal/oauth-cases.ts'
import { plural } from '#shared/text/format.ts'
import { defineReport, gradeText } from '../report.ts'

function escape(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ').replaceAll(/[\\`*_{}[\]<>#|]/g, '\\$&')
}

export default defineReport({
  id: 'markdown',
  label: 'Markdown',
  fileName: 'rehearsal.md',
  mediaType: 'text/markdown',
  write: ({ rehearsal, results, accepted }) => {
    const { options, counts, problem } = rehearsal
    const shown = results.filter(({ result }) => result !== 'pass' && result !== 'skipped')
    const { pass, fail, warn, review, skipped, flaky } = counts
    const lines = [
      `# Rehearsal of ${escape(options.url)}`,
      '',
      ...(rehearsal.grade === null ? [] : [`**${gradeText(rehearsal)}**`, '']),
      ...(problem === null ? [] : [escape(problem.message), '']),
      `${pass} passed, ${fail} failed, ${plural(warn, 'warning', 'warnings')}, ${review} to review, ${skipped} skipped, ${flaky} flaky. Seed ${options.seed}.`,
      '',
      '| Case | Level | Result | Expected | Received |',
      '| --- | --- | --- | --- | --- |',
      ...results.map(
        ({ id, level, result, expected, received }) =>
          `| ${id} ${escape(anyCaseOf(id)?.title ?? '')} | ${level} | ${result}${accepted.has(id) ? ' (accepted)' : ''} | ${escape(expected)} | ${escape(received)} |`,
      ),
      '',
      ...shown.flatMap(({ id, reason, repeat }) => [
        `## ${id}: ${escape(anyCaseOf(id)?.title ?? '')}`,
        '',
        escape(reason ?? ''),
        '',
        escape(anyCaseOf(id)?.why ?? ''),
        '',
        `    ${repeat}`,
        '',
      ]),
    ]
    return `${lines.join('\n').trimEnd()}\n`
  },
})
