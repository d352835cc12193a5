import type { Job } from '#contract/sending.ts'
import { notYet } from '../not-yet.ts'
import type { JobWish } from '../messages.ts'
import type { SenderParts } from '../parts.ts'

/** Re-sending many. */
export interface Jobs {
  start(wish: JobWish, ids: readonly number[]): Promise<Job>
  pause(id: number): Promise<Job>
  resume(id: number, uncertain: 'skip' | 'send'): Promise<Job>
  cancel(id: number): Promise<Job>
  live(): Job[]
  /** Those that run stay as they are in the store, and are `interrupted` when it is opened again. */
  close(): Promise<void>
}

export function createJobs(_parts: SenderParts): Jobs {
  return {
    start: async () => notYet('A job'),
    pause: async () => notYet('A job'),
    resume: async () => notYet('A job'),
    cancel: async () => notYet('A job'),
    live: () => [],
    close: async () => undefined,
  }
}
