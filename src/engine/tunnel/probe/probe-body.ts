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
