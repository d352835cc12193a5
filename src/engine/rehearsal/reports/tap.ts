import { anyCaseOf } from '#catalogue/rehearsal/oauth-cases.ts'
import { defineReport } from '../report.ts'

/** A directive or a description must not contain a `#` that is not escaped (TAP 14). */
function escape(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ').replaceAll(/[\\#]/g, '\\$&')
}

export default defineReport({
  id: 'tap',
  label: 'TAP 14',
  fileName: 'rehearsal.tap',
  mediaType: 'text/plain',
  write: ({ results, accepted }) => {
    const lines = results.flatMap((result, index) => {
      const { id, level, reason } = result
      const failed = result.result === 'fail' || result.result === 'flaky'
      const acceptedFor = accepted.get(id)
      const directive =
        acceptedFor !== undefined
          ? ` # TODO ${escape(acceptedFor)}`
          : result.result === 'skipped' || result.result === 'review'
            ? ` # SKIP ${escape(reason ?? '')}`
            : ''
      const title = escape(anyCaseOf(id)?.title ?? '')
      const line = `${failed ? 'not ok' : 'ok'} ${index + 1} - ${id} ${title}${directive}`
      if (result.result === 'pass' || result.result === 'skipped') return [line]
      const details = {
        result: result.result,
        level,
        expected: result.expected,
        received: result.received,
        reason,
        repeat: result.repeat,
      }
      // JSON is YAML.
      const yaml = Object.entries(details).map(
        ([key, value]) => `  ${key}: ${JSON.stringify(value)}`,
      )
      return [line, '  ---', ...yaml, '  ...']
    })
    return `${['TAP version 14', `1..${results.length}`, ...lines].join('\n')}\n`
  },
})
