import type { Scan, Edit, RemovalKind } from './edits.ts'
import { isIpAddress, isLoopback } from './contacts.ts'
import { headerMeaning, fieldMeaning } from './field-names.ts'
import { jsonMembers } from '../../platform/masking/json-members.ts'
import { isSecretField } from '../../platform/masking/secret-names.ts'
import { isPseudonym, pseudonymPattern } from './pseudonyms.ts'
import { looseView } from './decoded-views.ts'

const xmlElement = /<([\w:.-]{2,80})(?:\s[^<>]*)?>([^<>]+)<\//g
const wordPair = /(^|[\s,;({>'"])([\w.-]{3,40})["']?[ \t]?:[ \t]?["']?([^\s"',;)}\uE000]{3,})/g
const headerLine =
  /^([ \t<>]*)(cookie|set-cookie|authorization|proxy-authorization|[\w-]*(?:api-key|auth-token|csrf-token|signature))([ \t]*:[ \t]*)([^\r\n\uE000]+)/gim
const scheme = /\b(Bearer|Basic|Token|ApiKey)([ \t]+)([\w.~+/-]{8}[\w.~+/-]*={0,2})/gi
/** With the two dotted parts after it. Tokens are searched within it, so that no run is read twice. */
const dottedRun = /(?<![\w-])([\w-]{11}[\w-]*)(?=(\.[\w-]{8}[\w-]*(?:\.[\w-]*)?))/g
const jsonWebToken = /\beyJ[\w-]{8}/
const userInfo = /([a-z][a-z0-9+.-]{1,20}:\/\/)([^\s/?#@"'<>\uE000]+)@/gi

export type Replace = (kind: RemovalKind, value: string) => string

/** In any kind of text: queries, forms, JSON within a text, XML, header lines, and notes that people write. */
export function redactPairs(
  scan: Scan,
  flags: PairFlags,
  replace: Replace,
  kindOf = kindUnder,
): void {
  if (flags.colon) {
    if (/cookie|authorization|-key|-token|signature/i.test(scan.rest))
      redactHeaderLines(scan, replace)
    replaceMatches(scan, userInfo, ([, prefix = '', credentials = '']) =>
      valueEdit(prefix.length, credentials, 'credential', replace),
    )
  }
  if (flags.eyJ) redactJsonWebTokens(scan, replace)
  if (flags.scheme) {
    replaceMatches(scan, scheme, ([, schemeName = '', space = '', value = '']) =>
      /\d/.test(value) || (/[A-Z]/.test(value) && /[a-z]/.test(value))
        ? valueEdit(schemeName.length + space.length, value, 'credential', replace)
        : null,
    )
  }
  if (flags.equals) {
    scan.addEdits(queryEdits(scan.rest, replace, kindOf))
    if (/form-data/i.test(scan.rest)) {
      redactFormParts(scan, replace, kindOf)
    }
  }
  if (flags.quote && flags.colon) {
    redactJsonMembers(scan, replace, kindOf)
  }
  if (flags.angle) {
    replaceMatches(scan, xmlElement, ([match, name = '', value = '']) => {
      const kind = kindOf(lastPart(name), value)
      return kind && valueEdit(match.length - value.length - 2, value, kind, replace)
    })
  }
  if (flags.colon) {
    replaceMatches(scan, wordPair, ([match, , name = '', value = '']) => {
      const kind = kindOf(name, value)
      const isUnambiguous =
        kind === 'handle' || kind === 'phone' || /password|secret|apikey|passphrase/i.test(name)
      const looksSecret = /\d/.test(value) && value.length >= 8
      return kind && (isUnambiguous || looksSecret)
        ? valueEdit(match.length - value.length, value, kind, replace)
        : null
    })
  }
}

const queryName = /(?:^|[^\w.%[\]-])([\w.%[\]-]{2,80})$/
const maxQueryNameLength = 81
/** Ends a value of a query, a form or a list of attributes. */
const queryEnd = /[&\s"'<>;,\uE000]/g
/** Only the start of a value determines its kind. */
const judgedLength = 200

/** A value may be a URL with further parameters, so every equals sign is examined. The end of a value is searched only once. */
function queryEdits(text: string, replace: Replace, kindOf: typeof kindUnder): Edit[] {
  const edits: Edit[] = []
  let end = 0
  for (let at = text.indexOf('='); at !== -1; at = text.indexOf('=', at + 1)) {
    const name = queryName.exec(text.slice(Math.max(0, at - maxQueryNameLength), at))?.[1]
    if (name === undefined) continue
    const quote = text.charAt(at + 1)
    let from = at + 1
    let to: number
    if (quote === '"' || quote === "'") {
      from += 1
      to = quoteEnd(text, from, quote)
      if (to === -1) continue
    } else {
      if (end <= at) {
        queryEnd.lastIndex = from
        end = queryEnd.exec(text)?.index ?? text.length
      }
      to = end
    }
    if (to === from) continue
    const kind = kindOfPath(
      decoded(name),
      decoded(text.slice(from, Math.min(to, from + judgedLength))),
      kindOf,
    )
    if (!kind) continue
    const value = text.slice(from, to)
    const edit = valueEdit(from, value, kind, replace, decodedForm(value))
    if (!edit) continue
    edits.push(edit)
    at = to - 1
  }
  return edits
}

/** On the same line; -1 if there is none. */
function quoteEnd(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (character === quote) return at
    if (character === '\n' || character === '\r') return -1
  }
  return -1
}

/** `credentials[user]` is below a name that contains secrets. */
function kindOfPath(name: string, value: string, kindOf: typeof kindUnder): RemovalKind | null {
  const parts = name.split(/[.[\]]+/)
  if (parts.slice(0, -1).some((part) => fieldMeaning(part).holdsSecrets)) {
    return value.trim() === '' ? null : 'credential'
  }
  return kindOf(lastPart(name), value)
}

/** Only relevant patterns are searched for. */
export interface PairFlags {
  readonly equals: boolean
  readonly colon: boolean
  readonly quote: boolean
  readonly angle: boolean
  readonly eyJ: boolean
  readonly scheme: boolean
}

function redactHeaderLines(scan: Scan, replace: Replace): void {
  replaceMatches(scan, headerLine, ([, prefix = '', name = '', colon = '', value = '']) => {
    const { kind } = headerMeaning(name.toLowerCase())
    if (!kind) return null
    const schemeName = /^(?:Bearer|Basic|Digest|Token|ApiKey) +/i.exec(value)?.[0] ?? ''
    return valueEdit(
      prefix.length + name.length + colon.length + schemeName.length,
      value.slice(schemeName.length).trimEnd(),
      kind,
      replace,
    )
  })
}

function redactJsonWebTokens(scan: Scan, replace: Replace): void {
  const pattern = new RegExp(dottedRun)
  const edits: Edit[] = []
  for (let match = pattern.exec(scan.rest); match; match = pattern.exec(scan.rest)) {
    const [run, , rest = ''] = match
    const from = run.search(jsonWebToken)
    if (from === -1) continue
    const edit = valueEdit(match.index + from, run.slice(from) + rest, 'token', replace)
    if (edit) edits.push(edit)
    pattern.lastIndex += rest.length
  }
  scan.addEdits(edits)
}

function redactJsonMembers(scan: Scan, replace: Replace, kindOf: typeof kindUnder): void {
  const edits: Edit[] = []
  for (const { key, value, quoted, from } of jsonMembers(scan.rest)) {
    const kind = kindOf(key, value)
    if (!kind || (!quoted && isTime(value))) continue
    const edit = valueEdit(from, value, kind, replace, unescaped(value))
    if (edit) edits.push(quoted ? edit : { ...edit, text: `"${edit.text}"` })
  }
  scan.addEdits(edits)
}

/** RFC 7578: each part has its name in a header line and its value after the first empty line. */
function redactFormParts(scan: Scan, replace: Replace, kindOf: typeof kindUnder): void {
  const { rest } = scan
  const name = /name="?([^"\r\n;]{2,100})/g
  const emptyLine = /\n\r?\n/g
  const boundary = /\r?\n--/g
  const edits: Edit[] = []
  for (let match = name.exec(rest); match; match = name.exec(rest)) {
    emptyLine.lastIndex = name.lastIndex
    if (!emptyLine.test(rest)) break
    const from = emptyLine.lastIndex
    boundary.lastIndex = from
    const value = rest.slice(from, boundary.exec(rest)?.index)
    const kind = kindOf(match[1] ?? '', value)
    const edit = kind && valueEdit(from, value, kind, replace)
    if (edit) edits.push(edit)
    name.lastIndex = from + value.length
  }
  scan.addEdits(edits)
}

type Groups = readonly [string, ...(string | undefined)[]]

/** `createEdit` returns an edit relative to the start of the match. */
function replaceMatches(
  scan: Scan,
  pattern: RegExp,
  createEdit: (groups: Groups) => Edit | null,
): void {
  const edits: Edit[] = []
  for (const match of scan.rest.matchAll(pattern)) {
    const edit = createEdit([match[0], ...match.slice(1)])
    if (edit)
      edits.push({ from: match.index + edit.from, to: match.index + edit.to, text: edit.text })
  }
  scan.addEdits(edits)
}

function valueEdit(
  from: number,
  rawValue: string,
  kind: RemovalKind,
  replace: Replace,
  value = rawValue,
): Edit | null {
  if (value === '' || /\uE000/.test(rawValue) || isPseudonym(value) || isMarked(value)) return null
  return { from, to: from + rawValue.length, text: replace(kind, value) }
}

/** Only pseudonyms and masks such as `«code»`. */
export function isMarked(value: string): boolean {
  if (!value.includes('«') && !value.includes('redacted-')) return value.trim() === ''
  return (
    value
      .replaceAll(/«[a-z][a-z0-9_]{0,39}»/g, '')
      .replaceAll(pseudonymPattern, '')
      .trim() === ''
  )
}

/** Null: the name is no reason to redact. */
export function kindUnder(name: string, value: string): RemovalKind | null {
  const { kind } = fieldMeaning(name)
  if (kind === null || value.trim() === '') return null
  if (kind === 'phone') return (value.match(/\d/g) ?? []).length >= 5 ? kind : null
  if (kind === 'card') return (value.match(/\d/g) ?? []).length >= 12 ? kind : null
  if (kind === 'ip_address') return isIpAddress(value) && !isLoopback(value.trim()) ? kind : null
  if (kind === 'name') return /\p{L}/u.test(value) ? kind : null
  if (kind === 'handle' || kind === 'signature' || kind === 'iban')
    return /^(?:null|true|false)$/.test(value) ? null : kind
  if (/^(?:null|true|false|bearer|basic)$/i.test(value) || isTime(value)) return null
  return isSecretField(name, value) || kind === 'token' ? kind : null
}

/** As text, or as seconds or milliseconds since the epoch. */
function isTime(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}(?:[T ][\d:.,]+(?:Z|[+-]\d{2}:?\d{2})?)?$|^(?:1\d{9}|1\d{12})$/.test(
    value,
  )
}

/** `handle` for `guest[handle]` and `guest.handle`. */
function lastPart(name: string): string {
  return /(?<![\w-])([\w-]+)\]*(?:\[\])?$/.exec(name)?.[1] ?? name
}

function decoded(text: string): string {
  let result = text
  for (let round = 0; round < 4 && result.includes('%'); round += 1) {
    const view = looseView(result)
    if (!view) break
    result = view.text
  }
  return result
}

/** A plus sign is a space, unless it starts a phone number. */
function decodedForm(text: string): string {
  return decoded(text.replaceAll(/(?<=.)\+/g, ' ').replace(/^\+(?!\d)/, ' '))
}

function unescaped(text: string): string {
  return text.includes('\\') ? (looseView(text)?.text ?? text) : text
}
