import type { z } from 'zod'
import { LogLine, longestLine } from '#contract/event-log.ts'
import { isObject, type JsonObject } from '#shared/json/object.ts'
import { outOfBounds } from './bounds.ts'
import { assertFits, heapOf, jsonShape } from './memory.ts'

/** What a line says, or why it cannot be read, as half a sentence. */
export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly why: string }

/** Lines up to this length can neither nest so deep nor hold so much that it matters, in bytes. */
const small = 64 * 1024
/** No line of ours nests deeper: bodies are text in it. */
const deepest = 100

/** Throws `log_unreadable` for what would take too much memory, and for nothing else, however deep and whatever the line is. */
export function readObject(bytes: Buffer, longest = longestLine): Read<JsonObject> {
  if (bytes.byteLength > small) {
    const shape = jsonShape(bytes, deepest)
    if (shape.depth > deepest) {
      return { ok: false, why: `it nests deeper than ${deepest} levels` }
    }
    assertFits(heapOf(bytes, shape))
  }
  const text = bytes.toString('utf8')
  if (text.length > longest) return { ok: false, why: 'it is too long' }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { ok: false, why: 'it is not JSON' }
  }
  return isObject(value) ? { ok: true, value } : { ok: false, why: 'it is no JSON object' }
}

/** Holds an object against the format. */
export function readLogLine(value: JsonObject): Read<z.infer<typeof LogLine>> {
  const parsed = LogLine.safeParse(value)
  if (!parsed.success) return { ok: false, why: whyNot(parsed.error) }
  const why = outOfBounds(parsed.data)
  return why === null ? { ok: true, value: parsed.data } : { ok: false, why }
}

/** The first thing that is wrong, with its place. */
export function whyNot(error: z.ZodError): string {
  const [issue] = error.issues
  if (!issue) return 'it does not fit'
  const place = issue.path.map(String).join('.').slice(0, 200)
  return place === 'kind' && issue.code === 'invalid_union'
    ? 'its kind is not known'
    : `${place === '' ? '' : `${place}: `}${issue.message.slice(0, 200)}`
}
