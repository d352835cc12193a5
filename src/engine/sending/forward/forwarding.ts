import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import type { SenderParts } from '../parts.ts'
import type { WireOutcome } from '../wire/exchange.ts'
import type { RunParts, TryOutcome } from './run.ts'
import type { Tried } from './target-health.ts'
import type { ForwardTarget } from '#contract/answering.ts'
import { keptAnswerBytes } from '#contract/sending.ts'
import type { Captured } from '../../deliveries/store.ts'
import { attemptFields } from '../attempt-fields.ts'
import { prepareResend } from '../prepare/prepare.ts'
import { parseTarget, leadsBack, loopSentence } from '../target.ts'
import { notSent } from '../wire/wire.ts'

/** So many attempts may be on their way into the store. */
const mostAttempts = 1000
/** Their answers may take so much, in bytes. */
const mostBytes = 32 * 1024 * 1024

/** Keeps back what is to be sent while too much of what was sent is not stored yet: a slow disk costs time, not memory. */
export class Backlog {
  #attempts = 0
  #bytes = 0
  #freed = Promise.withResolvers<void>()

  /** Counts `bytes` of an answer until `stored` is settled. */
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
    return this.#attempts >= mostAttempts || this.#bytes >= mostBytes
  }

  /** Resolves when there is room again, or at `signal`. */
  async room(signal: AbortSignal): Promise<void> {
    const aborted = Promise.withResolvers<void>()
    const over = (): void => aborted.resolve()
    signal.addEventListener('abort', over, { once: true })
    while (this.isFull && !signal.aborted)
      await Promise.race([this.#freed.promise, aborted.promise])
    signal.removeEventListener('abort', over)
  }
}

/** Forwards one stored delivery, once. */
export function createAttempt(
  parts: SenderParts,
  backlog: Backlog,
  clock: Clock,
): RunParts['attempt'] {
  return async (target, id, tryNumber, signal): Promise<TryOutcome> => {
    await backlog.room(signal)
    try {
      const captured = parts.captured(id)
      if (!captured) return { kind: 'gone' }
      const of = { kind: 'forward', at: clock.now(), tryNumber, signal } as const
      const outcome = await sendOn(parts, backlog, captured, target, of)
      return { kind: 'tried', ...triedOf(outcome), mayRetry: mayRetry(outcome) }
    } catch (error) {
      return { kind: 'unsendable', reason: sentenceOf(error) }
    }
  }
}

export function triedOf({ answer, error }: WireOutcome): Tried {
  return { status: answer?.status ?? null, error: error?.message ?? null }
}

/** A server that fails or asks for patience (RFC 9110, 15.6; RFC 6585, 4), or no whole answer, may do better later; what cannot be sent will not. */
function mayRetry({ answer, error }: WireOutcome): boolean {
  switch (error?.code) {
    case 'invalid_request':
    case 'unconfirmed':
    case 'gone':
      return false
    case undefined:
      return answer !== null && (answer.status >= 500 || answer.status === 429)
    default:
      return true
  }
}

/** What went wrong before anything was sent. */
export function sentenceOf(error: unknown): string {
  return error instanceof AppError ? error.message : 'Tabscope could not send it. Try it by hand.'
}

/** Said of what went to our own listener. */
const oneHop =
  'The target is the Tabscope listener: the delivery was received there again and is not forwarded further.'

/**
 * Sends a delivery to a forward target as it came, and has that recorded. Throws what the preparation throws: then nothing was sent.
 */
export async function sendOn(
  parts: SenderParts,
  backlog: Backlog,
  captured: Captured,
  target: ForwardTarget,
  of: {
    readonly kind: 'forward' | 'pass_through'
    readonly at: number
    readonly tryNumber: number
    readonly signal: AbortSignal
  },
): Promise<WireOutcome> {
  const { world, wire, recorder } = parts
  const url = parseTarget(target.url)
  const known = world.known(url.origin)
  const prepared = prepareResend(
    captured,
    { url, sign: { how: 'keep' }, edits: { headers: [], body: null } },
    world,
  )
  // A tunnel may have been opened after the target was added. What came back by it could not be told from any other.
  const outcome = leadsBack(url, world.publicAddresses)
    ? notSent({ code: 'invalid_request', message: loopSentence(url) })
    : await wire.exchange(prepared.request, {
        timeout: target.timeout,
        maxAnswerBytes: keptAnswerBytes,
        verifyTls: known?.verifyTls ?? true,
        publicAllowed: known?.confirmed ?? false,
        keepAlive: true,
        own: 'forward',
        signal: of.signal,
      })
  const toOurselves =
    outcome.remoteAddress !== null && `http://${outcome.remoteAddress}` === world.listener
  const fields = attemptFields(prepared, outcome, {
    kind: of.kind,
    deliveryId: captured.id,
    forwardId: target.id,
    at: of.at,
    tryNumber: of.tryNumber,
    notes: toOurselves ? [oneHop] : [],
  })
  backlog.add(outcome.answer?.body.byteLength ?? 0, recorder.note(fields))
  return outcome
}
