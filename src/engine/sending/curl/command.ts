import { parseArgs, type ParseArgsConfig } from 'node:util'
import type { Header } from '#contract/models.ts'
import { AppError } from '../../platform/errors.ts'
import { maxIgnored, splitCommand } from './split.ts'

export interface CurlRequest {
  readonly method: string
  readonly url: string
  /** Values are Latin-1, one character per byte. */
  readonly headers: readonly Header[]
  readonly body: Uint8Array
  /** Options and parts of the command that the request does not have. */
  readonly ignored: readonly string[]
}

/** Their values would otherwise be read as URLs. */
const otherValues =
  'abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers connect-timeout connect-to continue-at cookie-jar create-file-mode crlfile curves delegation dns-interface dns-ipv4-addr dns-ipv6-addr dns-servers doh-url dump-header engine etag-compare etag-save expect100-timeout happy-eyeballs-timeout-ms hsts interface keepalive-time key key-type limit-rate local-port max-filesize max-redirs max-time netrc-file noproxy output output-dir parallel-max pass pinnedpubkey preproxy proto proto-default proto-redir proxy proxy-cacert proxy-cert proxy-header proxy-key proxy-pass proxy-user rate request-target resolve retry retry-delay retry-max-time socks5 socks5-hostname speed-limit speed-time stderr time-cond tls-max tls13-ciphers trace trace-ascii trace-config unix-socket url-query variable write-out'

const otherShort: Readonly<Record<string, string>> = {
  C: 'continue-at',
  D: 'dump-header',
  E: 'cert',
  U: 'proxy-user',
  Y: 'speed-limit',
  c: 'cookie-jar',
  m: 'max-time',
  o: 'output',
  w: 'write-out',
  x: 'proxy',
  y: 'speed-time',
  z: 'time-cond',
}

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const shortOf = new Map(Object.entries(otherShort).map(([short, name]) => [name, short]))

const options: NonNullable<ParseArgsConfig['options']> = {
  ...Object.fromEntries(
    otherValues.split(' ').map((name) => {
      const short = shortOf.get(name)
      return [name, short === undefined ? text : { ...text, short }] as const
    }),
  ),
  request: { ...text, short: 'X' },
  url: text,
  header: { ...text, short: 'H' },
  data: { ...text, short: 'd' },
  'data-ascii': text,
  'data-raw': text,
  'data-binary': text,
  'data-urlencode': text,
  json: text,
  get: { ...flag, short: 'G' },
  head: { ...flag, short: 'I' },
  user: { ...text, short: 'u' },
  basic: flag,
  'oauth2-bearer': text,
  'user-agent': { ...text, short: 'A' },
  referer: { ...text, short: 'e' },
  cookie: { ...text, short: 'b' },
  range: { ...text, short: 'r' },
  form: { ...text, short: 'F' },
  'form-string': text,
  'upload-file': { ...text, short: 'T' },
  config: { ...text, short: 'K' },
  insecure: { ...flag, short: 'k' },
  location: { ...flag, short: 'L' },
}

const noForm = 'Multipart forms (-F) cannot be composed. Use --data-raw with the body.'
const refused: Readonly<Record<string, string>> = {
  form: noForm,
  'form-string': noForm,
  'upload-file': 'Uploads (-T) are not read. Start from the file instead, which becomes the body.',
  config: 'Files with options (-K) are not read. Put the options into the command.',
  digest: 'Digest authentication cannot be composed, only -u with basic authentication.',
}

/** Of curl itself or its output, and of no interest for the request. */
const silent = new Set(
  'silent s show-error S verbose v include i output o write-out w dump-header D fail f fail-with-body progress-bar # no-progress-meter no-buffer N globoff g path-as-is stderr trace trace-ascii basic http1.1'.split(
    ' ',
  ),
)

const bad = (message: string): AppError => new AppError('bad_input', message)

/** Reads a command as curl does; files that it names are not read. Throws `bad_input` with what the command contains that cannot be composed. */
export function readCurlCommand(command: string): CurlRequest {
  const { words, ignored } = splitCommand(command)
  // A copied line may start with the prompt of the shell.
  const [name = '', ...args] = /^[$%>#]$/.test(words[0] ?? '') ? words.slice(1) : words
  if (!/(?:^|[/\\])curl(?:\.exe)?$/i.test(name)) {
    throw bad('This is not a cURL command. It must start with curl.')
  }
  const { tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const request = new RequestBuilder(ignored)
  for (const token of tokens) {
    if (token.kind === 'positional') request.addUrl(token.value)
    else if (token.kind === 'option') request.addOption(token.name, token.rawName, token.value)
  }
  return request.build()
}

class RequestBuilder {
  readonly #ignored: string[]
  readonly #urls: string[] = []
  readonly #headers: Header[] = []
  /** Headers that options set; the `-H` of the same name wins. */
  readonly #implied: Header[] = []
  /** Lower-case names of headers that curl would add, and that the command removes. */
  readonly #removed = new Set<string>()
  readonly #data: string[] = []
  #method: string | null = null
  #isQuery = false
  #isHead = false

  constructor(ignored: readonly string[]) {
    this.#ignored = [...ignored]
  }

  addUrl(url: string): void {
    this.#urls.push(url)
  }

  addOption(name: string, written: string, given: string | undefined): void {
    const reason = Object.hasOwn(refused, name) ? refused[name] : undefined
    if (reason !== undefined) throw bad(reason)
    const value = given ?? ''
    switch (name) {
      case 'request':
        this.#method = value
        break
      case 'url':
        this.#urls.push(value)
        break
      case 'header':
        this.#addHeader(value)
        break
      case 'data':
      case 'data-ascii':
      case 'data-binary':
        if (value.startsWith('@')) throw namesFile(written, value.slice(1))
        this.#data.push(value)
        break
      case 'data-raw':
        this.#data.push(value)
        break
      case 'data-urlencode':
        this.#data.push(urlEncoded(written, value))
        break
      case 'json':
        if (value.startsWith('@')) throw namesFile(written, value.slice(1))
        this.#data.push(value)
        this.#implied.push(['Content-Type', 'application/json'], ['Accept', 'application/json'])
        break
      case 'get':
        this.#isQuery = true
        break
      case 'head':
        this.#isHead = true
        break
      case 'user':
        if (!value.includes(':')) throw bad(`${written} requires user:password here.`)
        this.#implied.push(['Authorization', `Basic ${toBase64(value)}`])
        break
      case 'oauth2-bearer':
        this.#implied.push(['Authorization', `Bearer ${value}`])
        break
      case 'user-agent':
        this.#implied.push(['User-Agent', value])
        break
      case 'referer':
        this.#implied.push(['Referer', value])
        break
      case 'cookie':
        if (!value.includes('=')) throw namesFile(written, value)
        this.#implied.push(['Cookie', value])
        break
      case 'range':
        this.#implied.push(['Range', `bytes=${value}`])
        break
      default:
        if (!silent.has(name)) this.#ignore(written)
    }
  }

  build(): CurlRequest {
    const [first, ...others] = this.#urls
    if (first === undefined) throw bad('The command has no URL.')
    if (others.length > 0) {
      throw bad(`The command has ${this.#urls.length} URLs. Enter one request at a time.`)
    }
    const data = this.#data.length === 0 ? null : joinedData(this.#data, this.#implied)
    const url = /^[a-z][a-z\d+.-]*:\/\//i.test(first) ? first : `http://${first}`
    const inBody = this.#isQuery ? null : data
    const method = this.#method ?? (this.#isHead ? 'HEAD' : inBody === null ? 'GET' : 'POST')
    return {
      method,
      url: utf8(this.#isQuery && data !== null ? withQuery(url, data) : url),
      headers: this.#allHeaders(inBody !== null),
      body: Buffer.from(inBody ?? '', 'latin1'),
      ignored: this.#ignored,
    }
  }

  /** `Name: value`; `Name;` is an empty header, and `Name:` removes one that curl would add. */
  #addHeader(written: string): void {
    if (written.startsWith('@')) throw namesFile('-H', written.slice(1))
    const at = written.indexOf(':', 1)
    const name = trimBlanks(written.slice(0, at))
    const value = at === -1 ? '' : trimBlanks(written.slice(at + 1))
    if (at === -1 && written.endsWith(';'))
      this.#headers.push([trimBlanks(written.slice(0, -1)), ''])
    else if (at === -1) this.#ignore(`-H ${utf8(written)}`)
    else if (value === '') this.#removed.add(name.toLowerCase())
    // A pseudo header of HTTP/2, which browsers copy too.
    else if (!name.startsWith(':')) this.#headers.push([name, value])
  }

  #ignore(text: string): void {
    const { length } = this.#ignored
    if (length < maxIgnored && !this.#ignored.includes(text)) this.#ignored.push(text)
  }

  #allHeaders(hasData: boolean): Header[] {
    const names = new Set(this.#headers.map(([name]) => name.toLowerCase()))
    const form: Header = ['Content-Type', 'application/x-www-form-urlencoded']
    const implied = new Map<string, Header>()
    for (const header of [...(hasData ? [form] : []), ...this.#implied]) {
      const lower = header[0].toLowerCase()
      if (!names.has(lower) && !this.#removed.has(lower)) implied.set(lower, header)
    }
    return [...this.#headers, ...implied.values()]
  }
}

function namesFile(option: string, file: string): AppError {
  return bad(
    `${option} names the file ${utf8(file) || '(none)'}, which is not read. Put its content into the command, or start from the file, which becomes the body.`,
  )
}

/** Parts of `--json` are joined without a separator. */
function joinedData(data: readonly string[], implied: readonly Header[]): string {
  return data.join(implied.some(([, value]) => value === 'application/json') ? '' : '&')
}

function withQuery(url: string, query: string): string {
  const [address = '', fragment] = url.split('#', 2)
  const joined = `${address}${address.includes('?') ? '&' : '?'}${query}`
  return fragment === undefined ? joined : `${joined}#${fragment}`
}

function urlEncoded(option: string, value: string): string {
  const at = value.search(/[=@]/)
  if (value[at] === '@') throw namesFile(option, value.slice(at + 1))
  if (at === -1) return encodeBytes(value)
  const name = value.slice(0, at)
  return `${name === '' ? '' : `${name}=`}${encodeBytes(value.slice(at + 1))}`
}

function encodeBytes(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9._~-]/g, (byte) =>
    byte === ' ' ? '+' : `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
}

/** Spaces and tabs only: other white space may be part of a UTF-8 character. */
function trimBlanks(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && ' \t'.includes(text[from] ?? '')) from += 1
  while (to > from && ' \t'.includes(text[to - 1] ?? '')) to -= 1
  return text.slice(from, to)
}

function utf8(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

function toBase64(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('base64')
}
