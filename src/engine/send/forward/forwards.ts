import type { ForwardHealth } from '#contract/answering.ts'
import type { PassQuestion } from '../messages.ts'
import type { SenderParts } from '../parts.ts'

/** Sends every delivery on as it arrives. */
export interface Forwards {
  /** The list of forward targets has changed. */
  configured(): void
  health(): ForwardHealth[]
  dropWaiting(forwardId: number): number
  /** A delivery whose answer is to be that of a target; answered by `answerPass`. */
  pass(question: PassQuestion): void
  close(): Promise<void>
}

export function createForwards(parts: SenderParts): Forwards {
  return {
    configured: () => undefined,
    health: () => [],
    dropWaiting: () => 0,
    pass: ({ key }) => parts.answerPass({ key, answer: null, reason: 'Not built yet.' }),
    close: async () => undefined,
  }
}
