import {
  type HeaderRule,
  isDocumentedKey,
  isDocumentedWord,
  isHarmlessHeaderName,
  isProtocolWord,
  ruleOfHeader,
} from '#catalogue/harmless.ts'
import type { Header } from '#contract/models.ts'
import { fromBytes, toBytes } from '../../platform/byte-text.ts'
import { maskNumber, maskText, maskTime } from './text.ts'
import { maskForm } from './body.ts'
import type { KnownHeader, Values } from './values.ts'

export interface HeaderContext {
  readonly brand: string
  /** By how much masking changed the length of the body, in bytes. Null: unknown. */
  readonly growth: number | null
  /** Of the names of their fields: `response `. */
  readonly prefix?: string
}

/** Seconds or milliseconds since 1970, from 2001 to 2033: a phone number with ten digits starts with another one. */
const epoch = /^1\d{9}(?:\d{3})?$/

const httpDate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/

export function maskHeaders(
  values: Values,
  headers: readonly Header[],
  context: HeaderContext,
): Header[] {
  return headers.map(([name, value]) => {
    const { shownName, lowerName, rule } = headerOf(values, name)
    if (value === '') return [shownName, value]
    const field = values.tracksFields ? `${context.prefix ?? ''}header ${lowerName}` : ''
    const choice = values.choiceOf(field)
    const becomes =
      choice === 'keep'
        ? values.kept(value, false)
        : choice === 'mask'
          ? values.mask(value)
          : maskValue(values, rule, value, context)
    values.useOf(field, value, becomes)
    return [shownName, becomes]
  })
}

/** Without spaces, which a name cannot have. */
export function maskHeaderName(values: Values, name: string): string {
  const lowerName = name.toLowerCase()
  if (isHarmlessHeaderName(lowerName)) return name
  const shown = values.key(lowerName, false, { maps: false })
  return shown === lowerName ? name : shown.replace(' ', '-')
}

function headerOf(values: Values, name: string): KnownHeader {
  const known = values.headers.get(name)
  if (known) return known
  const lowerName = name.toLowerCase()
  const shownName = maskHeaderName(values, name)
  const header = { shownName, lowerName, rule: ruleOfHeader(lowerName) }
  if (values.headers.size < 1000) values.headers.set(name, header)
  return header
}

function maskValue(
  values: Values,
  rule: HeaderRule | null,
  value: string,
  { brand, growth }: HeaderContext,
): string {
  switch (rule) {
    case 'words': {
      const key = `${brand} ${value}`
      const known = values.words.get(key)
      if (known !== undefined) return known
      const masked = maskProtocolText(values, value, brand)
      if (values.words.size < 1000) values.words.set(key, masked)
      return masked
    }
    case 'date':
      return httpDate.test(value) ? value : maskTime(value)
    case 'timestamp':
      return epoch.test(value) ? value : values.time(value)
    case 'length':
      return growth !== null && /^\d{1,15}$/.test(value)
        ? String(Math.max(0, Number(value) + growth))
        : maskNumber(value)
    case 'host':
      return maskHost(values, value)
    case 'id':
      return values.id(value, false)
    case 'address':
      return value.replaceAll(/[^,\s]+/g, (address) => maskAddress(values, address))
    case 'type':
      return values.type(value) ?? values.mask(value)
    case 'signature':
      return signatureForm(value)
    case null:
      return values.mask(value)
  }
}

const wordsAndNumbers =
  /(?<!\w)(?:utf-?(?:8|16)|iso-8859-\d{1,2}|windows-125\d)(?!\w)|\d[\d.]*|[A-Za-z][A-Za-z0-9]*|[\x80-\xff]+/gi

/** Words of protocols and of the brand stay, and numbers of versions and weights. */
export function maskProtocolText(values: Values, value: string, brand: string): string {
  const own = brand.toLowerCase()
  return value.replaceAll(wordsAndNumbers, (word, at: number) => {
    if (!/^\d/.test(word))
      return isProtocolWord(word) || word.includes('-') || word.toLowerCase() === own
        ? word
        : values.mask(word)
    const isVersion =
      /^\d{1,3}(?:\.\d{1,3}){0,2}$/.test(word) &&
      word.replaceAll('.', '').length <= 5 &&
      /(?:[/=]|^)$/.test(value.slice(0, at))
    return isVersion || /^\d{1,3}\.0\.0\.0$/.test(word) ? word : maskNumber(word)
  })
}

const loopback =
  /^(?:127(?:\.\d{1,3}){3}|localhost|\[?::1\]?|::ffff:127(?:\.\d{1,3}){3}|0\.0\.0\.0)(?::\d{1,5})?$/

/** `host 1`, with its port. */
export function maskHost(values: Values, host: string): string {
  if (host === '' || loopback.test(host)) return host
  const port = /:\d{1,5}$/.exec(host)?.[0] ?? ''
  return values.alias('host', host.slice(0, host.length - port.length)) + port
}

export function maskAddress(values: Values, address: string): string {
  return address === '' || loopback.test(address) ? address : values.alias('address', address)
}

/** `ownSlug`: `/hooks/<slug>` is the path of an endpoint. */
export function maskPath(values: Values, path: string, ownSlug: boolean): string {
  const [, place = '', query] = /^([^?]*)(?:\?(.*))?$/s.exec(path) ?? []
  const own = ownSlug
    ? (/^\/hooks\/[\w.~-]{1,80}(?=\/|$)/.exec(place)?.[0] ?? '')
    : (/^\/hooks(?=\/|$)/.exec(place)?.[0] ?? '')
  const rest = values.mask(place.slice(own.length))
  return own + rest + (query === undefined ? '' : `?${maskForm(values, query)}`)
}

/** Without the fragment. */
export function maskUrl(values: Values, url: string): string {
  const [, scheme, authority = '', path = ''] = /^(https?:\/\/)([^/?#\s]*)([^#]*)/i.exec(url) ?? []
  if (scheme === undefined) return values.mask(url)
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  return scheme + maskHost(values, host).replace(' ', '-') + maskPath(values, path, false)
}

/** Tabscope quotes them itself, and from outside they say nothing. */
const ownQuotes = new Set(
  'undefined,null,None,nil,<nil>,(null),[object Object],Array,whsec_,v1,v1,whsec_'.split(','),
)

function maskQuoted(values: Values, text: string): string {
  if (ownQuotes.has(text) || isDocumentedKey(text) || isDocumentedWord(text)) return text
  if (loopback.test(text)) return text
  return /^https?:\/\/\S+$/.test(text) ? maskUnicodeUrl(values, text) : values.maskUnicode(text)
}

function maskUnicodeUrl(values: Values, url: string): string {
  return fromBytes(maskUrl(values, toBytes(url)))
}

/** A sentence of Tabscope. What it quotes is masked. `growth`: of the body whose length it may state. */
export function maskSentence(
  values: Values,
  sentence: string,
  growth: number | null = null,
): string {
  return sentence.replaceAll(
    /“[^”]*|[a-z][a-z0-9+.-]{0,40}:\/\/[^\s"<>«»“]*[^\s"<>«»“.,;:!?)']|(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])(?::\d{1,5})?|[A-Za-z][\w.-]{0,100}:\d{2,5}|[A-Za-z]\w*-[\w-]+|\d[\d.,]*\d|[\w\u0080-\u1fff\u2070-\u{10ffff}]+/gu,
    (part, at: number) => {
      if (part.startsWith('“')) return `“${maskQuoted(values, part.slice(1))}`
      if (part.includes('://')) return maskUnicodeUrl(values, part)
      if (loopback.test(part)) return part
      if (/:\d+$/.test(part)) return maskHost(values, part).replace(' ', '-')
      if (/^\d[\d,.]*$/.test(part)) {
        const isLength =
          sentence.startsWith(' bytes', at + part.length) ||
          sentence.slice(0, at).endsWith('Content-Length: ')
        if (isLength && sentence.slice(0, at).endsWith(' than ')) return part
        const isSeed = sentence.slice(0, at).endsWith('--seed ')
        if (!isLength) return isSeed || isCount(sentence, at, part) ? part : maskNumber(part)
        return growth === null
          ? maskNumber(part)
          : String(Math.max(0, Number(part.replaceAll(',', '')) + growth))
      }
      if (part.includes('-') && ruleOfHeader(part.toLowerCase()) !== null)
        return maskHeaderName(values, part)
      // The ID of a case, a class of statuses, a code of an error, a documented type or key.
      if (/^(?:[A-Z]{1,2}\d{1,2}|[1-5]xx|(?:CERT|ERR|HPE|UNABLE)_[A-Z_]{2,40})$/.test(part))
        return part
      if (isDocumentedWord(part)) return part
      return part
        .split('-')
        .every(
          (word) =>
            vocabulary.has(word.toLowerCase()) || (/^[a-z]/i.test(word) && isProtocolWord(word)),
        )
        ? part
        : values.maskUnicode(part)
    },
  )
}

/** Neither a part of a phone number nor of a date. */
function isCount(sentence: string, at: number, part: string): boolean {
  const before = sentence.slice(Math.max(0, at - 3), at)
  return (
    part.length <= 3 &&
    !/[+/.:-]$|\d\W{1,2}$/.test(before) &&
    !/^(?:[/:-]|\W{1,2}\d)/.test(sentence.slice(at + part.length, at + part.length + 3))
  )
}

const forms =
  /\(\d{1,4} (?:hex|HEX|hEx|pairs|bytes|base64|base64url)\)|(?:[0-9a-fA-F]{2}[:\- ]){7,200}[0-9a-fA-F]{2}|[A-Za-z0-9+/_-]{16,}={0,2}|[A-Za-z0-9]+/g

/** `sha256=(64 hex)`: no character of it, since some would be enough to test guesses of a masked body. */
export function signatureForm(value: string): string {
  if (/^[0-9a-f]{64}$/.test(value)) return '(64 hex)'
  if (/[\x00-\x08\x0e-\x1f\x80-\xff]/.test(value)) return `(${value.length} bytes)`
  return value.replaceAll(forms, (part) => {
    const { length } = part
    if (part.startsWith('(')) return part
    if (/^(?:[0-9a-fA-F]{2}[:\- ]){7}/.test(part)) return `(${Math.ceil(length / 3)} pairs)`
    if (length < 16)
      return (/[a-z]/i.test(part) && isProtocolWord(part)) || epoch.test(part)
        ? part
        : maskText(part)
    if (/^[0-9a-f]+$/.test(part)) return `(${length} hex)`
    if (/^[0-9A-F]+$/.test(part)) return `(${length} HEX)`
    if (/^[0-9a-fA-F]+$/.test(part)) return `(${length} hEx)`
    return `(${length} ${/[-_]/.test(part) ? 'base64url' : 'base64'})`
  })
}

/** Of the sentences that Tabscope writes: reasons, errors, notes, results. All other words in them came from outside. */
const vocabulary: ReadonlySet<string> = new Set(
  Object.values(
    import.meta.glob<string>('../../../../resources/masking/words.txt', {
      eager: true,
      query: '?raw',
      import: 'default',
    }),
  ).flatMap((text) => text.trim().split(/\s+/)),
)
