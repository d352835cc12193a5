import type { RehearsalOptions } from '#contract/rehearsal.ts'
import type { Steps } from '../handler.ts'

export interface FaultyHandler {
  /** What it does wrong, as "compares only the start of the signature". */
  readonly name: string
  /** The cases that notice it in a run of all cases: `S4` fails, `S7?` warns. */
  readonly noticedBy: readonly string[]
  readonly steps: Partial<Steps>
  /** False: nothing starts the process again when it ends. */
  readonly restarts?: false
  readonly options?: Partial<RehearsalOptions>
}

/** `noticedBy`: separated by blanks. */
export function fault(name: string, noticedBy: string, steps: Partial<Steps>): FaultyHandler {
  return { name, noticedBy: noticedBy.split(' '), steps }
}
