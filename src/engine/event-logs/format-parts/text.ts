import { unknownTime, removedLabel } from '#contract/constants.ts'
import { isUtf8 } from 'node:buffer'
import type { LogHead } from '#contract/event-log.ts'
import type { Delivery } from '#contract/models.ts'
import type { Attempt } from '#contract/sending.ts'

/** Keeps a byte order mark. Returns null for bytes that are not UTF-8. */
export function exactText(body: Uint8Array): string | null {
  return isUtf8(body) ? asBuffer(body).toString('utf8') : null
}

export function base64Of(body: Uint8Array): string {
  return asBuffer(body).toString('base64')
}

/** The same memory, without copying. */
export function asBuffer(body: Uint8Array): Buffer {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
}

/** Header values are stored with one character per byte. Most non-ASCII values are meant as UTF-8. */
export function decodeHeader(value: string): string {
  return exactText(Buffer.from(value, 'latin1')) ?? value
}

export const attemptVerbs: Readonly<Record<Attempt['kind'], string>> = {
  resend: 're-sent',
  compose: 'composed and sent',
  forward: 'forwarded',
  pass_through: 'passed through',
}

export function describeResponse({
  status,
  responseMs,
  respondedBy,
}: Pick<Delivery, 'status' | 'responseMs' | 'respondedBy'>): string {
  if (status === null) return respondedBy === 'rule' ? 'none, by a response rule' : 'none'
  const by = respondedBy === null ? '' : `, ${responders[respondedBy]}`
  return `${status}${responseMs === null ? '' : ` in ${formatMilliseconds(responseMs)}`}${by}`
}

const responders = {
  rule: 'by a response rule',
  target: 'by a target',
  hold: 'by hand, while it was held',
} as const

export function formatMilliseconds(time: number): string {
  return `${Math.round(time * 10) / 10} ms`
}

/** `Redacted: 12 aliases, 30 masked values.`; empty if nothing was redacted. */
export function removedSentence(removed: Readonly<Record<string, number>>): string {
  const { aliases = 0, masked = 0 } = removed
  return aliases + masked === 0 ? '' : `Redacted: ${removedLabel(removed)}.`
}

/** The redaction note of the head, then what has been redacted so far. */
export function redactionSentences(
  { redaction }: LogHead,
  removed: Readonly<Record<string, number>>,
): string[] {
  return [redaction.note, removedSentence(removed)].filter((text) => text !== '')
}

/** Valid in the path and query of a URI (RFC 3986, 3.3 and 3.4). */
const validPath = /^\/[%A-Za-z0-9._~!$&'()*+,;=:@/?-]*$/
const brokenEscape = /%(?![0-9A-Fa-f]{2})/
const uriCharacter = /^[A-Za-z0-9._~!$&'()*+,;=:@/?-]$/

/**
 * Returns `/path?query`. Percent-encodes invalid characters byte by byte (a target is stored as Latin-1 text), but does not resolve dot segments or sort
 * parameters, which matter when debugging. `also`: further characters that the tool can send unencoded.
 */
export function uriPath(target: string, also = ''): string {
  const path = toPath(target)
  if (validPath.test(path) && !brokenEscape.test(path)) return path
  let result = ''
  for (let at = 0; at < path.length; at += 1) {
    const character = String.fromCodePoint(path.codePointAt(at) ?? 0)
    const isKept =
      character === '%'
        ? /^[0-9a-f]{2}$/i.test(path.slice(at + 1, at + 3))
        : uriCharacter.test(character) || also.includes(character)
    result += isKept ? character : percentEncoded(character)
    at += character.length - 1
  }
  return result
}

/** In absolute form (RFC 9112, 3.2.2), the path follows the host. `*` and invalid targets get a leading slash. */
function toPath(target: string): string {
  const [origin = ''] = /^https?:\/\/[^/?#]*/i.exec(target) ?? []
  const path = target.slice(origin.length)
  return path.startsWith('/') ? path : `/${path}`
}

function percentEncoded(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const bytes = code <= 0xff ? [code] : [...Buffer.from(character)]
  return bytes.map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
}

const lastTime = 253_402_300_799_999

/** UTC with milliseconds. Clamps to the years 1970 to 9999: only a foreign log has other times, and formats that require a time reject them. */
export function isoTime(at: number): string {
  const clamped = Number.isFinite(at) ? Math.min(Math.max(at, 0), lastTime) : 0
  return new Date(Math.floor(clamped)).toISOString()
}

/** Null: `unknownTime`. */
export function knownTime(at: number): string | null {
  return at === unknownTime ? null : isoTime(at)
}
