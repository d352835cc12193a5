import type { ApiRequest } from '#contract/api.ts'
import { splitMasks } from '#contract/masks.ts'
import type { Header } from '#contract/models.ts'
import { AppError } from '../errors.ts'
import { faultOf } from '../http/request-head.ts'
import { quoted } from '../posix-shell/quote.ts'
import { isOfRecords } from './known-secrets.ts'
import { hasHeader } from './outgoing.ts'
import { targetOf } from './target.ts'

/** Longer arguments are more than some systems take, in characters. */
const longestArgument = 30_000

/** The value of a marker; null: it stays a variable of the shell. */
export type Reveal = (name: string) => string | null

/**
 * A request as a command for a POSIX shell. Markers become variables (`«token_12»` is `$TOKEN_12`, the chosen token `$TOKEN`) unless `reveal`
 * has a value for them. Everything else is quoted, so that the shell reads nothing into it. Throws `bad_input`.
 */
export function curlOf(request: ApiRequest, baseUrl: string, reveal: Reveal): string {
  const { method, body, tokenId } = request
  const url = targetOf(baseUrl, request.path, request.query)
  const headers = request.headers
    .filter(({ on }) => on)
    .map(({ name, value }): Header => [name.trim(), value.trim()])
  const bytes = body === '' ? null : Buffer.from(body)
  const fault = faultOf({ method, url, headers, body: bytes })
  if (fault) throw new AppError('bad_input', fault)

  const chosen = tokenId === null ? null : `token_${tokenId}`
  const word = (text: string, write: Write = asItIs): string =>
    wordOf(text, (name) => valueOf(name, chosen, reveal), write)
  const options: string[] = []
  if (method === 'HEAD' && !bytes) options.push('--head')
  else if (method !== 'GET' || bytes) options.push(`-X ${method}`)
  // Markers must be seen as such: the address has them percent-encoded.
  const address = url.href.replaceAll(/%C2%AB([a-z][a-z0-9_]{0,39})%C2%BB/g, '«$1»')
  if (/[[\]{}]/.test(url.href)) options.push('--globoff')
  options.push(word(address, encodeURIComponent))
  // A semicolon is how an empty header is sent; a colon alone would take it out.
  for (const [name, value] of headers) {
    options.push(`-H ${word(value === '' ? `${name};` : `${name}: ${value}`)}`)
  }
  if (chosen !== null && !hasHeader(headers, 'authorization')) {
    options.push(`-H ${word(`Authorization: Bearer «${chosen}»`)}`)
  }
  if (!bytes) {
    if (!['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'].includes(method)) {
      options.push("-H 'Content-Length: 0'")
    }
    return commandOf(options)
  }
  if (!hasHeader(headers, 'content-type')) options.push("-H 'Content-Type:'")
  const isJson = /^\s*[[{]/.test(body)
  const write: Write = (value) => (isJson ? JSON.stringify(value).slice(1, -1) : value)
  if (!body.includes('\0') && body.length <= longestArgument) {
    return commandOf([...options, `--data-raw ${word(body, write)}`])
  }
  const printed = printfOf(body, (name) => valueOf(name, chosen, reveal), write)
  return `${printed} |\n${commandOf([...options, '--data-binary @-'])}`
}

/** How a value is written where it stands. */
type Write = (value: string) => string
const asItIs: Write = (value) => value

/** What stands for a marker: a value, a variable, or the marker itself. */
type Standing = { readonly value: string } | { readonly variable: string } | null

function valueOf(name: string, chosen: string | null, reveal: Reveal): Standing {
  const value = reveal(name)
  if (value !== null) return { value }
  if (!isOfRecords(name)) return null
  return { variable: name === chosen ? 'TOKEN' : name.replace(/^kept_/, '').toUpperCase() }
}

function commandOf(options: readonly string[]): string {
  return ['curl', ...options].join(' \\\n  ')
}

/** One word of the shell. */
function wordOf(text: string, standing: (name: string) => Standing, write: Write): string {
  let literal = ''
  const pieces: string[] = []
  for (const { name, text: part } of splitMasks(text)) {
    const stands = name === null ? null : standing(name)
    if (stands && 'variable' in stands) {
      if (literal !== '') pieces.push(quoted(literal))
      pieces.push(`"$${stands.variable}"`)
      literal = ''
    } else {
      literal += stands ? write(stands.value) : part
    }
  }
  if (literal !== '' || pieces.length === 0) pieces.push(quoted(literal))
  return pieces.join('')
}

/** What no argument can hold (NUL), or is too long for one, is printed by the shell itself. */
function printfOf(text: string, standing: (name: string) => Standing, write: Write): string {
  const variables: string[] = []
  let format = ''
  for (const { name, text: part } of splitMasks(text)) {
    const stands = name === null ? null : standing(name)
    if (stands && 'variable' in stands) {
      variables.push(`"$${stands.variable}"`)
      format += '%s'
    } else {
      format += (stands ? write(stands.value) : part)
        .replaceAll('\\', String.raw`\\`)
        .replaceAll('%', '%%')
        .replaceAll('\0', String.raw`\000`)
    }
  }
  // What begins with a hyphen would be an option.
  const safe = format.startsWith('-') ? String.raw`\055${format.slice(1)}` : format
  return ['printf', quoted(safe), ...variables].join(' ')
}
