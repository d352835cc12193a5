import type { Payload } from '#catalogue/payload.ts'
import type { PageContent } from '#contract/log-page.ts'
import { parseText, type ParsedBody } from '#engine/capture/parse-text.ts'
import { searchedBytes } from '#engine/search/indexer/limits.ts'
import { AppError } from '#engine/platform/errors.ts'
import type { Content } from './content.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Bytes as text, without a byte order mark; null where they are not UTF-8. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

/** The body as kept; null where it is not here. */
export function keptBody({ fields, bytes }: Content): Uint8Array | null {
  return bytesOrNull(() => bytes(fields.body))
}

/** What a search reads of a body, as the search index of Tabscope does: its first MiB, decoded where that stays small. */
export function searchedBody(content: Content): { text: string; cut: boolean } | null {
  const { fields, bytes } = content
  const kept = keptBody(content)
  if (kept === null) return null
  const cut = kept.length > searchedBytes
  if (fields.decoded !== null) {
    const { decoded } = fields
    const whole = cut ? null : bytesOrNull(() => bytes(decoded))
    const text = whole && whole.length <= searchedBytes ? textOf(whole) : null
    return text === null ? null : { text, cut }
  }
  const text = textOf(cut ? withoutTornEnd(kept.subarray(0, searchedBytes)) : kept)
  return text === null ? null : { text, cut }
}

/** The body as it came, as the payload that it should be. Never throws. */
export function parsedBody(content: Content): ParsedBody {
  const kept = keptBody(content)
  if (kept === null || kept.length === 0) return { kind: 'empty' }
  const text = textOf(kept)
  return text === null ? { kind: 'not_utf8' } : parseText(text)
}

/** The payload with the encoding of the body undone; null where there is none. */
export function payloadOf(content: Content): Payload | null {
  const searched = searchedBody(content)
  const parsed = searched === null || searched.cut ? null : parseText(searched.text)
  return parsed?.kind === 'object' ? parsed.payload : null
}

/** Every header that came, a line each. */
export function headerLines({ headers, trailers }: PageContent): string {
  return [...headers, ...trailers].map(([name, value]) => `${name}: ${value}`).join('\n')
}

function bytesOrNull(read: () => Uint8Array): Uint8Array | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/** Without the character that the end of the slice has cut in two: its first byte is at most three before the end. */
function withoutTornEnd(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= 3; back += 1) {
    const byte = bytes.at(-back) ?? 0
    if (byte >= 0xc0) return bytes.subarray(0, -back)
    if (byte < 0x80) break
  }
  return bytes
}
