import type { Clock } from '../../clock.ts'
import { AppError } from '../../errors.ts'
import type { SenderParts } from '../parts.ts'
import type { WireOutcome } from '../wire/wire.ts'
import type { Backlog } from './backlog.ts'
import type { RunParts, TryOutcome } from './run.ts'
import { sendOn } from './send-on.ts'
import type { Tried } from './target-health.ts'

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
