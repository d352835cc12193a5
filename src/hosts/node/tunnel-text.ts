import type { SizeStep, TunnelSpan, TunnelView, TunnelWarning } from '#contract/tunnel.ts'
import { printable } from '../printable.ts'
import { sizeText } from './text.ts'

/** The state of the tunnel as an object of `--json`; `endpoint`: the webhook URL there, or null. */
export function tunnelEvent(view: TunnelView, slug: string | null): object {
  const { state, url, cause, reason, since, nextTryAt, failures, using, browser, warnings } = view
  return {
    event: 'tunnel',
    state,
    url,
    endpoint: endpointAt(url, slug),
    cause,
    reason,
    since,
    nextTryAt,
    failures,
    provider: using?.provider ?? null,
    browser,
    warnings,
  }
}

/** The same for people: the state, where, why, and what is to be known. */
export function tunnelLines(view: TunnelView, slug: string | null): string[] {
  const { state, url, reason, warnings } = view
  const where = endpointAt(url, slug) ?? url
  return [
    `Tunnel ${state}${where === null ? '' : `: ${printable(where)}`} – ${printable(reason)}`,
    ...warnings.map((warning) => `  Mind: ${printable(warningSentence(warning, slug))}`),
  ]
}

/** Since when it is so. Both in milliseconds since the epoch. */
export function sinceLine(since: number, now: number): string {
  return `  Since ${new Date(since).toISOString()} (${durationText(Math.max(0, now - since))})`
}

function endpointAt(url: string | null, slug: string | null): string | null {
  return url === null || slug === null ? null : `${url}/hooks/${slug}`
}

function warningSentence(warning: TunnelWarning, slug: string | null): string {
  switch (warning.kind) {
    case 'assigned': {
      const whose = warning.by === 'user' ? 'asked for' : 'had the last time'
      return `${warning.got} was assigned, not ${warning.asked} as ${whose}. Whoever sends to the old address does not reach you.`
    }
    case 'address_changed':
      return `the dashboard still has the old one, ${warning.old}. Give it ${endpointAt(warning.now, slug) ?? warning.now}.`
  }
}

/** What is to be known of an address where a browser gets another page first. */
export const pageInBetween =
  '  Mind: a browser gets a page of the tunnel’s server first. Webhooks pass; the redirect of an authorization cannot come this way.'

/** One size that was tried, for people. */
export function sizeLine({ bytes, outcome, status, ms, reason }: SizeStep): string {
  const parts = [
    sizeText(bytes).padStart(10),
    outcome.padEnd(8),
    (status === null ? '' : String(status)).padEnd(3),
    `${Math.round(ms)} ms`,
    printable(reason ?? ''),
  ]
  return parts.join('  ').trimEnd()
}

/** One stretch of the history, for people. */
export function spanLine({ from, to, state, reason, url }: TunnelSpan): string {
  const parts = [
    new Date(from).toISOString(),
    state.padEnd(12),
    durationText(to - from).padStart(9),
    printable(url ?? '-'),
    printable(reason),
  ]
  return parts.join('  ')
}

function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
