import { stringEnd } from '#shared/json/tokenizer.ts'
import { maskMarker, maskPattern } from '#contract/masks.ts'
import type { Header } from '#contract/models.ts'
import type { Masker } from './masker.ts'

/** A shorter value may be a common word. */
const distinctiveLength = 12

const inQuotedJson = /\\"([^"\\]{1,100})\\"(\s*:\s*)\\"([^"\\]+)/g
const inQuery = /(^|[?&;,\s"'])([\w.%-]{1,60})=([^&\s"'<>;,]+)/g

/** Masks values whose names say that they are probably secret, in JSON (even if truncated) and in queries. Known values are masked first. */
export function maskSecretFields(masker: Masker, text: string): string {
  return maskQuery(
    masker,
    maskMembers(masker, masker.mask(text)).replaceAll(
      inQuotedJson,
      (match, key: string, colon: string, value: string) =>
        isSecret(key, value)
          ? String.raw`\"${key}\"${colon}\"${markerFor(masker, key, value)}`
          : match,
    ),
  )
}

function maskMembers(masker: Masker, text: string): string {
  const pieces: string[] = []
  let at = 0
  for (const { key, value, quoted, from, to } of jsonMembers(text)) {
    if (!quoted || !isSecret(key, value)) continue
    pieces.push(text.slice(at, from), markerFor(masker, key, unquoted(value)))
    at = to
  }
  return pieces.join('') + text.slice(at)
}

export function maskQuery(masker: Masker, text: string): string {
  return masker
    .mask(text)
    .replaceAll(inQuery, (match, before: string, key: string, value: string) =>
      isSecret(key, value)
        ? `${before}${key}=${markerFor(masker, key, new URLSearchParams(`v=${value}`).get('v') ?? value)}`
        : match,
    )
}

export function maskHeaders(masker: Masker, headers: readonly Header[]): Header[] {
  return headers.map(([name, value]) => [name, maskHeader(masker, name.toLowerCase(), value)])
}

function maskHeader(masker: Masker, name: string, value: string): string {
  const known = masker.mask(value)
  if (name === 'set-cookie') {
    const cookie = /^([^=;]*)=([^;]*)/.exec(known)
    if (!cookie?.[2] || isMarked(cookie[2])) return known
    const marker = markerFor(masker, 'set_cookie', cookie[2])
    return `${cookie[1]}=${marker}${known.slice(cookie[0].length)}`
  }
  if (secretHeaders.has(name)) {
    return isMarked(known.replace(/^[\w-]+ +/, '')) ? known : markerFor(masker, name, known)
  }
  return maskQuery(masker, known)
}

function isSecret(key: string, value: string): boolean {
  return !isMarked(value) && isSecretField(key, value)
}

function isMarked(value: string): boolean {
  return value.replaceAll(maskPattern, '').trim() === ''
}

function unquoted(json: string): string {
  try {
    const value: unknown = JSON.parse(`"${json}"`)
    return typeof value === 'string' ? value : json
  } catch {
    return json
  }
}

function markerFor(masker: Masker, key: string, value: string): string {
  const name = key
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .slice(0, 30)
  return maskMarker(
    masker.hold(
      name || 'value',
      `Value of "${key.slice(0, 60)}"`,
      value,
      value.length >= distinctiveLength,
    ),
  )
}

const secretName =
  /token|secret|password|passwd|passphrase|passcode|pincode|credential|connectionstring|(?:api|access|private|signing|encryption|subscription|functions?|shared|account|client|master|storage|license|ssh)key|^(?:card)?(?:cvv|cvc|csc)$|authorization|assertion|cookie|session|jwt|csrf|xsrf|^(auth|authorization|verification|login|sms)?code$/
const harmlessName = /type$|kind$|uri$|url$|endpoint$|expir|lifetime|^tokens?(count|version)$/
/** Letters that occur in many words ("spotPosition"): they must be a separate word of the name. */
const passcode = /(?:^|[^A-Za-z])(?:otp|OTP|Otp|totp|TOTP)(?![a-z])|[a-z0-9](?:OTP|Otp)(?![a-z])/

/** Short names that occur in many words ("passage", "author", "keyboard"): they must be the last word of the name. */
const secretWords: ReadonlySet<string> = new Set(['pwd', 'pass', 'pin', 'auth'])

/** Headers whose value is a secret itself, in lower case. */
const secretHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-api-key',
  'x-auth-token',
  'x-csrf-token',
])

function namesSecret(key: string): boolean {
  const name = lettersOf(key)
  if (harmlessName.test(name)) return false
  return (
    secretName.test(name) ||
    passcode.test(key) ||
    secretWords.has(lastWord(key)) ||
    isPlainKey(name)
  )
}

/** Names that do not say what the key is for. */
function isPlainKey(name: string): boolean {
  return name === 'key' || name === 'xkey'
}

function lastWord(key: string): string {
  let to = key.length
  while (to > 0 && !/[A-Za-z]/.test(key.charAt(to - 1))) to -= 1
  let from = to
  while (from > 0 && /[a-z]/.test(key.charAt(from - 1))) from -= 1
  if (from === to) while (from > 0 && /[A-Z]/.test(key.charAt(from - 1))) from -= 1
  else if (/[A-Z]/.test(key.charAt(from - 1))) from -= 1
  return key.slice(from, to).toLowerCase()
}

const longestCode = 200

/** Also considers the value: an error code must stay readable. */
function isSecretField(key: string, value: string): boolean {
  if (value === '' || !namesSecret(key)) return false
  const name = lettersOf(key)
  // This may be the key of a table, a list or a translation.
  if (isPlainKey(name)) return isOpaque(value.slice(0, 200))
  return (
    name !== 'code' ||
    value.length > longestCode ||
    !/^([a-z]+([_ -][a-z]+)*|[A-Z]+([_ -][A-Z]+)*|\d{1,5})$/.test(value)
  )
}

function isOpaque(value: string): boolean {
  return value.length >= 12 && !/[\s.]/.test(value) && /[0-9]/.test(value) && /[A-Za-z]/.test(value)
}

function lettersOf(key: string): string {
  return key.toLowerCase().replaceAll(/[^a-z]/g, '')
}

interface JsonMember {
  /** As written, including escapes. */
  readonly key: string
  readonly value: string
  readonly quoted: boolean
  readonly from: number
  readonly to: number
}

/** Up to the opening quote or first digit of the value. The length of the key is limited, to limit the cost of false matches. */
const head = /"((?:[^"\\]|\\.){1,100})"\s*:\s*(?:"|(?=-?\d))/gs
const number = /-?\d[\d.]*/y

function* jsonMembers(text: string): Generator<JsonMember, void, undefined> {
  const pattern = new RegExp(head)
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [matched, key = ''] = match
    const from = match.index + matched.length
    const quoted = matched.endsWith('"')
    if (!quoted) number.lastIndex = from
    const end = quoted ? stringEnd(text, from - 1) : from + (number.exec(text)?.[0].length ?? 0)
    const to = end === -1 ? withoutHalfEscape(text) : quoted ? end - 1 : end
    yield { key, value: text.slice(from, to), quoted, from, to }
    pattern.lastIndex = end === -1 ? text.length : end
  }
}

/** The length of a text that is truncated within a string, without a trailing half escape. */
function withoutHalfEscape(text: string): number {
  let slashes = 0
  while (text.charCodeAt(text.length - 1 - slashes) === 0x5c) slashes += 1
  return text.length - (slashes % 2)
}
