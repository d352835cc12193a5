import type { StatusExpectation, Variant } from '#catalogue/rehearsal/define.ts'
import { plural } from '#shared/text/format.ts'
import type { RehearsalLevel, RehearsalOptions, RehearsalResult } from '#contract/rehearsal.ts'

export interface Received {
  readonly status: number | null
  /** A sentence; null if there is a complete response. */
  readonly error: string | null
  /** The connection was closed on purpose before the response. */
  readonly stopped: boolean
  /** The handler closed the connection before its response was complete. */
  readonly closed: boolean
  /** False: the response was received before the complete request was sent. */
  readonly bodySent: boolean
  readonly durationMs: number
}

export interface Judgement {
  readonly result: RehearsalResult
  readonly reason: string | null
}

const passed: Judgement = { result: 'pass', reason: null }

const severity: readonly RehearsalResult[] = ['pass', 'skipped', 'review', 'warn', 'flaky', 'fail']

/** The first of those that are equally bad. */
export function worst<T extends { readonly result: RehearsalResult }>(
  judgements: readonly T[],
): T | undefined {
  return judgements.toSorted((a, b) => severity.indexOf(b.result) - severity.indexOf(a.result))[0]
}

/** "204", "connection refused" … */
export function describeReceived({ status, error, stopped }: Received): string {
  if (stopped && status === null) return 'connection closed on purpose'
  return status === null ? (error ?? 'no response') : String(status)
}

/** "401", "200, 200 and 8 more" … */
export function summarize(received: readonly string[]): string {
  const distinct = [...new Set(received)]
  if (distinct.length === 1 && received.length > 1) return `${received.length} times ${distinct[0]}`
  const shown = received.slice(0, 3).join(', ')
  return received.length > 3 ? `${shown} and ${received.length - 3} more` : shown
}

export function isAccepted(
  { status }: Received,
  { accept }: Pick<RehearsalOptions, 'accept'>,
): boolean {
  if (status === null) return false
  return accept.length === 0 ? status >= 200 && status < 300 : accept.includes(status)
}

function judgeStatus(
  expected: StatusExpectation,
  received: Received,
  options: Pick<RehearsalOptions, 'accept' | 'acknowledgesFirst'>,
  serverError: Variant['serverError'],
): Judgement {
  const { status, stopped } = received
  if (expected === 'none' || (stopped && status === null)) return passed
  if (expected === 'refuse') return judgeRefusal(received, options)
  if (status === null) {
    return { result: 'fail', reason: `There was no response: ${received.error ?? 'unknown'}` }
  }
  const accepted = isAccepted(received, options)
  switch (expected) {
    case 'accept':
      if (accepted) return passed
      return {
        result: 'fail',
        reason:
          status >= 200 && status < 300
            ? `It responded with ${status} to a valid delivery, and only ${options.accept.join(', ')} is accepted (--accept).`
            : `It responded with ${status} to a valid delivery.`,
      }
    case 'reject':
    case 'reject-or-acknowledge':
      if (status >= 400 && status < 500) return passed
      if (accepted && options.acknowledgesFirst) {
        if (expected === 'reject-or-acknowledge') return passed
        return {
          result: 'review',
          reason:
            'The handler acknowledges before it verifies, so that the status proves nothing. Add an observer.',
        }
      }
      if (status >= 500) {
        return {
          result: serverError ?? 'fail',
          reason: `It responded with ${status} instead of rejecting the request with 4xx.`,
        }
      }
      return {
        result: 'fail',
        reason: accepted
          ? `It accepted the request with ${status}.`
          : `It responded with ${status} instead of 4xx.`,
      }
    case 'no-server-error':
      if (status < 500) return passed
      return { result: 'fail', reason: `It failed with ${status}.` }
    case 'accept-or-too-large':
      if (accepted || status === 413) return passed
      return { result: 'fail', reason: `It responded with ${status} instead of 2xx or 413.` }
    case 'not-allowed':
      if (status === 404 || status === 405) return passed
      if (status >= 500 || accepted) {
        return { result: 'fail', reason: `It responded with ${status} instead of 404 or 405.` }
      }
      return { result: 'warn', reason: `It responded with ${status} instead of 404 or 405.` }
  }
}

function judgeRefusal(
  received: Received,
  options: Pick<RehearsalOptions, 'accept' | 'acknowledgesFirst'>,
): Judgement {
  const judgement = received.closed ? passed : judgeStatus('reject', received, options, undefined)
  if (judgement.result !== 'pass' || !received.bodySent) return judgement
  return {
    result: 'warn',
    reason: 'It read the complete body before it refused it. Limit the size of bodies.',
  }
}

export function judgeResponses(
  { expect, serverError, meaning }: Variant,
  received: readonly (readonly Received[])[],
  options: Pick<RehearsalOptions, 'accept' | 'acknowledgesFirst'>,
): Judgement {
  const judgements = received.flatMap((step, index) => {
    const expected = typeof expect === 'string' ? expect : (expect[index] ?? 'none')
    return step.map((each) => {
      const judgement = judgeStatus(expected, each, options, serverError)
      const said = judgement.result === 'fail' && meaning ? ` ${meaning(each.status)}` : ''
      return { ...judgement, reason: judgement.reason && `${judgement.reason}${said}` }
    })
  })
  return worst(judgements) ?? passed
}

/** `before` and `after` are null if they could not be read. */
export function judgeEffects(
  expected: number,
  before: number | null,
  after: number | null,
): Judgement {
  if (before === null || after === null) {
    return {
      result: 'review',
      reason: 'The observer could not be read. Check the effects yourself.',
    }
  }
  const effects = after - before
  if (effects === expected) return passed
  return {
    result: 'fail',
    reason: `The observer went from ${before} to ${after}: ${plural(effects, 'effect', 'effects')} instead of ${expected}.`,
  }
}

/** An effect that could not be observed. A wrong response still fails. */
export const unobserved: Judgement = {
  result: 'review',
  reason: 'The status cannot show the effect. Add an observer, or check the effects yourself.',
}

/** Compares with the effects of an earlier variant. If neither had any, that proves nothing. */
export function judgeSameEffects(
  expected: number,
  before: number | null,
  after: number | null,
): Judgement {
  const judged = judgeEffects(expected, before, after)
  if (judged.result !== 'pass' || expected !== 0) return judged
  return {
    result: 'review',
    reason: 'The observer does not count these events. Check the effects yourself.',
  }
}

/** A case of level INFO never fails: what would have failed is a warning. */
export function atLevel(level: RehearsalLevel, judgement: Judgement): Judgement {
  if (level !== 'INFO' || judgement.result === 'pass') return judgement
  if (judgement.result === 'review') return passed
  return { ...judgement, result: judgement.result === 'fail' ? 'warn' : judgement.result }
}
