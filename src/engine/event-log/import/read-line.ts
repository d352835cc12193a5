import type { z } from 'zod'
import { LogLine, longestLine } from '#contract/event-log.ts'
import { isObject, type JsonObject } from '../../capture/json-object.ts'
import { outOfBounds } from './bounds.ts'

/** What a line says, or why it cannot be read, as half a sentence. */
export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly why: string }

/** Lines up to this length cannot nest so deep that it matters, in bytes. */
const shallow = 64 * 1024
/** No line of ours nests deeper: bodies are text in it. */
const deepest = 100

/** Never throws, however deep and whatever the line is. */
export function readObject(bytes: Buffer, longest = longestLine): Read<JsonObject> {
  if (bytes.byteLength > shallow && nestsDeeper(bytes, deepest)) {
    return { ok: false, why: `it nests deeper than ${deepest} levels` }
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

const quote = 0x22
const backslash = 0x5c

/** Brackets in strings do not count. */
function nestsDeeper(bytes: Buffer, limit: number): boolean {
  let depth = 0
  for (let at = 0; at < bytes.byteLength; at += 1) {
    const byte = bytes[at]
    if (byte === quote) {
      at = endOfString(bytes, at + 1)
    } else if (byte === 0x7b || byte === 0x5b) {
      depth += 1
      if (depth > limit) return true
    } else if (byte === 0x7d || byte === 0x5d) {
      depth -= 1
    }
  }
  return false
}

/** Where the string that begins at `from` has its closing quote. */
function endOfString(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(quote, from)
  while (at !== -1) {
    let before = at - 1
    while (before >= from && bytes[before] === backslash) before -= 1
    if ((at - 1 - before) % 2 === 0) return at
    at = bytes.indexOf(quote, at + 1)
  }
  return bytes.byteLength
}
