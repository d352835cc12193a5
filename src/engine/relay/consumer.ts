import { createInbox, type Msg, type NatsConnection } from '@nats-io/transport-node'
import { ask, RelayFailure } from './connection.ts'
import { streams } from './format.ts'
import type { RelayAccess } from './messages.ts'

// The ordered consumer of the NATS client deletes and renews its consumers, which a desktop may not. This one ends at the first irregularity, and the next
// session starts again from the stored position.

const idleSeconds = 5
const silentMs = idleSeconds * 1000 * 3
/** How long the server keeps a consumer whose client is gone. */
const inactiveSeconds = 30

export interface StreamMessage {
  readonly kind: 'message'
  readonly subject: string
  readonly message: Msg
  /** Of the stream. */
  readonly position: number
  /** When the relay got it, in milliseconds since the epoch. */
  readonly atMs: number
  /** Messages after it. */
  readonly pending: number
}

export type ConsumerItem =
  | StreamMessage
  /** The server waits until `resume` is called. */
  | { readonly kind: 'flow'; readonly resume: () => void }
  /** Everything that was in the stream was delivered. */
  | { readonly kind: 'idle' }

export interface Consumer {
  /** Messages from `from` on when it was created; null: the first came before, and says how many are after it. */
  readonly pending: number | null
  close(): void
}

interface Created {
  readonly error?: { readonly code: number; readonly description: string }
  readonly num_pending: number
}

/** `subject`: may have a wildcard at its end. Items come in order. Throws `RelayFailure`. */
export async function openConsumer(
  connection: NatsConnection,
  access: RelayAccess,
  { subject, from }: { readonly subject: string; readonly from: number },
  on: { readonly item: (item: ConsumerItem) => void; readonly failed: (error: Error) => void },
): Promise<Consumer> {
  const inbox = createInbox(`_INBOX_${access.user}`)
  const name = `tabscope_${inbox.split('.').at(-1) ?? ''}`
  let delivered = 0
  let heardAt = performance.now()
  const subscription = connection.subscribe(inbox, {
    callback: (error, message) => {
      if (error) return on.failed(error)
      heardAt = performance.now()
      const { headers, data } = message
      if (data.byteLength === 0 && headers?.code === 100) {
        const stalled = headers.get('Nats-Consumer-Stalled')
        if (message.reply) on.item({ kind: 'flow', resume: () => void message.respond() })
        else if (stalled) on.item({ kind: 'flow', resume: () => connection.publish(stalled) })
        else if (Number(headers.get('Nats-Last-Consumer')) === delivered) on.item({ kind: 'idle' })
        else on.failed(interrupted())
        return
      }
      const item = received(message)
      if (!item || item.sequence !== delivered + 1) return on.failed(interrupted())
      delivered = item.sequence
      on.item({ kind: 'message', subject, message, ...item })
    },
  })
  const watch = setInterval(() => {
    if (performance.now() - heardAt > silentMs) on.failed(interrupted())
  }, 1000)
  const close = (): void => {
    clearInterval(watch)
    subscription.unsubscribe()
  }
  try {
    const created = await ask<Created>(
      connection,
      access,
      `$JS.API.CONSUMER.CREATE.${streams.deliveries}.${name}.${subject}`,
      {
        stream_name: streams.deliveries,
        config: {
          name,
          deliver_subject: inbox,
          deliver_policy: 'by_start_sequence',
          opt_start_seq: from,
          ack_policy: 'none',
          max_deliver: 1,
          filter_subject: subject,
          flow_control: true,
          idle_heartbeat: idleSeconds * 1e9,
          inactive_threshold: inactiveSeconds * 1e9,
          mem_storage: true,
          num_replicas: 1,
        },
        action: 'create',
      },
    )
    if (created.error) {
      throw new RelayFailure(
        'refused',
        `The relay does not deliver ${subject}: ${created.error.description}. Ask its administrator to run "tabscope relay check".`,
      )
    }
    return { pending: delivered === 0 ? created.num_pending : null, close }
  } catch (error) {
    close()
    throw error
  }
}

function interrupted(): RelayFailure {
  return new RelayFailure('offline', 'The relay interrupted the transfer. It is started again.')
}

/** From `$JS.ACK.<stream>.<consumer>.<deliveries>.<position>.<sequence>.<nanoseconds>.<pending>`, which may have a domain and an account before the stream. */
function received({
  reply = '',
}: Msg): (Pick<StreamMessage, 'position' | 'atMs' | 'pending'> & { sequence: number }) | null {
  const tokens = reply.split('.')
  if (tokens[0] !== '$JS' || tokens[1] !== 'ACK' || tokens.length < 9) return null
  const [position, sequence, at, pending] = tokens.slice(tokens.length > 9 ? 7 : 5).map(Number)
  if (position === undefined || sequence === undefined) return null
  return { position, sequence, atMs: Math.round((at ?? 0) / 1e6), pending: pending ?? 0 }
}
