import type { Payload } from '#catalogue/payload.ts'
import { JsonEditError, editJson, parseJsonEdit } from '#shared/json/edit.ts'
import { SandboxError } from './errors.ts'

/** Returns the body with each `path=value` applied, as `editJson` does. Throws `SandboxError` (`bad_set`). */
export function bodyWith(payload: Payload, overrides: readonly string[]): Buffer {
  try {
    const edits = overrides.map(parseJsonEdit)
    return Buffer.from(editJson(JSON.stringify(payload), edits))
  } catch (error) {
    if (error instanceof JsonEditError) throw new SandboxError('bad_set', error.message)
    throw error
  }
}
