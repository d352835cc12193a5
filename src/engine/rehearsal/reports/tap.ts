import { anyCaseOf } from '#catalogue/rehearsal/oauth-cases.ts'
import { acceptedReason, defineReport, fixOfResult, hasFailed } from '../report.ts'

/** A directive or a description must not contain a `#` that is not escaped (TAP 14). */
function escape(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ').replaceAll(/[\\#]/g, '\\$&')
}

export default defineReport({
  id: 'tap',
  label: 'TAP 14',
  fileName: 'rehearsal.tap',
  mediaType: 'text/plain',
  write: (input) => {
    const { rehearsal, results } = input
    const lines = results.flatMap((result, index) => {
      const { id, level, reason } = result
      const acceptedFor = acceptedReason(result, input)
      const directive =
        acceptedFor !== undefined
          ? ` # TODO ${escape(acceptedFor)}`
          : result.result === 'skipped' || result.result === 'review'
            ? ` # SKIP ${escape(reason ?? '')}`
            : ''
      const title = escape(anyCaseOf(id)?.title ?? '')
      const line = `${hasFailed(result) ? 'not ok' : 'ok'} ${index + 1} - ${id} ${title}${directive}`
      if (result.result === 'pass' || result.result === 'skipped') return [line]
      const details = {
        result: result.result,
        level,
        expected: result.expected,
        received: result.received,
        reason,
        fix: fixOfResult(result, input.framework),
        repeat: result.repeat,
      }
      // JSON is YAML.
      const yaml = Object.entries(details).map(
        ([key, value]) => `  ${key}: ${JSON.stringify(value)}`,
      )
      return [line, '  ---', ...yaml, '  ...']
    })
    // A harness must not take a run that could not judge anything for one that passed.
    const { state, problem } = rehearsal
    const bail = state === 'failed' ? [`Bail out! ${escape(problem?.message ?? '')}`] : []
    return `${['TAP version 14', `1..${results.length}`, ...lines, ...bail].join('\n')}\n`
  },
})
