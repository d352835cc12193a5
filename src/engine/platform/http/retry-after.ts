import { formatDuration, quoteForeign } from '#shared/text/format.ts'
import type { HttpResponse } from './http.ts'

/** Empty if there is none. */
export function headerOf({ headers }: Pick<HttpResponse, 'headers'>, wanted: string): string {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1].trim() ?? ''
}

/** `Retry-After` (RFC 9110, section 10.2.3) as part of a sentence, and in milliseconds from now, null if it is invalid. Null without the header. */
export function retryAfterOf(
  response: Pick<HttpResponse, 'headers'>,
  now: number,
): { words: string; ms: number | null } | null {
  const written = headerOf(response, 'retry-after')
  if (written === '') return null
  const from = Date.parse(headerOf(response, 'date'))
  // A date is compared with the clock of the service.
  const ms = /^\d{1,8}$/.test(written)
    ? Number(written) * 1000
    : Date.parse(written) - (Number.isNaN(from) ? now : from)
  // Words around a date are read over by `Date.parse`.
  const isPlain = /^(?:\d{1,8}|\w{3,9}, \d\d[ -]\w{3}[ -]\d{2,4} [\d:]{8} GMT)$/.test(written)
  const shown = isPlain ? written : quoteForeign(written.slice(0, 60))
  if (Number.isNaN(ms)) return { words: `Retry-After: ${shown}`, ms: null }
  return {
    words: `${formatDuration(Math.max(0, ms))} (Retry-After: ${shown})`,
    ms: Math.max(0, ms),
  }
}
