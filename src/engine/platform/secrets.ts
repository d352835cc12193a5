import type { Header, SecretView } from '#contract/models.ts'
import type { Log, SecretBox } from './ports.ts'

/** `clear` is null if the secret cannot be decrypted here. */
export type LoadedSecret = { readonly sealed: Uint8Array; readonly clear: string | null }

/** If decryption fails, the value is null and must be entered again. `what` names the secret in the log. */
export async function openSecret(
  box: SecretBox,
  log: Log,
  what: string,
  sealed: Uint8Array,
): Promise<LoadedSecret> {
  try {
    return { sealed, clear: await box.unseal(sealed) }
  } catch (error) {
    log.error(`${what} cannot be decrypted`, error)
    return { sealed, clear: null }
  }
}

export function secretView(secret: LoadedSecret | null | undefined): SecretView {
  if (!secret) return { set: false, ending: null, unavailable: false }
  if (secret.clear === null) return { set: true, ending: null, unavailable: true }
  return {
    set: true,
    ending: endingOf(secret.clear),
    unavailable: false,
    ...(secret.clear === secret.clear.trim() ? {} : { whiteSpaceAtEnds: true }),
  }
}

/** Without white space at the end. Null for a short secret, of which four characters would be too large a part. */
export function endingOf(clear: string): string | null {
  const visible = clear.trimEnd()
  return visible.length >= 12 ? visible.slice(-4) : null
}

export interface StoredHeaders {
  /** With empty values if `sealedHeaders` contains them. */
  readonly customHeaders: readonly Header[]
  /** The custom headers with their values, as encrypted JSON; null: they are not encrypted. */
  readonly sealedHeaders: Uint8Array | null
}

export function toCustomHeaders(json: string): Header[] {
  const headers: Header[] = JSON.parse(json)
  return headers
}

/** Values of custom headers may be credentials. Names are not encrypted: exports need them for redaction. */
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

/** None if they cannot be decrypted; they must then be entered again. `what` names them in the log. */
export async function openHeaders(
  box: SecretBox,
  log: Log,
  what: string,
  { customHeaders, sealedHeaders }: StoredHeaders,
): Promise<readonly Header[]> {
  if (sealedHeaders === null) return customHeaders
  const { clear } = await openSecret(box, log, what, sealedHeaders)
  return clear === null ? [] : toCustomHeaders(clear)
}
