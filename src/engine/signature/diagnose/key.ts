import type { DiagnosisCause } from '#contract/deliveries.ts'

/** A secret as it is tried. */
export interface Key {
  readonly bytes: Uint8Array
  /** Departures from "the current secret as it is"; empty: none. */
  readonly codes: readonly string[]
  /** "the current secret", for the sentence that says what matched. Never the secret. */
  readonly words: string
  /** Who has to mend it, where that depends on which way it was changed. */
  readonly where?: DiagnosisCause['where']
}

/** The first of those that are the same bytes. */
export function distinctKeys(keys: readonly Key[]): Key[] {
  const seen = new Map<string, Key>()
  for (const key of keys) {
    const id = Buffer.from(key.bytes).toString('latin1')
    if (!seen.has(id)) seen.set(id, key)
  }
  return [...seen.values()]
}
