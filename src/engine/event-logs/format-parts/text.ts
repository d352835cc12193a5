import { isUtf8 } from 'node:buffer'
import type { LogHead } from '#contract/event-log.ts'

/** Bytes as text, exactly, a byte order mark included; null: they are not UTF-8. */
export function exactText(body: Uint8Array): string | null {
  return isUtf8(body) ? asBuffer(body).toString('utf8') : null
}

export function base64Of(body: Uint8Array): string {
  return asBuffer(body).toString('base64')
}

/** The same memory, not a copy. */
export function asBuffer(body: Uint8Array): Buffer {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
}

/** What was redacted, as a sentence: `Redacted: handle (12), e-mail (3).`; empty: nothing. */
export function removedSentence(removed: Readonly<Record<string, number>>): string {
  const kinds = Object.entries(removed).filter(([, values]) => values > 0)
  if (kinds.length === 0) return ''
  const words = kinds.map(
    ([kind, values]) => `${kind === 'email' ? 'e-mail' : kind.replaceAll('_', ' ')} (${values})`,
  )
  return `Redacted: ${words.join(', ')}.`
}

/** What a reader must know of the redaction, and what it replaced so far: sentences. */
export function redactionSentences(
  { redaction }: LogHead,
  removed: Readonly<Record<string, number>>,
): string[] {
  return [redaction.note, removedSentence(removed)].filter((text) => text !== '')
}

/** What may stand in path and query of a URI as it is (RFC 3986, 3.3 and 3.4). */
const inUri = "A-Za-z0-9._~!$&'()*+,;=:@/?-"
const simple = new RegExp(`^/[%${inUri}]*$`)
const brokenEscape = /%(?![0-9A-Fa-f]{2})/
const allowed = new RegExp(`^[${inUri}]$`)

/**
 * A request target as that part of a URI that stands behind the origin: `/path?query`. What has no place in a URI is percent-encoded, byte
 * for byte (a target is kept as Latin-1 text); nothing is resolved or sorted, since dot segments and the like are what one looks for.
 * `also`: characters that are left as they are, by those who can send them so.
 */
export function uriPath(target: string, also = ''): string {
  const path = pathOf(target)
  if (simple.test(path) && !brokenEscape.test(path)) return path
  let written = ''
  for (let at = 0; at < path.length; at += 1) {
    const character = String.fromCodePoint(path.codePointAt(at) ?? 0)
    const stays =
      character === '%'
        ? /^[0-9a-f]{2}$/i.test(path.slice(at + 1, at + 3))
        : allowed.test(character) || also.includes(character)
    written += stays ? character : percentEncoded(character)
    at += character.length - 1
  }
  return written
}

/** In absolute form (RFC 9112, 3.2.2) the path is behind the host; `*`, or what is no target at all, is put behind a slash. */
function pathOf(target: string): string {
  const [origin = ''] = /^https?:\/\/[^/?#]*/i.exec(target) ?? []
  const path = target.slice(origin.length)
  return path.startsWith('/') ? path : `/${path}`
}

function percentEncoded(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const bytes = code <= 0xff ? [code] : [...Buffer.from(character)]
  return bytes.map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
}
