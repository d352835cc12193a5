import type { Clock } from '../../platform/clock.ts'
import { formatDuration } from '#shared/text/format.ts'
import { AppError } from '../../platform/errors.ts'
import { retryAfterOf } from '../../platform/http/retry-after.ts'
import type { SenderParts } from '../parts.ts'
import type { WireOutcome } from '../wire/exchange.ts'
import { maxRetryAfterMs, type RunParts, type TryOutcome, type TryResult } from './target-queue.ts'
import type { ForwardTarget } from '#contract/endpoint-rules.ts'
import type { Captured } from '../../deliveries/store.ts'
import { attemptFields, exchange, reachedListener } from '../attempt-fields.ts'
import { prepareResend, prepareVersion } from '../prepare/prepare.ts'
import { type ForwardVersion, type ForwardVersions, unchanged } from './versions.ts'
import { parseTarget, pointsToSelf, loopMessage } from '../target.ts'
import { notSent } from '../wire/wire.ts'

const maxAttempts = 1000
const maxBytes = 32 * 1024 * 1024

/** Delays sending while too many attempts are not stored yet, so that a slow disk does not use up memory. */
export class Backlog {
  #attempts = 0
  #bytes = 0
  #freed = Promise.withResolvers<void>()

  add(bytes: number, stored: Promise<unknown>): void {
    this.#attempts += 1
    this.#bytes += bytes
    const free = (): void => {
      this.#attempts -= 1
      this.#bytes -= bytes
      if (this.isFull) return
      this.#freed.resolve()
      this.#freed = Promise.withResolvers()
    }
    stored.then(free, free)
  }

  get isFull(): boolean {
    return this.#attempts >= maxAttempts || this.#bytes >= maxBytes
  }

  /** Resolves when there is room again or `signal` is aborted. */
  async room(signal: AbortSignal): Promise<void> {
    const aborted = Promise.withResolvers<void>()
    const abort = (): void => aborted.resolve()
    signal.addEventListener('abort', abort, { once: true })
    while (this.isFull && !signal.aborted)
      await Promise.race([this.#freed.promise, aborted.promise])
    signal.removeEventListener('abort', abort)
  }
}

/** Returns a function that forwards one stored delivery once. */
export function createAttempt(
  parts: SenderParts,
  backlog: Backlog,
  clock: Clock,
  versions: ForwardVersions,
): RunParts['attempt'] {
  return async (target, id, tryNumber, signal): Promise<TryOutcome> => {
    await backlog.room(signal)
    try {
      const captured = parts.captured(id)
      if (!captured) return { kind: 'deleted' }
      const made = versions.isPlain(target) ? unchanged : await versions.of(target, captured)
      if (made.kind === 'held') return { kind: 'held' }
      if (made.kind !== 'send') return { kind: 'unsendable', reason: made.reason }
      const of = { kind: 'forward', at: clock.now(), tryNumber, signal } as const
      const outcome = await forwardDelivery(parts, backlog, captured, target, made.version, of)
      const asked = outcome.response && retryAfterOf(outcome.response, clock.now())
      const more = { mayRetry: mayRetry(outcome), askedMs: asked?.ms ?? 0 }
      return { kind: 'tried', ...resultOf(outcome), ...more }
    } catch (error) {
      return { kind: 'unsendable', reason: sentenceOf(error) }
    }
  }
}

export function resultOf({ response, error }: WireOutcome): TryResult {
  return { status: response?.status ?? null, error: error?.message ?? null }
}

/** Whether a retry may succeed: after a server error, 429 (RFC 6585, 4) or an incomplete response, but not if the request cannot be sent. */
function mayRetry({ response, error }: WireOutcome): boolean {
  switch (error?.code) {
    case 'invalid_request':
    case 'unconfirmed':
    case 'gone':
      return false
    case undefined:
      return response !== null && (response.status >= 500 || response.status === 429)
    default:
      return true
  }
}

export function sentenceOf(error: unknown): string {
  return error instanceof AppError
    ? error.message
    : 'The delivery could not be sent because of an internal error. Resend it manually.'
}

const loopNote =
  'The target is the Tabscope listener, which received the delivery again. It is not forwarded any further.'

function waitNotes({ response }: WireOutcome, now: number): string[] {
  const asked = response && retryAfterOf(response, now)
  if (!asked) return []
  const { words, ms } = asked
  const more =
    ms === null
      ? ' That is neither seconds nor a date.'
      : ms > maxRetryAfterMs
        ? ` Tabscope waits at most ${formatDuration(maxRetryAfterMs)}.`
        : ''
  return [`The target asks to wait before the next attempt: ${words}.${more}`]
}

/** Forwards a delivery, and records the attempt. Throws, without sending, if the request cannot be prepared. */
export async function forwardDelivery(
  parts: SenderParts,
  backlog: Backlog,
  captured: Captured,
  target: ForwardTarget,
  { content, notes, scriptFailed }: ForwardVersion,
  of: {
    kind: 'forward' | 'pass_through'
    at: number
    tryNumber: number
    signal: AbortSignal
  },
): Promise<WireOutcome> {
  const { configuration, recorder } = parts
  const prepared = content
    ? prepareVersion(content, captured, configuration)
    : prepareResend(
        captured,
        {
          url: parseTarget(target.url),
          sign: { how: 'keep' },
          edits: { headers: [], body: null },
        },
        configuration,
      )
  const { url } = prepared.request
  // A tunnel may have been opened after the target was added. Deliveries that return through it would not be recognized as ours.
  const outcome = pointsToSelf(url, configuration.publicAddresses)
    ? notSent({ code: 'invalid_request', message: loopMessage(url) })
    : await exchange(parts, prepared, {
        timeout: target.timeoutMs,
        insecure: false,
        keepAlive: true,
        own: 'forward',
        signal: of.signal,
      })
  const fields = attemptFields(prepared, outcome, {
    kind: of.kind,
    deliveryId: captured.id,
    forwardId: target.id,
    at: of.at,
    tryNumber: of.tryNumber,
    notes: [
      ...notes,
      ...(reachedListener(parts, outcome) ? [loopNote] : []),
      ...waitNotes(outcome, of.at),
    ],
    scriptFailed,
  })
  backlog.add(outcome.response?.body.byteLength ?? 0, recorder.note(fields))
  return outcome
}
