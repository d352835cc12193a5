import { isUtf8 } from 'node:buffer'
import type { Header } from '#contract/models.ts'
import { applyEdits, type RemovalKind } from './edits.ts'
import { ipAddressesIn } from './contacts.ts'
import { isBodyDigestHeader } from './digests.ts'
import { headerMeaning } from './names.ts'
import { isMarked } from './pairs.ts'
import type { Place } from './redaction-session.ts'
import type { TextRedaction } from './text.ts'

/** Names of ways to authenticate, which stay: what comes behind them is the secret (RFC 9110, 11.6.2). */
const schemes =
  /^(?:bearer|basic|digest|token|negotiate|ntlm|apikey|api-key|hmac|hawk|oauth|mutual|dpop|aws4-hmac-sha256) +(?=\S)/i

/** Which headers go whole, beside those that are known by their name. Names in lower case. */
export interface HeaderRules {
  readonly custom: ReadonlySet<string>
  readonly byRule: ReadonlySet<string>
}

/** Takes out of headers what must go. `where`: what the preview calls them, `header` or `attempt header`. */
export class HeaderRedaction {
  readonly #texts: TextRedaction
  readonly #rules: HeaderRules

  constructor(texts: TextRedaction, rules: HeaderRules) {
    this.#texts = texts
    this.#rules = rules
  }

  /** Why the whole value of a header of this name goes; null: it is looked at as a text. */
  kindOf(name: string): RemovalKind | null {
    const lower = name.toLowerCase()
    const { kind } = headerMeaning(lower)
    if (kind && this.#texts.taking.takes(kind)) return kind
    if (this.#rules.custom.has(lower)) return 'custom_header'
    return this.#rules.byRule.has(lower) ? 'rule' : null
  }

  /** Notes what these headers hold that the delivery must not repeat elsewhere. */
  note(headers: readonly Header[]): void {
    const { taking } = this.#texts
    for (const [name, value] of headers) {
      const kind = this.kindOf(name)
      if (!kind || isMarked(value)) continue
      if (kind === 'ip_address') {
        for (const { from, to } of ipAddressesIn(value)) taking.repeat(kind, value.slice(from, to))
        continue
      }
      if (kind === 'cookie') {
        for (const [, one = ''] of value.matchAll(/=\s*"?([^;,"\s]{8}[^;,"\s]*)/g)) {
          if (/\d|[A-Z]/.test(one)) taking.repeat(kind, one)
        }
        continue
      }
      taking.repeat(kind, value)
      const secret = value.replace(schemes, '')
      if (secret !== value) taking.repeat(kind, secret)
      const basic = /^basic +(\S+)$/i.exec(value.trim())?.[1]
      if (basic) {
        const [, ...password] = Buffer.from(basic, 'base64').toString('utf8').split(':')
        taking.repeat(kind, password.join(':'))
      }
      if (kind === 'signature') {
        for (const [, digest = ''] of value.matchAll(/=([^,;\s]{16}[^,;\s]*)/g))
          taking.repeat(kind, digest)
      }
    }
  }

  /** `bodyChanged`: something was taken out of the body that these headers belong to, so that none of them may tell of it. */
  redact(headers: readonly Header[], where: string, bodyChanged = false): Header[] {
    return headers.map(([name, value]) => {
      const place: Place = {
        say: () => `${where} ${name.toLowerCase().slice(0, 60)}`,
        id: headerMeaning(name.toLowerCase()).id,
      }
      return [
        this.#texts.redact(name, { ...place, say: () => where }),
        this.value(name, value, place, bodyChanged && isBodyDigestHeader(name.toLowerCase())),
      ]
    })
  }

  value(name: string, value: string, place: Place, tells = false): string {
    const kind = this.kindOf(name) ?? (tells ? 'digest' : null)
    if (!kind) return latinText(value, (text) => this.#texts.redact(text, place))
    if (kind === 'ip_address')
      return this.#texts.redact(this.#withoutAddresses(value, place), place)
    const scheme = schemes.exec(value)?.[0] ?? ''
    const secret = value.slice(scheme.length)
    if (secret.trim() === '' || isMarked(secret)) return value
    return scheme + this.#texts.taking.take(kind, secret.trim(), place)
  }

  #withoutAddresses(value: string, place: Place): string {
    const { taking } = this.#texts
    return applyEdits(
      value,
      ipAddressesIn(value).map(({ from, to }) => ({
        from,
        to,
        text: taking.take('ip_address', value.slice(from, to), place),
      })),
    )
  }
}

/** A value of a header is read as UTF-8 where its bytes are. */
function latinText(value: string, redact: (text: string) => string): string {
  if (!/[\u0080-\u00ff]/.test(value)) return redact(value)
  const bytes = Buffer.from(value, 'latin1')
  if (!isUtf8(bytes)) return redact(value)
  const text = bytes.toString('utf8')
  const redacted = redact(text)
  return redacted === text ? value : Buffer.from(redacted, 'utf8').toString('latin1')
}
