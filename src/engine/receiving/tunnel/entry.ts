import type { TunnelProvider } from './provider.ts'

/** The second local listener, which only tunnels use. */
export interface TunnelListener {
  open(): Promise<number>
  close(): Promise<void>
  last(): Promise<number>
  holding(): Promise<number>
}

/** Where tunnels lead: to the main listener, or to the tunnel listener, which is open only while it is needed. */
export class TunnelEntry {
  readonly #tunnelListener: TunnelListener
  /** Avoids starting the thread of the tunnel listener only to close it. */
  #isOpen = false

  constructor(tunnelListener: TunnelListener) {
    this.#tunnelListener = tunnelListener
  }

  async port(target: TunnelProvider['target'], listenerPort: number): Promise<number> {
    if (target === 'listener') {
      await this.close()
      return listenerPort
    }
    this.#isOpen = true
    return this.#tunnelListener.open()
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return
    this.#isOpen = false
    try {
      await this.#tunnelListener.close()
    } catch {
      // The thread has ended, and the tunnel listener with it.
    }
  }

  /** Milliseconds since the epoch; 0: never or unknown. */
  async lastReceived(): Promise<number> {
    if (!this.#isOpen) return 0
    try {
      return await this.#tunnelListener.last()
    } catch {
      return 0
    }
  }

  /** Delayed responses, by a rule or for a target, may use all connections of a tunnel. */
  async isHoldingResponses(): Promise<boolean> {
    if (!this.#isOpen) return false
    try {
      return (await this.#tunnelListener.holding()) > 0
    } catch {
      return false
    }
  }
}
