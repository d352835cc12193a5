import type { z } from 'zod'
import { type LogAttempt, LogLine } from '#contract/event-log.ts'
import { describeInputIssue } from '#contract/input-issues.ts'
import type { Header } from '#contract/models.ts'
import { isObject, type JsonObject, parseJson } from '#shared/json/object.ts'

export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string }

/** Parses a JSON object. Never throws for invalid input. */
export function readObject(bytes: Buffer): Read<JsonObject> {
  // An editor may have added a byte order mark.
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
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

function describe(issue: z.core.$ZodIssue): string {
  const text = issue.code === 'custom' ? issue.message : describeInputIssue(issue)
  return text.replace(/\.$/, '')
}

/** IDs are assigned consecutively, so no real store reaches this one. Scans that go by blocks of IDs rely on IDs being small. */
const highestId = 2 ** 32
/** The end of the year 9999. */
export const lastMs = 253_402_300_799_999

/** What the schema cannot express. Returns why the line is skipped, as the end of a sentence, or null. */
export function outOfBounds(line: LogLine): string | null {
  const wrong = outOfRange(line)
  if (wrong !== null) return `it has an invalid time (${wrong})`
  switch (line.kind) {
    case 'delivery': {
      const { id, attempts } = line
      return (
        boundsProblem(id, [...line.headers, ...line.trailers]) ??
        attempts.map(attemptProblem).find((problem) => problem !== null) ??
        null
      )
    }
    case 'attempt':
      return attemptProblem(line.attempt)
    case 'rehearsal':
      return boundsProblem(line.rehearsal.id)
    case 'rehearsal_case':
      return /^[A-Z]\d{1,3}$/.test(line.result.id) ? null : 'the id of the case is invalid'
    case 'token':
    case 'run':
    case 'rehearsal_request':
    case 'head':
    case 'integration':
    case 'endpoint':
    case 'part':
    case 'end':
      return null
  }
}

/** The name of the first time or duration that no date can have. Only times of a payload may be before 1970. */
function outOfRange(value: unknown, name = ''): string | null {
  if (typeof value === 'number') {
    const isMoment = /At$|^at$/.test(name) && !/^(?:created|opened)At$/.test(name)
    const isInRange = isMoment ? isTime(value) : Math.abs(value) <= lastMs
    return isInRange || !/(?:At|Ms)$|^(?:at|from|to)$/.test(name) ? null : name
  }
  if (typeof value !== 'object' || value === null) return null
  for (const [key, each] of Object.entries(value)) {
    const wrong = outOfRange(each, key)
    if (wrong !== null) return wrong
  }
  return null
}

function attemptProblem({ id, request }: LogAttempt): string | null {
  return boundsProblem(id, [...request.headers, ...request.trailers])
}

function boundsProblem(id: number, headers: readonly Header[] = []): string | null {
  if (id > highestId) return 'its id is too high'
  return areStorable(headers) ? null : 'it has a header with a line break'
}

export function isTime(ms: number): boolean {
  return ms >= 0 && ms <= lastMs
}

/** The store joins headers by line feeds. */
export function areStorable(headers: readonly Header[]): boolean {
  return headers.every(([name, value]) => !name.includes('\n') && !value.includes('\n'))
}
