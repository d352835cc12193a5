import { randomUUID } from 'node:crypto'
import type { DraftContent } from '#contract/compose.ts'
import type { Attempt } from '#contract/sending.ts'
import { gone } from '../../calls/gone.ts'
import { AppError } from '../../errors.ts'
import type { Captured } from '../../store/captured.ts'
import type { DraftWish } from '../messages.ts'
import type { SenderParts } from '../parts.ts'
import { prepareDraft } from '../prepare/draft.ts'
import { counts } from '../prepare/placeholders.ts'
import type { Prepared } from '../prepare/prepare.ts'
import { assertConfirmed } from '../target/look.ts'
import { refusalOf } from './draft-refusal.ts'
import { sendOnce } from './send-once.ts'

/**
 * Sends a draft. Its number is taken only when nothing keeps it from being sent. Throws `bad_input`, `bad_target`, `target_unconfirmed`,
 * `secret_unavailable`, `not_found`.
 */
export async function sendDraft(
  wish: DraftWish,
  parts: SenderParts,
  counterOf: (draftId: number) => number | null,
  signal: AbortSignal,
): Promise<Attempt> {
  const { draftId, content } = wish
  const { world, writes } = parts
  const captured = originOf(content, parts)
  const next = draftId === null ? 1 : counterOf(draftId)
  if (next === null) {
    throw new AppError('not_found', `There is no draft ${draftId}. It may have been removed.`)
  }
  if (!captured && draftId === null) {
    throw new AppError(
      'bad_input',
      'It comes from no delivery, so what is sent can be kept only under a draft. Save it first.',
    )
  }
  const made = (counter: number): Prepared => {
    const filling = { now: new Date(), uuid: randomUUID, counter }
    const { prepared, problems } = prepareDraft(content, captured, filling, world)
    if (prepared) return prepared
    throw refusalOf(problems) ?? new AppError('bad_input', 'It cannot be sent as it stands.')
  }
  let prepared = made(next)
  let target = await assertConfirmed(prepared.request.url, world)
  if (draftId !== null && takesNumber(content, captured)) {
    prepared = made(await writes.call('takeCounter', draftId))
    // The number may stand in the name of the host.
    target = await assertConfirmed(prepared.request.url, world)
  }
  const kind = captured ? 'resend' : 'compose'
  const of = {
    kind,
    deliveryId: captured?.id ?? null,
    ...(draftId === null ? {} : { draftId }),
  } as const
  return sendOnce(parts, prepared, target, of, { ...wish, signal })
}

function originOf(content: DraftContent, { captured }: SenderParts): Captured | null {
  const { origin, body } = content
  if (origin.kind !== 'delivery') return null
  const found = captured(origin.deliveryId)
  if (!found && body.kind === 'captured') gone(origin.deliveryId)
  return found
}

function takesNumber(content: DraftContent, captured: Captured | null): boolean {
  if (!content.placeholders) return false
  const { url, headers, body } = content
  const bytes = body.kind === 'bytes' ? body.bytes : captured?.body
  return (
    counts(url) ||
    headers.some(({ on, value }) => on && counts(value)) ||
    (bytes !== undefined && counts(bytes))
  )
}
