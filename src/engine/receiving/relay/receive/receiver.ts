import { defaultLimits } from '../../listener/messages.ts'
import { EndpointPaths } from '../../listener/paths.ts'
import { HeldMemory } from '../../listener/request-reader.ts'
import { Listener } from '../../listener/listener.ts'
import { noEndpoint } from '../format.ts'
import { RelayLink, type LinkOptions } from './link.ts'
import { Outbox, type OutboxEndpoint } from './outbox.ts'

export interface ReceiverOptions extends Omit<LinkOptions, 'slugs' | 'changed'> {
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  readonly endpoints: readonly OutboxEndpoint[]
  /** Deliveries get 503, for the reason; null: they are stored (again). */
  readonly failing: (reason: string | null) => void
}

/** `graceMs`: how long connections stay open for requests in transit. `deadlineMs`: when requests in progress are cut off. As of local capture. */
const closing = { graceMs: 400, deadlineMs: 2500 } as const
/** When requests that still wait get 503, so that this arrives before their connections are closed. */
const giveUpMs = 2000

/**
 * Receives as local capture does, and stores in a relay instead of a file. Has no state of its own. Throws `RelayFailure`, and the system's error if it
 * cannot listen.
 */
export async function openReceiver(options: ReceiverOptions) {
  const { endpoints, receiver } = options
  let failing: string | null = null
  const report = (reason: string | null): void => {
    if (reason === failing) return
    failing = reason
    options.failing(reason)
  }
  const link = new RelayLink({
    ...options,
    slugs: [...endpoints.map(({ slug }) => slug), noEndpoint],
    changed: report,
  })
  const held = new HeldMemory()
  const outbox = new Outbox({
    receiver,
    endpointOf: ({ endpoint }) => (endpoint ? (endpoints[endpoint.id] ?? null) : null),
    held,
    publish: (message, deadline) => link.publish(message, deadline),
    failing: report,
  })
  const paths = new EndpointPaths(endpoints.map(routeOf))
  const listener = new Listener({
    limits: () => defaultLimits,
    held,
    endpointOf: (target) => paths.endpointOf(target),
    nearPath: (target) => paths.nearPath(target),
    via: null,
    ownOf: () => null,
    received: (received) => outbox.add(received),
  })

  let port: number
  try {
    await link.open()
    port = await listener.open(options.port, options.host)
  } catch (error) {
    await listener.close(0, 0)
    await link.close()
    throw error
  }
  return {
    port,
    metrics: () => ({
      accepted: outbox.accepted,
      refused: outbox.refused,
      bytes: outbox.bytes,
      inFlight: outbox.waiting,
      longestWaitMs: outbox.takeLongestWaitMs(),
      connected: link.connected,
    }),
    /** Stops accepting, responds to what was accepted, and disconnects. */
    close: async () => {
      outbox.hurry()
      const late = setTimeout(() => void link.close(), giveUpMs)
      await listener.close(closing.graceMs, closing.deadlineMs)
      await outbox.drained()
      clearTimeout(late)
      await link.close()
    },
  }
}

function routeOf(
  { slug }: OutboxEndpoint,
  id: number,
): ConstructorParameters<typeof EndpointPaths>[0][number] {
  return {
    id,
    name: slug,
    path: `/hooks/${slug}`,
    brand: '',
    applicationId: '',
    customHeaders: [],
    secrets: [],
    responses: [],
    forwards: [],
  }
}
