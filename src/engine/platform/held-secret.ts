import type { Header, SecretView } from '#contract/models.ts'
import type { Log, SecretBox } from './ports.ts'
import { CustomHeaders, type StoredEndpoint } from '../endpoints/store.ts'

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
  return {
    set: true,
    ending: endingOf(secret.clear),
    unavailable: false,
    ...(secret.clear === secret.clear.trim() ? {} : { whiteSpaceAtEnds: true }),
  }
}

/** The last four characters; null for a short secret, whose end would be most of it. */
export function endingOf(clear: string): string | null {
  return clear.length >= 12 ? clear.slice(-4) : null
}

type StoredHeaders = Pick<StoredEndpoint, 'customHeaders' | 'sealedHeaders'>

/** Custom headers as they are stored: their values, which may be credentials, are sealed. Their names are not: exports redact by them. */
export async function sealHeaders(
  box: SecretBox,
  headers: readonly Header[],
): Promise<StoredHeaders> {
  if (headers.every(([, value]) => value === '')) {
    return { customHeaders: headers, sealedHeaders: null }
  }
  return {
    customHeaders: headers.map(([name]) => [name, '']),
    sealedHeaders: await box.seal(JSON.stringify(headers)),
  }
}

/** Custom headers with their values. None where they cannot be opened here: then they must be entered again; `what` names them in the log. */
export async function openHeaders(
  box: SecretBox,
  log: Log,
  what: string,
  { customHeaders, sealedHeaders }: StoredHeaders,
): Promise<readonly Header[]> {
  if (sealedHeaders === null) return customHeaders
  const { clear } = await openSecret(box, log, what, sealedHeaders)
  return clear === null ? [] : CustomHeaders.parse(JSON.parse(clear))
}
