import { hash } from 'node:crypto'
import type { Verdict } from '#contract/models.ts'
import type { EndpointRoute } from '../../capture/messages.ts'
import { verify } from '../../signature/verify.ts'
import { keysOf } from './signing.ts'

/** By identity: the body of a delivery is the same at each keystroke, and may be long. */
const hashes = new WeakMap<Uint8Array, string>()

/** Hex SHA-256. */
export function sha256Of(body: Uint8Array): string {
  const found = hashes.get(body) ?? hash('sha256', body, 'hex')
  hashes.set(body, found)
  return found
}

interface Judged {
  /** Another object after each change of its secrets. */
  readonly endpoint: EndpointRoute | null
  readonly received: string
  readonly verdict: Verdict
}

const judged = new WeakMap<Uint8Array, Judged>()

/** What our own check says of these signatures, with the endpoint's secrets of now. */
export function verdictOf(
  body: Uint8Array,
  received: readonly string[],
  endpoint: EndpointRoute | null,
): Verdict {
  const same = JSON.stringify(received)
  const found = judged.get(body)
  if (found && found.endpoint === endpoint && found.received === same) return found.verdict
  const { verdict } = verify(body, received, keysOf(endpoint))
  judged.set(body, { endpoint, received: same, verdict })
  return verdict
}
