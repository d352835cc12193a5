import type { Header } from '#contract/models.ts'

/** Has the code that Node's parser uses, so that `faultOfError` handles both alike. */
export function responseFault(code: string): Error {
  return Object.assign(new Error('not HTTP'), { code })
}

export const headLimit = 256 * 1024

export interface ResponseHead {
  readonly status: number
  readonly statusText: string
  readonly httpVersion: string
  readonly headers: readonly Header[]
}

/** RFC 9112, 6.3 */
export type Framing =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunks' }
  | { readonly kind: 'until_close' }

const statusLine = /^HTTP\/(\d\.\d) ([1-9]\d\d)(?: (.*))?$/
const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const control = /[^\t\x20-\x7e\x80-\xff]/

/** `text` is without the empty line. A line may end in LF alone (RFC 9112, 2.2). Throws `responseFault`. */
export function parseHead(text: string): ResponseHead {
  const lines = text.split('\n')
  const { status, statusText, httpVersion } = parseStatusLine(lines[0] ?? '')
  return { status, statusText, httpVersion, headers: parseFields(lines.slice(1)) }
}

export function parseStatusLine(line: string): Omit<ResponseHead, 'headers'> {
  const [, httpVersion = '', status = '', statusText = ''] = statusLine.exec(withoutCr(line)) ?? []
  if (status === '' || control.test(statusText)) throw responseFault('HPE_INVALID_CONSTANT')
  if (httpVersion !== '1.1' && httpVersion !== '1.0') throw responseFault('HPE_INVALID_VERSION')
  return { status: Number(status), statusText, httpVersion }
}

/** Throws `responseFault`. */
export function parseFields(lines: readonly string[]): Header[] {
  const fields: Header[] = []
  for (const line of lines) {
    const bare = withoutCr(line)
    const last = fields.at(-1)
    if (/^[ \t]/.test(bare) && last) {
      // A value that is folded over several lines (RFC 9112, 5.2).
      last[1] = withoutBlanks(`${last[1]} ${withoutBlanks(bare, 0)}`, 0)
      continue
    }
    const colon = bare.indexOf(':')
    const name = bare.slice(0, Math.max(0, colon))
    if (!fieldName.test(name)) throw responseFault('HPE_INVALID_HEADER_TOKEN')
    fields.push([name, withoutBlanks(bare, colon + 1)])
  }
  if (fields.some(([, value]) => control.test(value))) {
    throw responseFault('HPE_INVALID_HEADER_TOKEN')
  }
  return fields
}

/** Throws for an invalid length, or two that differ. */
export function framingOf(head: ResponseHead, method: string): Framing {
  const { status } = head
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return { kind: 'none' }
  const codings = tokensOf(head, 'transfer-encoding')
  // It overrides a length (RFC 9112, 6.3).
  if (codings.length > 0) {
    return { kind: codings.at(-1) === 'chunked' ? 'chunks' : 'until_close' }
  }
  const lengths = tokensOf(head, 'content-length')
  const [first] = lengths
  if (first === undefined) return { kind: 'until_close' }
  if (!/^\d{1,15}$/.test(first) || lengths.some((length) => length !== first)) {
    throw responseFault('HPE_INVALID_CONTENT_LENGTH')
  }
  return { kind: 'length', length: Number(first) }
}

/** Whether another request may follow on the connection (RFC 9112, 9.3). */
export function leavesOpen(head: ResponseHead, framing: Framing): boolean {
  return (
    head.httpVersion === '1.1' &&
    head.status !== 101 &&
    framing.kind !== 'until_close' &&
    !tokensOf(head, 'connection').includes('close') &&
    !(tokensOf(head, 'transfer-encoding').length > 0 && tokensOf(head, 'content-length').length > 0)
  )
}

/** Milliseconds by the `Keep-Alive` header; null if there is none. */
export function keptFor({ headers }: ResponseHead): number | null {
  const timeout = headers.find(([name]) => name.toLowerCase() === 'keep-alive')?.[1]
  const seconds = timeout === undefined ? null : /\btimeout=(\d{1,6})/i.exec(timeout)?.[1]
  return seconds ? Number(seconds) * 1000 : null
}

function tokensOf({ headers }: ResponseHead, name: string): string[] {
  const tokens: string[] = []
  for (const [header, value] of headers) {
    if (header.length !== name.length || header.toLowerCase() !== name) continue
    for (const token of value.split(',')) {
      const bare = token.trim().toLowerCase()
      if (bare !== '') tokens.push(bare)
    }
  }
  return tokens
}

/** Strips blanks and tabs from `from` on. A regular expression would take quadratic time for trailing blanks. */
function withoutBlanks(text: string, from: number): string {
  let start = from
  let end = text.length
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9
}

function withoutCr(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
