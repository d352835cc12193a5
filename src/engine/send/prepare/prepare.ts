import type { DraftContent, DraftProblem, Preview } from '#contract/compose.ts'
import type { Edits, SignChoice } from '#contract/sending.ts'
import type { Captured } from '../../store/captured.ts'
import { notYet } from '../not-yet.ts'
import type { WireRequest } from '../wire/wire.ts'
import type { SenderWorld } from '../world.ts'

/** A request ready to go out, and what there is to say of it. */
export interface Prepared {
  readonly request: WireRequest
  /** Anything but `Host` differs from the captured delivery. */
  readonly edited: boolean
  readonly bodyEdited: boolean
  readonly signing: 'kept' | 'signed' | 'broken' | 'none'
  /** "current of Main" */
  readonly secretName: string | null
  readonly notes: readonly string[]
}

/** What placeholders are filled in with. */
export interface Filling {
  readonly now: Date
  readonly uuid: () => string
  readonly counter: number
}

/**
 * A captured delivery for an address: without edits its very bytes, but for the value of `Host`. A query of the delivery goes along where the
 * address has none. Throws `bad_input`, `secret_unavailable`.
 */
export function prepareResend(
  _captured: Captured,
  _wish: { readonly url: URL; readonly sign: SignChoice; readonly edits: Edits },
  _world: SenderWorld,
): Prepared {
  return notYet('Preparing a delivery')
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
