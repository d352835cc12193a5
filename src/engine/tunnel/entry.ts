import type { TunnelProvider } from './provider.ts'

/** The second way in, for tunnels of our own. */
export interface Door {
  open(): Promise<number>
  close(): Promise<void>
  /** Milliseconds since the epoch; 0: never. */
  last(): Promise<number>
  /** Connections whose answer waits by our own will. */
  holding(): Promise<number>
}

/** Where tunnels lead to: the listener, or the door, which is open only while it is needed. */
export class TunnelEntry {
  readonly #door: Door
  readonly #lastOtherwise: () => number
  /** The thread that has it is not even started for a door that was never open. */
  #isOpen = false

  /** `lastOtherwise`: when something came through that did not come by the door, in milliseconds since the epoch; 0: never. */
  constructor(door: Door, lastOtherwise: () => number) {
    this.#door = door
    this.#lastOtherwise = lastOtherwise
  }

  /** The port to lead to. Rejects with what keeps the door from opening. */
  async port(leadsTo: TunnelProvider['leadsTo'], listenerPort: number): Promise<number> {
    if (leadsTo === 'listener') {
      await this.close()
      return listenerPort
    }
    this.#isOpen = true
    return this.#door.open()
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return
    this.#isOpen = false
    try {
      await this.#door.close()
    } catch {
      // The thread that held it is gone, and the door with it.
    }
  }

  /** When something last came through, in milliseconds since the epoch; 0: nothing has, or it is not known. */
  async last(): Promise<number> {
    const otherwise = this.#lastOtherwise()
    if (!this.#isOpen) return otherwise
    try {
      return Math.max(otherwise, await this.#door.last())
    } catch {
      return otherwise
    }
  }

  /** Whether answers are held back here, by a delay or for a target: they may take up all of a tunnel's connections. */
  async holds(): Promise<boolean> {
    if (!this.#isOpen) return false
    try {
      return (await this.#door.holding()) > 0
    } catch {
      return false
    }
  }
}
