import { AppError } from '../../errors.ts'
import type { Captured } from '../../store/captured.ts'
import type { SenderWorld } from '../world.ts'

type Whose = Pick<Captured, 'id' | 'endpointId' | 'type' | 'path'>

/**
 * Where a delivery goes when nobody says: to where it went last, else to the first forward target of its endpoint that takes its type, else to
 * our own listener, on its own path. Throws `bad_target` where there is none of them.
 */
export function defaultUrlOf(captured: Whose, lastUrl: string | null, world: SenderWorld): string {
  if (lastUrl !== null) return lastUrl
  const { endpointId, type, path } = captured
  const forwarded = endpointId === null ? null : forwardUrlOf(endpointId, type, world)
  if (forwarded !== null) return forwarded
  if (world.listener !== null && path.startsWith('/')) return world.listener + path
  throw new AppError(
    'bad_target',
    `Delivery ${captured.id} has nowhere to go: our own listener is not listening, and its endpoint forwards nowhere. Say to which address.`,
  )
}

/** The first forward target of an endpoint that is on and takes the type; null: there is none. */
export function forwardUrlOf(
  endpointId: number,
  type: string | null,
  world: SenderWorld,
): string | null {
  const fitting = world.forwards.find(
    (forward) =>
      forward.on &&
      forward.endpointId === endpointId &&
      (forward.types.length === 0 || (type !== null && forward.types.includes(type))),
  )
  return fitting?.url ?? null
}
