import { withoutPartialCharacter } from '#shared/bytes/text.ts'
import type { Payload } from '#catalogue/payload.ts'
import type { PageContent } from '#contract/log-page.ts'
import { parseText, type ParsedBody } from '#engine/capture/parse-text.ts'
import { searchedBytes } from '#engine/search/indexer/limits.ts'
import { AppError } from '#engine/platform/errors.ts'
import type { Content } from './content.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Decodes UTF-8 without a byte order mark; null for other bytes. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

/** Returns the stored body; null if it is not available. */
export function keptBody({ fields, bytes }: Content): Uint8Array | null {
  return bytesOrNull(() => bytes(fields.body))
}

/** Returns the searched part of a body, like Tabscope's search index: the first MiB, decoded if the decoded size is small enough. */
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
  const text = textOf(cut ? withoutPartialCharacter(kept.subarray(0, searchedBytes)) : kept)
  return text === null ? null : { text, cut }
}

/** Parses the received body as a payload. Never throws. */
export function parsedBody(content: Content): ParsedBody {
  const kept = keptBody(content)
  if (kept === null || kept.length === 0) return { kind: 'empty' }
  const text = textOf(kept)
  return text === null ? { kind: 'not_utf8' } : parseText(text)
}

/** Returns the payload of the decoded body; null if there is none. */
export function payloadOf(content: Content): Payload | null {
  const searched = searchedBody(content)
  const parsed = searched === null || searched.cut ? null : parseText(searched.text)
  return parsed?.kind === 'object' ? parsed.payload : null
}

/** Returns all received headers, one per line. */
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
