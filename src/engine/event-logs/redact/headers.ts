import { isUtf8 } from 'node:buffer'
import type { Header } from '#contract/models.ts'
import { applyEdits, type RemovalKind } from './edits.ts'
import { ipAddressesIn } from './contacts.ts'
import { isBodyDigestHeader } from './digests.ts'
import { headerMeaning } from './field-names.ts'
import { isMarked } from './name-value-pairs.ts'
import type { Place } from './redaction-session.ts'
import type { TextRedaction } from './text.ts'

/** They stay; the secret follows them (RFC 9110, 11.6.2). */
const authSchemes =
  /^(?:bearer|basic|digest|token|negotiate|ntlm|apikey|api-key|hmac|hawk|oauth|mutual|dpop|aws4-hmac-sha256) +(?=\S)/i

/** In addition to well-known headers. Names in lower case. */
export interface HeaderRules {
  readonly custom: ReadonlySet<string>
  readonly byRule: ReadonlySet<string>
}

interface KnownHeader {
  /** Null: its value is searched like any text. */
  readonly kind: RemovalKind | null
  readonly isBodyDigest: boolean
  readonly places: Map<string, { readonly name: Place; readonly value: Place }>
}

const cacheSize = 10_000
const maxCachedName = 100

/** `placeName`: the name of the headers in the preview. */
export class HeaderRedaction {
  readonly #texts: TextRedaction
  readonly #rules: HeaderRules
  readonly #known = new Map<string, KnownHeader>()

  constructor(texts: TextRedaction, rules: HeaderRules) {
    this.#texts = texts
    this.#rules = rules
  }

  /** Null: its value is searched like any text. */
  kindOf(name: string): RemovalKind | null {
    return this.#header(name).kind
  }

  #header(name: string): KnownHeader {
    const cached = this.#known.get(name)
    if (cached) return cached
    const lowerName = name.toLowerCase()
    const header: KnownHeader = {
      kind: this.#kindOf(lowerName),
      isBodyDigest: isBodyDigestHeader(lowerName),
      places: new Map(),
    }
    if (this.#known.size >= cacheSize) this.#known.clear()
    if (name.length <= maxCachedName) this.#known.set(name, header)
    return header
  }

  #kindOf(lowerName: string): RemovalKind | null {
    const { kind } = headerMeaning(lowerName)
    if (kind && this.#texts.session.redacts(kind)) return kind
    if (this.#rules.custom.has(lowerName)) return 'custom_header'
    return this.#rules.byRule.has(lowerName) ? 'rule' : null
  }

  /** These secrets are redacted wherever the delivery repeats them. */
  collectRepeated(headers: readonly Header[]): void {
    const { session } = this.#texts
    for (const [name, value] of headers) {
      const kind = this.kindOf(name)
      if (!kind || isMarked(value)) continue
      if (kind === 'ip_address') {
        for (const { from, to } of ipAddressesIn(value))
          session.addRepeated(kind, value.slice(from, to))
        continue
      }
      if (kind === 'cookie') {
        for (const [, cookieValue = ''] of value.matchAll(/=\s*"?([^;,"\s]{8}[^;,"\s]*)/g)) {
          if (/\d|[A-Z]/.test(cookieValue)) session.addRepeated(kind, cookieValue)
        }
        continue
      }
      session.addRepeated(kind, value)
      const secret = value.replace(authSchemes, '')
      if (secret !== value) session.addRepeated(kind, secret)
      const basic = /^basic +(\S+)$/i.exec(value.trim())?.[1]
      if (basic) {
        const [, ...password] = Buffer.from(basic, 'base64').toString('utf8').split(':')
        session.addRepeated(kind, password.join(':'))
      }
      if (kind === 'signature') {
        for (const [, digest = ''] of value.matchAll(/=([^,;\s]{16}[^,;\s]*)/g))
          session.addRepeated(kind, digest)
      }
    }
  }

  /** `bodyChanged`: headers derived from the body are redacted too. */
  redact(headers: readonly Header[], placeName: string, bodyChanged = false): Header[] {
    return headers.map(([name, value]) => {
      const header = this.#header(name)
      let places = header.places.get(placeName)
      if (!places) header.places.set(placeName, (places = placesOf(name, placeName)))
      const kind = header.kind ?? (bodyChanged && header.isBodyDigest ? 'digest' : null)
      return [this.#texts.redact(name, places.name), this.#value(kind, value, places.value)]
    })
  }

  #value(kind: RemovalKind | null, value: string, place: Place): string {
    if (!kind) return redactLatin1(value, (text) => this.#texts.redact(text, place))
    if (kind === 'ip_address')
      return this.#texts.redact(this.#withoutAddresses(value, place), place)
    const scheme = authSchemes.exec(value)?.[0] ?? ''
    const secret = value.slice(scheme.length)
    if (secret.trim() === '' || isMarked(secret)) return value
    return scheme + this.#texts.session.replace(kind, secret.trim(), place)
  }

  #withoutAddresses(value: string, place: Place): string {
    const { session } = this.#texts
    return applyEdits(
      value,
      ipAddressesIn(value).map(({ from, to }) => ({
        from,
        to,
        text: session.replace('ip_address', value.slice(from, to), place),
      })),
    )
  }
}

function placesOf(name: string, placeName: string): { name: Place; value: Place } {
  const lowerName = name.toLowerCase()
  const { id } = headerMeaning(lowerName)
  return {
    name: { describe: () => placeName, id },
    value: { describe: () => `${placeName} ${lowerName.slice(0, 60)}`, id },
  }
}

/** Values are stored as Latin-1, but redacted as UTF-8 if their bytes are valid UTF-8. */
function redactLatin1(value: string, redact: (text: string) => string): string {
  if (!/[\u0080-\u00ff]/.test(value)) return redact(value)
  const bytes = Buffer.from(value, 'latin1')
  if (!isUtf8(bytes)) return redact(value)
  const text = bytes.toString('utf8')
  const redacted = redact(text)
  return redacted === text ? value : Buffer.from(redacted, 'utf8').toString('latin1')
}
