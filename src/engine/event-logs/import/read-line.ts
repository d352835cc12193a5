import type { z } from 'zod'
import { LogLine, longestLine } from '#contract/event-log.ts'
import { describeInputIssue } from '#contract/input-issues.ts'
import { isObject, type JsonObject, parseJson } from '#shared/json/object.ts'
import { outOfBounds } from './line-limits.ts'
import { assertFits, estimateHeap, jsonShape } from './memory.ts'

/** A parsed line, or why it is invalid, as the end of a sentence. */
export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string }

/** Shorter lines cannot nest too deeply or need too much memory. */
const uncheckedBytes = 64 * 1024
/** Lines written by Tabscope never nest deeper, because bodies are strings in them. */
const maxDepth = 100

/** Parses a JSON object. Throws `log_unreadable` if it would need too much memory; never throws for other invalid input. */
export function readObject(bytes: Buffer, maxLength = longestLine): Read<JsonObject> {
  if (bytes.byteLength > uncheckedBytes) {
    const shape = jsonShape(bytes, maxDepth)
    if (shape.depth > maxDepth) {
      return { ok: false, problem: `it nests deeper than ${maxDepth} levels` }
    }
    assertFits(estimateHeap(bytes, shape))
  }
  // An editor may have added a byte order mark.
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  if (text.length > maxLength) return { ok: false, problem: 'it is too long' }
  const value = parseJson(text)
  if (value === undefined) return { ok: false, problem: 'it is not JSON' }
  return isObject(value) ? { ok: true, value } : { ok: false, problem: 'it is not a JSON object' }
}

export function readLogLine(value: JsonObject): Read<z.infer<typeof LogLine>> {
  const parsed = LogLine.safeParse(value)
  if (!parsed.success) return { ok: false, problem: describeIssue(parsed.error) }
  const problem = outOfBounds(parsed.data)
  return problem === null ? { ok: true, value: parsed.data } : { ok: false, problem }
}

/** In our own words: the text of a validation library says nothing to users. */
export function describeIssue(error: z.ZodError): string {
  const [issue] = error.issues
  const path = issue?.path.map(String).join('.').slice(0, 200) ?? ''
  if (!issue || path === '') return 'it does not match the format'
  return path === 'kind' && issue.code === 'invalid_union'
    ? 'its kind is unknown'
    : `${path}: ${describe(issue).slice(0, 200)}`
}

/** As the end of a sentence. */
function describe(issue: z.core.$ZodIssue): string {
  const text = issue.code === 'custom' ? issue.message : describeInputIssue(issue)
  return text.replace(/\.$/, '')
}
