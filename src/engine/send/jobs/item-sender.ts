import { isExpected } from '#contract/broken-signature.ts'
import { keptAnswerBytes } from '#contract/sending.ts'
import { systemClock } from '../../clock.ts'
import { AppError } from '../../errors.ts'
import type { Captured } from '../../store/captured.ts'
import { readLastUrl } from '../../store/sending/read-attempts.ts'
import { attemptFields } from '../attempt-fields.ts'
import type { JobRequest } from '../messages.ts'
import type { SenderParts } from '../parts.ts'
import { type Prepared, prepareResend } from '../prepare/prepare.ts'
import { defaultUrlOf } from '../target/default-url.ts'
import { parseTarget } from '../target/look.ts'
import type { Item } from './claims.ts'
import type { Ended, RunParts } from './run-parts.ts'
import type { Db } from '../../store/driver.ts'

/** So many deliveries are read together, and so many bytes of bodies at most: more than that is not kept. */
const most = 32
const mostBytes = 1024 * 1024

/**
 * Reads deliveries a few at a time. One transaction for each would have SQLite lock, look whether anything was written since, and then read
 * its pages anew: that took longer than all else that is done for a delivery.
 */
class ReadAhead {
  readonly #read: (ids: readonly number[]) => void
  readonly #kept = new Map<number, Captured | null>()

  constructor(db: Db, captured: (id: number) => Captured | null) {
    this.#read = db.transaction((ids: readonly number[]) => {
      let bytes = 0
      for (const id of ids) {
        const one = captured(id)
        this.#kept.set(id, one)
        bytes += one?.body.byteLength ?? 0
        if (bytes > mostBytes) return
      }
    })
  }

  /** One, and with it some of those that come next; null: it is gone. */
  take({ deliveryId: id }: Item, next: readonly Item[]): Captured | null {
    if (!this.#kept.has(id)) {
      this.#kept.clear()
      this.#read([id, ...next.slice(0, most - 1).map(({ deliveryId }) => deliveryId)])
    }
    const one = this.#kept.get(id) ?? null
    this.#kept.delete(id)
    return one
  }
}

/** A delivery ready to go out; `to` null: to where it goes by itself. Throws as `deliveries.resend`. */
export function prepareItem(
  parts: SenderParts,
  { sign, edits }: JobRequest,
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
  wish: JobRequest,
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
