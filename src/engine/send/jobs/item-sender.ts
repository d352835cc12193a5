import { isExpected } from '#contract/broken-signature.ts'
import { keptAnswerBytes } from '#contract/sending.ts'
import { systemClock } from '../../clock.ts'
import { AppError } from '../../errors.ts'
import type { Captured } from '../../store/captured.ts'
import { readLastUrl } from '../../store/sending/read-attempts.ts'
import { attemptFields } from '../attempt-fields.ts'
import type { JobWish } from '../messages.ts'
import type { SenderParts } from '../parts.ts'
import { prepareResend, type Prepared } from '../prepare/prepare.ts'
import { defaultUrlOf } from '../target/default-url.ts'
import { parseTarget } from '../target/look.ts'
import type { Item } from './claims.ts'
import { ReadAhead } from './read-ahead.ts'
import type { Ended, RunParts } from './run-parts.ts'

/** A delivery ready to go out; `to` null: to where it goes by itself. Throws as `deliveries.resend`. */
export function prepareItem(
  parts: SenderParts,
  { sign, edits }: JobWish,
  captured: Captured,
  to: URL | null,
): Prepared {
  const url = to ?? defaultUrlOf(captured, readLastUrl(parts.db, captured.id), parts.world)
  return prepareResend(captured, { url, sign, edits }, parts.world)
}

/** Sends the deliveries of a job, each once. */
export function createItemSender(
  parts: SenderParts,
  jobId: number,
  wish: JobWish,
): RunParts['send'] {
  const { recorder, world, wire } = parts
  const to = wish.url === null ? null : parseTarget(wish.url)
  const ahead = new ReadAhead(parts.db, parts.captured)

  const without = (item: Item, as: 'skipped' | 'failed', error: string): Ended => {
    const { position } = item
    const stored = recorder.settle({ jobId, position, state: as, error })
    return { as, status: null, error, bytes: 0, stored }
  }

  return async (item, next, signal) => {
    const captured = ahead.take(item, next)
    if (!captured) return without(item, 'skipped', 'Its delivery is gone.')
    let prepared: Prepared
    try {
      prepared = prepareItem(parts, wish, captured, to)
    } catch (error) {
      // A mistake of ours with one delivery is not to end the thread that sends all of them.
      if (!(error instanceof AppError)) return without(item, 'failed', 'It could not be prepared.')
      if (error.code === 'secret_unavailable') return { as: 'halted', reason: error.message }
      return without(item, 'failed', error.message)
    }
    const at = systemClock.now()
    const known = world.known(prepared.request.url.origin)
    const outcome = await wire.exchange(prepared.request, {
      timeout: wish.timeout,
      maxAnswerBytes: keptAnswerBytes,
      verifyTls: !wish.insecure && known?.verifyTls !== false,
      publicAllowed: known?.confirmed === true,
      keepAlive: true,
      own: 'send',
      signal,
    })
    // Cut off because Tabscope ends: it may have arrived, and whoever resumes is asked.
    const left = outcome.error?.code === 'aborted' && signal.reason === 'closing'
    const fields = attemptFields(prepared, outcome, {
      kind: 'resend',
      deliveryId: captured.id,
      jobId,
      ...(left ? {} : { position: item.position }),
      at,
    })
    const { status, error, requestBody, answerBody } = fields
    return {
      as: left ? 'left' : isExpected(fields) ? 'ok' : 'failed',
      status,
      error: error?.message ?? null,
      bytes: (requestBody?.byteLength ?? 0) + (answerBody?.byteLength ?? 0),
      stored: recorder.note(fields),
    }
  }
}
