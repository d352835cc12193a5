import type { LogAttempt, LogLine } from '#contract/event-log.ts'
import type { Header } from '#contract/models.ts'
import { keptRehearsalBytes } from '#contract/constants.ts'

/** Ids are assigned consecutively, so no real store reaches this one. Scans that go by blocks of ids rely on ids being small. */
const highestId = 2 ** 32
export const lastMs = 253_402_300_799_999
/** In characters. Base64, aliases and masks make the body of a rehearsal's request longer. */
const longestBody = 4 * keptRehearsalBytes
const headerProblem = 'it has a header with a line break'

/** What the schema cannot express. Returns why the line is skipped, as the end of a sentence, or null. */
export function outOfBounds(line: LogLine): string | null {
  switch (line.kind) {
    case 'delivery': {
      if (line.id > highestId) return `its id ${line.id} is too high`
      if (!isTime(line.receivedAt)) return 'it has an invalid time'
      if (line.createdAt !== null && Math.abs(line.createdAt) > lastMs) {
        return 'createdAt is not a valid time'
      }
      if (line.responseMs !== null && Math.abs(line.responseMs) > lastMs) {
        return 'responseMs is not a valid duration'
      }
      if (!areStorable(line.headers) || !areStorable(line.trailers)) return headerProblem
      return line.attempts.map(attemptOutOfBounds).find((problem) => problem !== null) ?? null
    }
    case 'attempt':
      return attemptOutOfBounds(line.attempt)
    case 'token':
      return [line.obtainedAt, ...line.events.map(({ at }) => at)].every(isTime)
        ? null
        : 'it has an invalid time'
    case 'run':
      return isTime(line.run.startedAt) && isTime(line.run.endedAt ?? 0)
        ? null
        : 'it has an invalid time'
    case 'rehearsal':
      if (line.rehearsal.id > highestId) return `its id ${line.rehearsal.id} is too high`
      return isTime(line.rehearsal.startedAt) && isTime(line.rehearsal.endedAt ?? 0)
        ? null
        : 'it has an invalid time'
    case 'rehearsal_case':
      return /^[A-Z]\d{1,3}$/.test(line.result.id) ? null : 'the id of the case is invalid'
    case 'rehearsal_request':
      return [line.request.body, line.request.responseBody].every(
        (body) => ('text' in body ? body.text : body.base64).length <= longestBody,
      )
        ? null
        : 'a body is too large'
    case 'head':
    case 'integration':
    case 'endpoint':
    case 'part':
    case 'end':
      return null
  }
}

function attemptOutOfBounds({ id, sentAt, request }: LogAttempt): string | null {
  if (id > highestId) return 'the id of an attempt is too high'
  if (!isTime(sentAt)) return 'it has an invalid time'
  return areStorable(request.headers) && areStorable(request.trailers) ? null : headerProblem
}

export function isTime(ms: number): boolean {
  return ms >= 0 && ms <= lastMs
}

/** The store joins headers by line feeds. */
export function areStorable(headers: readonly Header[]): boolean {
  return headers.every(([name, value]) => !name.includes('\n') && !value.includes('\n'))
}
