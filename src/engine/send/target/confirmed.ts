import type { Place, Target } from '#contract/sending.ts'
import { AppError } from '../../errors.ts'

/** Nobody is asked about what is on this machine or in its network. */
export function isNear(place: Place): boolean {
  return place === 'own' || place === 'loopback' || place === 'private'
}

/** Throws `target_unconfirmed` for a public one that nobody has confirmed yet. */
export function assertMayGoTo({ origin, place, confirmed }: Target): void {
  if (place !== 'public' || confirmed) return
  throw new AppError(
    'target_unconfirmed',
    `${origin} is outside this machine and its network, and nothing was sent there yet. Confirm it once if deliveries may go there.`,
    { details: { origin } },
  )
}
