import type { ExportedDelivery } from '../../items.ts'
import { isoTime } from '../iso-time.ts'
import { code, sentence } from './inline.ts'

/**
 * What is known of a delivery, a line each. As a list and not as a table: most chats draw no tables, and in a table a bar would end its cell
 * even within code.
 */
export function factLines({ fields }: ExportedDelivery): string[] {
  const facts: [name: string, text: string][] = [
    ['Received', code(isoTime(fields.receivedAt))],
    ['Request', code(`${fields.method} ${fields.path}`.trim())],
    ['Type', code(fields.type ?? '')],
    ['Verdict', fields.verdict],
    ['Verdict at arrival', fields.recheck?.verdictAtArrival ?? ''],
    ['Answer', answerWords(fields)],
    ['Arrival', fields.arrival === 'complete' ? '' : fields.arrival.replaceAll('_', ' ')],
    ['Reason', sentence(fields.reason ?? '')],
    ['Target', code(fields.target ?? '')],
    ['Location', code(fields.locationName ?? '')],
    ['Endpoint', code(fields.endpointName ?? '')],
    fields.bodyRedacted
      ? ['Body as redacted', `${fields.bytes} bytes`]
      : ['Body as captured', `${fields.bytes} bytes, SHA-256 ${code(fields.sha256)}`],
    ['Tags', fields.tags.map(code).join(' ')],
    ['Note', code(fields.note)],
  ]
  const lines = facts.filter(([, text]) => text !== '').map(([name, text]) => `- ${name}: ${text}`)
  if (fields.findings.length === 0) return [...lines, '- Findings: none']
  const findings = fields.findings.map(
    ({ severity, code: name, place, message }) =>
      `  - ${severity}, ${code(name)} in ${code(place)}: ${sentence(message)}`,
  )
  return [...lines, '- Findings:', ...findings]
}

function answerWords({ status, answeredIn, answeredBy }: ExportedDelivery['fields']): string {
  if (status === null) return answeredBy === 'rule' ? 'none, by a response rule' : 'none'
  const by =
    answeredBy === null ? '' : `, by a ${answeredBy === 'rule' ? 'response rule' : 'target'}`
  return `${status}${answeredIn === null ? '' : ` in ${milliseconds(answeredIn)}`}${by}`
}

export function milliseconds(time: number): string {
  return `${Math.round(time * 10) / 10} ms`
}
