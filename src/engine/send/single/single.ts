import type { Attempt } from '#contract/sending.ts'
import { gone } from '../../calls/gone.ts'
import { prepare } from '../../store/driver.ts'
import { readLastUrl } from '../../store/sending/read-attempts.ts'
import type { DraftWish, ResendWish, SenderApi } from '../messages.ts'
import type { SenderParts } from '../parts.ts'
import { prepareDraft } from '../prepare/draft.ts'
import { prepareResend } from '../prepare/prepare.ts'
import { defaultUrlOf } from '../target/default-url.ts'
import { assertConfirmed, parseTarget } from '../target/look.ts'
import { cacheCaptured } from './captured-cache.ts'
import { createPreviewFilling } from './preview-filling.ts'
import { sendDraft } from './send-draft.ts'
import { sendOnce } from './send-once.ts'
import { startDraft, startLogged } from './start-draft.ts'
import { UnderWay } from './under-way.ts'

/** What is sent one at a time, at the user's word. */
export interface Singles {
  resend(wish: ResendWish): Promise<Attempt>
  sendDraft(wish: DraftWish): Promise<Attempt>
  startDraft: SenderApi['startDraft']
  startLogged: SenderApi['startLogged']
  preview: SenderApi['preview']
  cancel(key: string): void
  /** Ends what is under way as `aborted`. */
  close(): Promise<void>
}

export function createSingles(parts: SenderParts): Singles {
  const { db, world } = parts
  const underWay = new UnderWay()
  const cached = cacheCaptured(db, parts.captured)
  const fillingOf = createPreviewFilling()
  const counter = prepare<[number], { counter: number }>(
    db,
    'SELECT counter FROM draft WHERE id = ?',
  )
  const counterOf = (draftId: number): number | null => counter.get(draftId)?.counter ?? null

  const resend = async (wish: ResendWish, signal: AbortSignal): Promise<Attempt> => {
    const captured = parts.captured(wish.id) ?? gone(wish.id)
    const url =
      wish.url === null
        ? defaultUrlOf(captured, readLastUrl(db, wish.id), world)
        : parseTarget(wish.url)
    const prepared = prepareResend(captured, { ...wish, url }, world)
    const target = await assertConfirmed(url, world)
    const of = { kind: 'resend', deliveryId: captured.id } as const
    return sendOnce(parts, prepared, target, of, { ...wish, signal })
  }

  return {
    resend: (wish) => underWay.run(wish.key, (signal) => resend(wish, signal)),
    sendDraft: (wish) =>
      underWay.run(wish.key, (signal) => sendDraft(wish, parts, counterOf, signal)),
    startDraft: (input) => startDraft(input, parts),
    startLogged: ({ logged, endpointId }) => startLogged(logged, endpointId, world),
    preview: async ({ draftId, content }) => {
      const { origin } = content
      const captured = origin.kind === 'delivery' ? cached(origin.deliveryId) : null
      const filling = fillingOf(draftId === null ? 1 : (counterOf(draftId) ?? 1))
      return prepareDraft(content, captured, filling, world).preview
    },
    cancel: (key) => underWay.cancel(key),
    close: () => underWay.close(),
  }
}
