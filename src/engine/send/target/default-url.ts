import { AppError } from '../../errors.ts'
import type { Captured } from '../../store/captured.ts'
import type { SenderConfiguration } from '../sender-configuration.ts'
import { parseTarget } from './look.ts'

/**
 * Where a delivery goes when nobody says: where it was last sent by hand, else to the first forward target of its endpoint that takes its type,
 * else to our own listener, by the path on which it came. Throws `bad_target` where there is none of them.
 */
export function defaultUrlOf(
  captured: Pick<Captured, 'id' | 'endpointId' | 'type' | 'path'>,
  lastUrl: string | null,
  world: SenderConfiguration,
): URL {
  if (lastUrl !== null) return parseTarget(lastUrl)
  const { endpointId, type, path } = captured
  const forwarded = endpointId === null ? null : forwardUrlOf(endpointId, type, world)
  if (forwarded !== null) return parseTarget(forwarded)
  if (world.listener !== null && path.startsWith('/') && URL.canParse(world.listener + path)) {
    return parseTarget(world.listener + path)
  }
  throw new AppError(
    'bad_target',
    `Nobody knows where delivery ${captured.id} is to go: it was never sent, its endpoint has no forward target, and Tabscope does not listen. Say where to.`,
  )
}

/** The first forward target of an endpoint that is on and takes the type; null: there is none. */
export function forwardUrlOf(
  endpointId: number,
  type: string | null,
  world: SenderConfiguration,
): string | null {
  const fitting = world.forwards.find(
    (forward) =>
      forward.on &&
      forward.endpointId === endpointId &&
      (forward.types.length === 0 || (type !== null && forward.types.includes(type))),
  )
  return fitting?.url ?? null
}
