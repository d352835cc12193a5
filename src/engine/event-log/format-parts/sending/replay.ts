import type { Header } from '#contract/models.ts'
import { faultOfField, faultOfMethod } from '../../../http/request-head.ts'
import type { ExportedDelivery } from '../../items.ts'
import { uriPath } from '../uri.ts'

/** A delivery as it is to be sent again. */
export interface Replay {
  readonly id: number
  readonly method: string
  /** Printable ASCII, no space. */
  readonly url: string
  /** Names and values can be written as they are, one character a byte; what belongs to the connection is not here. */
  readonly headers: readonly Header[]
  readonly body: Uint8Array
  /** What is to be known of it, as sentences. */
  readonly remarks: readonly string[]
  /** Why it cannot be sent, as a sentence; null: it can. */
  readonly fault: string | null
}

/** These are about one connection or about how the body is framed in it (RFC 9110, 7.6.1 and 10.1.1): whoever sends says them anew. */
const ofConnection = new Set([
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
  'http2-settings',
  'expect',
])

/** `base`: origin and path that the delivery's path is put behind. `also`: see `uriPath`. */
export function replayOf(delivery: ExportedDelivery, base: string, also = ''): Replay {
  const { fields, body, omitted } = delivery
  const path = uriPath(fields.path, also)
  const headers = fields.headers
    .filter(([name]) => !ofConnection.has(name.toLowerCase()))
    .map(([name, value]): Header => [name, value.trim()])
  const faulty = headers.filter(([name, value]) => faultOfField(name, value) !== null)
  const remarks: string[] = []
  if (fields.bodyRedacted) {
    remarks.push('Something was taken out of its body, which no longer fits its signature.')
  }
  if (fields.arrival === 'too_large' || fields.arrival === 'cut_off') {
    remarks.push(`Of its body ${body.byteLength} of ${fields.bytes} bytes are here.`)
  }
  if (path !== fields.path && fields.path !== '') remarks.push(`Its path came as: ${fields.path}`)
  if (faulty.length > 0) remarks.push(`Headers that cannot be written: ${namesOf(faulty)}`)
  if (fields.trailers.length > 0) remarks.push(`Trailers are not sent: ${namesOf(fields.trailers)}`)
  return {
    id: fields.id,
    method: fields.method,
    url: base + path,
    headers: headers.filter((header) => !faulty.includes(header)),
    body,
    remarks,
    fault: faultOfDelivery(delivery, omitted),
  }
}

export function namesOf(headers: readonly Header[]): string {
  return [...new Set(headers.map(([name]) => name))].join(', ')
}

function faultOfDelivery({ fields }: ExportedDelivery, omitted: string | null): string | null {
  if (fields.arrival === 'malformed') return 'What came was no request that can be sent again.'
  if (omitted !== null) return `Its body is not here. ${omitted}`
  return faultOfMethod(fields.method)
}
