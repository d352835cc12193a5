import type { Captured } from '../../store/captured.ts'
import { AppError } from '../../errors.ts'
import type { SenderWorld } from '../world.ts'
import { parseTarget } from './look.ts'

/**
 * Where a delivery goes when nobody says: where it was last sent by hand, else the first forward target of its endpoint that is on, else our
 * own listener, by the path on which it came. Throws `bad_target` where there is none of them.
 */
export function defaultUrlOf(captured: Captured, lastUrl: string | null, world: SenderWorld): URL {
  if (lastUrl !== null) return parseTarget(lastUrl)
  const forward = world.forwards.find(
    ({ endpointId, on }) => on && endpointId === captured.endpointId,
  )
  if (forward) return parseTarget(forward.url)
  const { path } = captured
  if (world.listener !== null && path.startsWith('/') && URL.canParse(world.listener + path)) {
    return parseTarget(world.listener + path)
  }
  throw new AppError(
    'bad_target',
    `Nobody knows where delivery ${captured.id} is to go: it was never sent, its endpoint has no forward target, and Tabscope does not listen. Say where to.`,
  )
}
