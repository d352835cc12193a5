import { type Calls, callHere } from '../../platform/worker-calls.ts'
import { type BodyApi, createBodyModel } from './body-model.ts'

export type BodyCalls = Calls<BodyApi>

/** Bodies up to this many bytes are processed in the page, since starting a worker would take longer. */
const small = 256 * 1024

const inPage = (): BodyCalls => callHere(createBodyModel())
let openLarge = inPage

/** Sets the function that opens the model of a large body, to run it in a worker instead of the page. */
export function readLargeBodiesIn(make: () => BodyCalls): void {
  openLarge = make
}

/** Opens the model of a body of this size. Fill it with `add`, then call `read`. */
export function openBody(size: number): BodyCalls {
  return size <= small ? inPage() : openLarge()
}
