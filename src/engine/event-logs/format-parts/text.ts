import { isUtf8 } from 'node:buffer'
import type { LogHead } from '#contract/event-log.ts'

/** Decodes UTF-8 exactly, including a byte order mark. Returns null for bytes that are not UTF-8. */
export function exactText(body: Uint8Array): string | null {
  return isUtf8(body) ? asBuffer(body).toString('utf8') : null
}

export function base64Of(body: Uint8Array): string {
  return asBuffer(body).toString('base64')
}

/** Returns a Buffer over the same memory, without copying. */
export function asBuffer(body: Uint8Array): Buffer {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
}

/** Returns what was redacted as a sentence, `Redacted: handle (12), e-mail (3).`; an empty string if nothing was. */
export function removedSentence(removed: Readonly<Record<string, number>>): string {
  const kinds = Object.entries(removed).filter(([, values]) => values > 0)
  if (kinds.length === 0) return ''
  const parts = kinds.map(
    ([kind, values]) => `${kind === 'email' ? 'e-mail' : kind.replaceAll('_', ' ')} (${values})`,
  )
  return `Redacted: ${parts.join(', ')}.`
}

/** Returns the redaction note of the head and what has been redacted so far, as sentences. */
export function redactionSentences(
  { redaction }: LogHead,
  removed: Readonly<Record<string, number>>,
): string[] {
  return [redaction.note, removedSentence(removed)].filter((text) => text !== '')
}

/** Characters that are valid in the path and query of a URI (RFC 3986, 3.3 and 3.4). */
const uriCharacters = "A-Za-z0-9._~!$&'()*+,;=:@/?-"
const validPath = new RegExp(`^/[%${uriCharacters}]*$`)
const brokenEscape = /%(?![0-9A-Fa-f]{2})/
const uriCharacter = new RegExp(`^[${uriCharacters}]$`)

/**
 * Converts a request target to the part of a URI after the origin: `/path?query`. Percent-encodes characters that are invalid in a URI, byte by
 * byte (a target is stored as Latin-1 text). Does not resolve dot segments or sort parameters, because these details matter when debugging.
 * `also`: further characters to keep unencoded, for tools that can send them.
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

/** Returns the path of a target. In absolute form (RFC 9112, 3.2.2), it follows the host. `*` and invalid targets get a leading slash. */
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

/** The last millisecond of the year 9999. */
const lastTime = 253_402_300_799_999

/**
 * Formats milliseconds since the epoch as ISO 8601, UTC, with milliseconds. Times outside the years 1970 to 9999, which can only come from a foreign
 * log, become the nearest time in that range, because formats that require a time accept no other.
 */
export function isoTime(at: number): string {
  const clamped = Number.isFinite(at) ? Math.min(Math.max(at, 0), lastTime) : 0
  return new Date(Math.floor(clamped)).toISOString()
}
