import { isAscii } from 'node:buffer'
import { jsonToken, JsonTokenizer } from '#shared/json/tokenizer.ts'
import { AppError } from '../../platform/errors.ts'

/**
 * Whatever the file contains: memory for JSON is estimated before parsing it. The resource limits of the thread are only a second line of defense,
 * because programs that embed V8 may ignore them.
 */
export const maxHeap = 768 * 1024 * 1024

/** After parsing and validation, without the characters of strings. */
const bytesPerValue = 96

export interface JsonShape {
  /** Counting stops at `depthLimit` + 1. */
  readonly depth: number
  /** Includes member names. Can be too low if counting stopped. */
  readonly values: number
}

/** Ignores brackets and commas in strings. Never throws. */
export function jsonShape(json: Uint8Array, depthLimit: number): JsonShape {
  const tokens = new JsonTokenizer(
    Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString('latin1'),
  )
  let depth = 0
  let maxDepth = 0
  let values = 1
  for (let kind = tokens.next(); kind !== jsonToken.end; kind = tokens.next()) {
    if (kind === jsonToken.objectOpen || kind === jsonToken.arrayOpen) {
      values += 1
      depth += 1
      maxDepth = Math.max(maxDepth, depth)
      if (maxDepth > depthLimit) break
    } else if (kind === jsonToken.objectClose || kind === jsonToken.arrayClose) {
      depth -= 1
    } else if (kind === jsonToken.comma || kind === jsonToken.colon) {
      values += 1
    }
  }
  return { depth: maxDepth, values }
}

/** The maximum for the text and its parsed values, in bytes. */
export function estimateHeap(
  json: Buffer,
  { values }: JsonShape = jsonShape(json, Number.POSITIVE_INFINITY),
): number {
  // A single character outside Latin-1 doubles the size of the complete string.
  const bytesPerCharacter = isAscii(json) && !json.includes('\\u') ? 1 : 2
  return 2 * bytesPerCharacter * json.byteLength + bytesPerValue * values
}

export function assertFits(heap: number): void {
  if (heap > maxHeap) throw tooMuchMemory()
}

export function tooMuchMemory(): AppError {
  return new AppError(
    'log_unreadable',
    'The file needs more memory than the limit for event logs. It is damaged, or was made to exhaust memory.',
  )
}
