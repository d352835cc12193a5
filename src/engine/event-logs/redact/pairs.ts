import type { Scan, Edit, RemovalKind } from './edits.ts'
import { isIpAddress, isLoopback } from './contacts.ts'
import { headerMeaning, holdsSecrets, meaningOf } from './names.ts'
import { jsonMembers } from '../../platform/masking/json-members.ts'
import { isSecretField } from '../../platform/masking/secret-names.ts'
import { isPseudonym, pseudonymPattern } from './pseudonyms.ts'
import { looseView } from './views.ts'

const inXml = /<([\w:.-]{2,80})(?:\s[^<>]*)?>([^<>]+)<\//g
const inWords = /(^|[\s,;({>'"])([\w.-]{3,40})["']?[ \t]?:[ \t]?["']?([^\s"',;)}\uE000]{3,})/g
const headerLine =
  /^([ \t<>]*)(cookie|set-cookie|authorization|proxy-authorization|[\w-]*(?:api-key|auth-token|csrf-token|signature))([ \t]*:[ \t]*)([^\r\n\uE000]+)/gim
const scheme = /\b(Bearer|Basic|Token|ApiKey)([ \t]+)([\w.~+/-]{8}[\w.~+/-]*={0,2})/gi
/** A whole run of characters and the two parts behind it: tokens are looked for within, so that no run is read twice. */
const dottedRun = /(?<![\w-])([\w-]{11}[\w-]*)(?=(\.[\w-]{8}[\w-]*(?:\.[\w-]*)?))/g
const jsonWebToken = /\beyJ[\w-]{8}/
const userInfo = /([a-z][a-z0-9+.-]{1,20}:\/\/)([^\s/?#@"'<>\uE000]+)@/gi

export type Take = (kind: RemovalKind, value: string) => string

/**
 * Values that go because of the name before them, in texts of any kind: queries, forms, JSON in the middle of a text, XML, header lines,
 * and what people write into notes.
 */
export function takePairs(scan: Scan, flags: PairFlags, take: Take, kindOf = kindUnder): void {
  if (flags.colon) {
    if (/cookie|authorization|-key|-token|signature/i.test(scan.rest)) takeHeaderLines(scan, take)
    pass(scan, userInfo, ([, lead = '', info = '']) =>
      valueEdit(lead.length, info, 'credential', take),
    )
  }
  if (flags.eyJ) takeJsonWebTokens(scan, take)
  if (flags.scheme) {
    pass(scan, scheme, ([, word = '', space = '', value = '']) =>
      /\d/.test(value) || (/[A-Z]/.test(value) && /[a-z]/.test(value))
        ? valueEdit(word.length + space.length, value, 'credential', take)
        : null,
    )
  }
  if (flags.equals) {
    scan.takeAll(queryEdits(scan.rest, take, kindOf))
    if (/form-data/i.test(scan.rest)) {
      takeFormParts(scan, take, kindOf)
    }
  }
  if (flags.quote && flags.colon) {
    takeJsonMembers(scan, take, kindOf)
  }
  if (flags.angle) {
    pass(scan, inXml, ([all, name = '', value = '']) => {
      const kind = kindOf(lastPart(name), value)
      return kind && valueEdit(all.length - value.length - 2, value, kind, take)
    })
  }
  if (flags.colon) {
    pass(scan, inWords, ([all, , name = '', value = '']) => {
      const kind = kindOf(name, value)
      const sure =
        kind === 'handle' || kind === 'phone' || /password|secret|apikey|passphrase/i.test(name)
      const telling = /\d/.test(value) && value.length >= 8
      return kind && (sure || telling)
        ? valueEdit(all.length - value.length, value, kind, take)
        : null
    })
  }
}

/** A name before an equals sign, as far as it is looked at. */
const queryName = /(?:^|[^\w.%[\]-])([\w.%[\]-]{2,80})$/
const longestQueryName = 81
/** What a value of a query, a form or a list of attributes ends at. */
const queryEnd = /[&\s"'<>;,\uE000]/g
/** Characters of a value by which it is judged. */
const judged = 200

/**
 * Values of queries, forms and attributes. An address may be the value of a parameter, with parameters of its own: each equals sign is looked at,
 * but those in a value that goes. Where a value ends is looked for once, however many names stand in it.
 */
function queryEdits(text: string, take: Take, kindOf: typeof kindUnder): Edit[] {
  const edits: Edit[] = []
  let end = 0
  for (let at = text.indexOf('='); at !== -1; at = text.indexOf('=', at + 1)) {
    const name = queryName.exec(text.slice(Math.max(0, at - longestQueryName), at))?.[1]
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
      decoded(text.slice(from, Math.min(to, from + judged))),
      kindOf,
    )
    if (!kind) continue
    const value = text.slice(from, to)
    const edit = valueEdit(from, value, kind, take, decodedForm(value))
    if (!edit) continue
    edits.push(edit)
    at = to - 1
  }
  return edits
}

/** The quote at which it ends, on the same line; -1: there is none. */
function quoteEnd(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (character === quote) return at
    if (character === '\n' || character === '\r') return -1
  }
  return -1
}

/** `credentials[user]` is below what holds secrets. */
function kindOfPath(name: string, value: string, kindOf: typeof kindUnder): RemovalKind | null {
  const parts = name.split(/[.[\]]+/)
  if (parts.slice(0, -1).some(holdsSecrets)) return value.trim() === '' ? null : 'credential'
  return kindOf(lastPart(name), value)
}

/** What may be in a text, so that only what may be there is looked for. */
export interface PairFlags {
  readonly equals: boolean
  readonly colon: boolean
  readonly quote: boolean
  readonly angle: boolean
  readonly eyJ: boolean
  readonly scheme: boolean
}

function takeHeaderLines(scan: Scan, take: Take): void {
  pass(scan, headerLine, ([, lead = '', name = '', colon = '', value = '']) => {
    const { kind } = headerMeaning(name.toLowerCase())
    if (!kind) return null
    const word = /^(?:Bearer|Basic|Digest|Token|ApiKey) +/i.exec(value)?.[0] ?? ''
    return valueEdit(
      lead.length + name.length + colon.length + word.length,
      value.slice(word.length).trimEnd(),
      kind,
      take,
    )
  })
}

function takeJsonWebTokens(scan: Scan, take: Take): void {
  const pattern = new RegExp(dottedRun)
  const edits: Edit[] = []
  for (let match = pattern.exec(scan.rest); match; match = pattern.exec(scan.rest)) {
    const [run, , behind = ''] = match
    const from = run.search(jsonWebToken)
    if (from === -1) continue
    const edit = valueEdit(match.index + from, run.slice(from) + behind, 'token', take)
    if (edit) edits.push(edit)
    pattern.lastIndex += behind.length
  }
  scan.takeAll(edits)
}

function takeJsonMembers(scan: Scan, take: Take, kindOf: typeof kindUnder): void {
  const edits: Edit[] = []
  for (const { key, value, quoted, from } of jsonMembers(scan.rest)) {
    const kind = kindOf(key, value)
    if (!kind || (!quoted && isTime(value))) continue
    const edit = valueEdit(from, value, kind, take, unescaped(value))
    if (edit) edits.push(quoted ? edit : { ...edit, text: `"${edit.text}"` })
  }
  scan.takeAll(edits)
}

/** The parts of a form (RFC 7578): each has its name in a line of its head, and its value behind the first empty line. */
function takeFormParts(scan: Scan, take: Take, kindOf: typeof kindUnder): void {
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
    const edit = kind && valueEdit(from, value, kind, take)
    if (edit) edits.push(edit)
    name.lastIndex = from + value.length
  }
  scan.takeAll(edits)
}

type Groups = readonly [string, ...(string | undefined)[]]

/** One expression over all that is left; `make` gives the edit, its places counted from where the match begins. */
function pass(scan: Scan, pattern: RegExp, make: (groups: Groups) => Edit | null): void {
  const edits: Edit[] = []
  for (const match of scan.rest.matchAll(pattern)) {
    const edit = make([match[0], ...match.slice(1)])
    if (edit)
      edits.push({ from: match.index + edit.from, to: match.index + edit.to, text: edit.text })
  }
  scan.takeAll(edits)
}

function valueEdit(
  from: number,
  written: string,
  kind: RemovalKind,
  take: Take,
  value = written,
): Edit | null {
  if (value === '' || /\uE000/.test(written) || isPseudonym(value) || isMarked(value)) return null
  return { from, to: from + written.length, text: take(kind, value) }
}

/** Nothing but pseudonyms and markers of records. */
export function isMarked(value: string): boolean {
  return (
    value
      .replaceAll(/«[a-z][a-z0-9_]{0,39}»/g, '')
      .replaceAll(pseudonymPattern, '')
      .trim() === ''
  )
}

/** Why the value under this name goes; null: it need not, for its name. */
export function kindUnder(name: string, value: string): RemovalKind | null {
  const { kind } = meaningOf(name)
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

/** A moment, as text or as seconds or milliseconds since the epoch. */
function isTime(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}(?:[T ][\d:.,]+(?:Z|[+-]\d{2}:?\d{2})?)?$|^(?:1\d{9}|1\d{12})$/.test(
    value,
  )
}

/** `guest[handle]` and `guest.handle` speak of the handle. */
function lastPart(name: string): string {
  return /(?<![\w-])([\w-]+)\]*(?:\[\])?$/.exec(name)?.[1] ?? name
}

function decoded(text: string): string {
  let read = text
  for (let times = 0; times < 4 && read.includes('%'); times += 1) {
    const view = looseView(read)
    if (!view) break
    read = view.text
  }
  return read
}

/** A value of a form or query: a plus is a space, but for one that begins a phone number. */
function decodedForm(text: string): string {
  return decoded(text.replaceAll(/(?<=.)\+/g, ' ').replace(/^\+(?!\d)/, ' '))
}

function unescaped(text: string): string {
  return text.includes('\\') ? (looseView(text)?.text ?? text) : text
}
