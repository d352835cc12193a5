import type { DraftContent, DraftProblem, Preview } from '#contract/compose.ts'
import type { Captured } from '../../store/captured.ts'
import { notYet } from '../not-yet.ts'
import type { SenderWorld } from '../world.ts'
import type { Prepared } from './prepare.ts'

/** What placeholders are filled in with. */
export interface Filling {
  readonly now: Date
  readonly uuid: () => string
  readonly counter: number
}

/** A draft, as far as it can be: what keeps it from being sent is in `problems` as an `error`, and `prepared` is then null. */
export function prepareDraft(
  _content: DraftContent,
  _captured: Captured | null,
  _filling: Filling,
  _world: SenderWorld,
): {
  readonly prepared: Prepared | null
  readonly problems: readonly DraftProblem[]
  readonly preview: Preview
} {
  return notYet('Preparing a draft')
}
