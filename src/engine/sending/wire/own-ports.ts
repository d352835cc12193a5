export type Sender = 'forward' | 'send'

/**
 * The local ports from which our sender connects to our listener. Shared memory instead of a message, because the capture thread must know before the
 * request is received, and it must not be part of the request. One byte per port.
 */
export class OwnPorts {
  readonly buffer: SharedArrayBuffer
  readonly #ports: Uint8Array

  constructor(buffer = new SharedArrayBuffer(65_536)) {
    this.buffer = buffer
    this.#ports = new Uint8Array(buffer)
  }

  /** Marks connections from this local port to our listener as ours; null removes the mark. */
  mark(localPort: number, as: Sender | null): void {
    Atomics.store(this.#ports, localPort, as === null ? 0 : as === 'forward' ? 1 : 2)
  }

  of(remotePort: number | undefined): Sender | null {
    const mark = remotePort === undefined ? 0 : Atomics.load(this.#ports, remotePort)
    return mark === 0 ? null : mark === 1 ? 'forward' : 'send'
  }
}
