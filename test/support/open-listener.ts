import type { ReceivedRequest } from '#engine/receiving/listener/received-request.ts'
import { HeldMemory } from '#engine/receiving/listener/request-reader.ts'
import { Listener } from '#engine/receiving/listener/listener.ts'
import { defaultLimits, type CaptureLimits } from '#engine/receiving/listener/messages.ts'

/** Without endpoints. */
export async function openListener(
  received: (request: ReceivedRequest) => void,
  limits: Partial<CaptureLimits> = {},
) {
  const held = new HeldMemory()
  const listener = new Listener({
    limits: () => ({ ...defaultLimits, ...limits }),
    held,
    endpointOf: () => null,
    nearPath: () => null,
    via: null,
    ownOf: () => null,
    received,
  })
  const port = await listener.open(0)
  return { listener, held, port, [Symbol.asyncDispose]: () => listener.close(0, 0) }
}
