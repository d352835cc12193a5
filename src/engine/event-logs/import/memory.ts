import { isAscii } from 'node:buffer'
import { jsonToken, JsonTokenizer } from '#shared/json/tokenizer.ts'
import { AppError } from '../../platform/errors.ts'

/**
 * Most of the heap that an import takes, in bytes: what a file is may not decide how much memory is taken. It is counted here, by what the
 * JSON holds before it is parsed. The resource limits of a thread come second: V8 alone keeps them, and whoever embeds it may not.
 */
export const mostHeap = 768 * 1024 * 1024

/** Of a value once it is parsed, and checked by a schema, beside the characters of its strings, in bytes. */
const perValue = 96

/** What can be told of JSON without parsing it. */
export interface JsonShape {
  /** How deep its brackets nest; no deeper than `deepest` + 1 is looked. */
  readonly depth: number
  /** At most as many values, and names of members, as it holds. */
  readonly values: number
}

/** Brackets and commas in strings do not count. Never throws. */
export function jsonShape(json: Uint8Array, deepest: number): JsonShape {
  const tokens = new JsonTokenizer(
    Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString('latin1'),
  )
  let depth = 0
  let reached = 0
  let values = 1
  for (let kind = tokens.next(); kind !== jsonToken.end; kind = tokens.next()) {
    if (kind === jsonToken.objectOpen || kind === jsonToken.arrayOpen) {
      values += 1
      depth += 1
      reached = Math.max(reached, depth)
      if (reached > deepest) break
    } else if (kind === jsonToken.objectClose || kind === jsonToken.arrayClose) {
      depth -= 1
    } else if (kind === jsonToken.comma || kind === jsonToken.colon) {
      values += 1
    }
  }
  return { depth: reached, values }
}

/** What this JSON takes of the heap at most while it is parsed, in bytes: its text, and what comes of it. */
export function heapOf(
  json: Buffer,
  { values }: JsonShape = jsonShape(json, Number.POSITIVE_INFINITY),
): number {
  // One character beyond Latin-1 makes all of a string twice as long.
  const width = isAscii(json) && !json.includes('\\u') ? 1 : 2
  return 2 * width * json.byteLength + perValue * values
}

/** Throws `log_unreadable` where so much is not to be taken, in bytes. */
export function assertFits(heap: number): void {
  if (heap > mostHeap) throw tooMuchMemory()
}

export function tooMuchMemory(): AppError {
  return new AppError(
    'log_unreadable',
    'The file needs more memory than an event log may take. It is damaged, or was made to fill the memory.',
  )
}
