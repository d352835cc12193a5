import type { LogAttempt, LogLine } from '#contract/event-log.ts'
import type { Header } from '#contract/models.ts'

/** Numbers are given one after the other: no store has come as far as this, and what is counted by blocks of them must stay small. */
const highestId = 2 ** 32
/** The last millisecond of the year 9999. */
const lastMs = 253_402_300_799_999
const brokenHeader = 'it has a header with a line break'

/** What a schema cannot say, and no log of ours holds: why the line is left out, as half a sentence. Null: it is fine. */
export function outOfBounds(line: LogLine): string | null {
  switch (line.kind) {
    case 'delivery': {
      if (line.id > highestId) return `its number ${line.id} is too high`
      if (!isTime(line.receivedAt)) return 'it has a time that cannot be'
      if (line.createdAt !== null && Math.abs(line.createdAt) > lastMs) {
        return 'createdAt is no time'
      }
      if (line.answeredIn !== null && Math.abs(line.answeredIn) > lastMs) {
        return 'answeredIn is no duration'
      }
      if (!areHeaders(line.headers) || !areHeaders(line.trailers)) return brokenHeader
      return line.attempts.map(attemptOutOfBounds).find((why) => why !== null) ?? null
    }
    case 'attempt':
      return attemptOutOfBounds(line.attempt)
    case 'token':
      return [line.obtainedAt, ...line.events.map(({ at }) => at)].every(isTime)
        ? null
        : 'it has a time that cannot be'
    case 'run':
      return isTime(line.run.startedAt) && isTime(line.run.endedAt ?? 0)
        ? null
        : 'it has a time that cannot be'
    case 'head':
    case 'integration':
    case 'endpoint':
    case 'part':
    case 'end':
      return null
  }
}

function attemptOutOfBounds({ id, at, request }: LogAttempt): string | null {
  if (id > highestId) return 'an attempt has a number too high'
  if (!isTime(at)) return 'it has a time that cannot be'
  return areHeaders(request.headers) && areHeaders(request.trailers) ? null : brokenHeader
}

/** Between 1970 and the year 10,000. */
export function isTime(ms: number): boolean {
  return ms >= 0 && ms <= lastMs
}

/** The store keeps them joined by line feeds, which no header can hold. */
function areHeaders(headers: readonly Header[]): boolean {
  return headers.every(([name, value]) => !name.includes('\n') && !value.includes('\n'))
}
