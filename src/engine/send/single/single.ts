import type { Attempt } from '#contract/sending.ts'
import type { DraftWish, ResendWish, SenderApi } from '../messages.ts'
import { notYet } from '../not-yet.ts'
import type { SenderParts } from '../parts.ts'

/** What is sent one at a time, at the user's word. */
export interface Singles {
  resend(wish: ResendWish): Promise<Attempt>
  sendDraft(wish: DraftWish): Promise<Attempt>
  preview: SenderApi['preview']
  cancel(key: string): void
  /** Ends what is under way as `aborted`. */
  close(): Promise<void>
}

export function createSingles(_parts: SenderParts): Singles {
  return {
    resend: async () => notYet('Re-sending'),
    sendDraft: async () => notYet('Sending a draft'),
    preview: async () => notYet('The preview'),
    cancel: () => undefined,
    close: async () => undefined,
  }
}
