/** Whoever began it has ended it. No error: nobody is told. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

/** Throws `Cancelled` once the one number of the buffer is 1. */
export function cancellation(shared: SharedArrayBuffer): () => void {
  const flag = new Int32Array(shared)
  return () => {
    if (Atomics.load(flag, 0) === 1) throw new Cancelled()
  }
}

/** Seen by `cancellation` in another thread at once. */
export function cancel(shared: SharedArrayBuffer): void {
  Atomics.store(new Int32Array(shared), 0, 1)
}
