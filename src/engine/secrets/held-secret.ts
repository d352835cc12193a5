import type { SecretView } from '#contract/models.ts'
import type { Log, SecretBox } from '../ports.ts'

/** A secret in memory: opened, or stored but not to be opened here. */
export type HeldSecret = { readonly sealed: Uint8Array; readonly clear: string | null }

/** Opens what is stored. What cannot be opened is held without its value, and must be entered again; `what` names it in the log. */
export async function openSecret(
  box: SecretBox,
  log: Log,
  what: string,
  sealed: Uint8Array,
): Promise<HeldSecret> {
  try {
    return { sealed, clear: await box.unseal(sealed) }
  } catch (error) {
    log.error(`${what} cannot be unsealed`, error)
    return { sealed, clear: null }
  }
}

/** What may be shown of a secret: that it is there, and how it ends. */
export function secretView(secret: HeldSecret | null | undefined): SecretView {
  if (!secret) return { set: false, ending: null, unavailable: false }
  if (secret.clear === null) return { set: true, ending: null, unavailable: true }
  return { set: true, ending: endingOf(secret.clear), unavailable: false }
}

/** The last four characters; null for a short secret, whose end would be most of it. */
export function endingOf(clear: string): string | null {
  return clear.length >= 12 ? clear.slice(-4) : null
}
