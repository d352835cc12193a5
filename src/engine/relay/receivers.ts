import type { RelayReceiver } from '#contract/relay.ts'
import { heartbeatMs, recordFormat, type Heartbeat } from './format.ts'

const silentMs = 2.5 * heartbeatMs

/** The receivers of a relay, by their heartbeats. Times are in milliseconds since the epoch. */
export class Receivers {
  readonly #byName = new Map<string, RelayReceiver>()
  #connectedAt = 0

  list(): RelayReceiver[] {
    return [...this.#byName.values()]
  }

  connected(now: number): void {
    this.#connectedAt = now
  }

  disconnected(): void {
    for (const receiver of this.list()) {
      this.#byName.set(receiver.name, { ...receiver, up: null })
    }
  }

  /** Returns false for what is no heartbeat of this version. */
  heard(data: Uint8Array, now: number): boolean {
    const beat = heartbeatOf(data)
    if (!beat) return false
    const { name, version, lastDeliveryAt, accepted, refused } = beat
    const counts = { lastDeliveryAt, accepted, refused }
    this.#byName.set(name, { name, version, seenAt: now, up: true, ...counts })
    return true
  }

  /** Returns whether one became silent. */
  check(now: number): boolean {
    const silent = this.list().filter(
      ({ up, seenAt }) => up !== false && now - Math.max(seenAt, this.#connectedAt) > silentMs,
    )
    for (const receiver of silent) this.#byName.set(receiver.name, { ...receiver, up: false })
    return silent.length > 0
  }
}

function heartbeatOf(data: Uint8Array): Heartbeat | null {
  try {
    const beat: Partial<Heartbeat> | null = JSON.parse(Buffer.from(data).toString('utf8'))
    if (beat?.format !== recordFormat || typeof beat.name !== 'string') return null
    const { name, version = '', lastDeliveryAt = null, accepted = 0, refused = 0 } = beat
    return { format: recordFormat, name, version, lastDeliveryAt, accepted, refused }
  } catch {
    return null
  }
}
