export type Sender = 'forward' | 'send'

/**
 * Which local ports our sender talks to our listener from, shared with the capture thread without a message: it must be known before the request
 * is received, and must not be part of the request. One byte per port.
 */
export class OwnPorts {
  readonly buffer: SharedArrayBuffer
  readonly #ports: Uint8Array

  constructor(buffer = new SharedArrayBuffer(65_536)) {
    this.buffer = buffer
    this.#ports = new Uint8Array(buffer)
  }

  /** From now on a connection from this local port to our listener is ours; null: it no longer is. */
  mark(localPort: number, as: Sender | null): void {
    Atomics.store(this.#ports, localPort, as === null ? 0 : as === 'forward' ? 1 : 2)
  }

  of(remotePort: number | undefined): Sender | null {
    const mark = remotePort === undefined ? 0 : Atomics.load(this.#ports, remotePort)
    return mark === 0 ? null : mark === 1 ? 'forward' : 'send'
  }
}
