import type { Calls } from '../../platform/worker-calls.ts'
import { callHere } from '../../platform/worker-calls.ts'
import type { BodyApi } from './body-model.ts'
import { createBodyModel } from './body-model.ts'

export type BodyCalls = Calls<BodyApi>

/** Up to this many bytes are read in the page: a worker takes longer to start than they take to read. */
const small = 256 * 1024

const inPage = (): BodyCalls => callHere(createBodyModel())
let elsewhere = inPage

/** Larger bodies are read in what `make` opens from now on, instead of in the page: it knows where a worker is to be had. */
export function readLargeBodiesIn(make: () => BodyCalls): void {
  elsewhere = make
}

/** A body of this size, to be filled by `add` and read by `read`. */
export function openBody(size: number): BodyCalls {
  return size <= small ? inPage() : elsewhere()
}
