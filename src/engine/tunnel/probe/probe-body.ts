import { createHash, randomFill } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sha256Of } from './format.ts'

/** A body to be sent, and by what it is known again. */
export interface ProbeBody {
  readonly content: Uint8Array
  /** Hex. */
  readonly sha256: string
}

/** For small ones: it is hashed at once. */
export function probeBody(content: Uint8Array): ProbeBody {
  return { content, sha256: sha256Of(content) }
}

/** Hashed at once, without letting anything else run: some 0.3 ms. */
const slice = 256 * 1024

/** Bytes that nobody can compress. Made on another thread and hashed in slices, so that 10 MiB hold nothing up. */
export async function randomBody(bytes: number): Promise<ProbeBody> {
  const content = new Uint8Array(bytes)
  await promisify<Uint8Array>(randomFill)(content)
  const hash = createHash('sha256')
  for (let at = 0; at < bytes; at += slice) {
    hash.update(content.subarray(at, at + slice))
    await turn()
  }
  return { content, sha256: hash.digest('hex') }
}
