import { setPriority } from 'node:os'

/** Only on Linux: elsewhere it would affect the whole process. `nice`: 1 to 19, 19 is the lowest priority. */
export function lowerPriority(nice: number): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, nice)
  } catch {
    // Some containers do not allow it. It is only an optimization.
  }
}

const neverWoken = new Int32Array(new SharedArrayBuffer(4))

/**
 * Blocks briefly, which lets a thread that waits for this processor run. Linux would otherwise wait up to 3 ms, even for a thread of higher priority.
 * Does nothing elsewhere, where a timer may take much longer than requested.
 */
export function yieldProcessor(): void {
  if (process.platform === 'linux') Atomics.wait(neverWoken, 0, 0, 0.02)
}
