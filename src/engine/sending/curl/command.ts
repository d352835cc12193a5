import { fromBytes } from '../../platform/byte-text.ts'
import { parseArgs } from 'node:util'
import type { Header } from '#contract/models.ts'
import { multipart, readPart, type Part } from './form.ts'
import { splitCommand } from './split.ts'
import { bad, type Notes, type SplitCommand } from './words.ts'

export interface CurlRequest {
  readonly method: string
  readonly url: string
  /** Values are Latin-1, one character per byte. */
  readonly headers: readonly Header[]
  readonly body: Uint8Array
  /** Options and parts of the command that the request does not have. */
  readonly ignored: readonly string[]
}

/** Options with a value, and what is their letter. The value of one that is not listed would be read as the URL. */
const withValue =
  'request:X url header:H data:d data-ascii data-raw data-binary data-urlencode json user:u oauth2-bearer user-agent:A referer:e cookie:b range:r form:F form-string url-query upload-file:T config:K abstract-unix-socket alt-svc aws-sigv4 cacert capath cert:E cert-type ciphers connect-timeout connect-to continue-at:C cookie-jar:c create-file-mode crlfile curves delegation dns-interface dns-ipv4-addr dns-ipv6-addr dns-servers doh-url dump-header:D engine etag-compare etag-save expect100-timeout happy-eyeballs-timeout-ms hsts interface keepalive-time key key-type limit-rate local-port max-filesize max-redirs max-time:m netrc-file noproxy output:o output-dir parallel-max pass pinnedpubkey preproxy proto proto-default proto-redir proxy:x proxy-cacert proxy-cert proxy-header proxy-key proxy-pass proxy-user:U rate request-target resolve retry retry-delay retry-max-time socks5 socks5-hostname speed-limit:Y speed-time:y stderr time-cond:z tls-max tls13-ciphers trace trace-ascii trace-config unix-socket variable write-out:w'
const withoutValue = 'get:G head:I globoff:g basic insecure:k location:L'

const options = Object.fromEntries([
  ...declared(withValue, 'string'),
  ...declared(withoutValue, 'boolean'),
])

function declared(names: string, type: 'string' | 'boolean') {
  return names.split(' ').map((each) => {
    const [name = '', short] = each.split(':')
    return [name, short === undefined ? { type } : { type, short }] as const
  })
}

const refused: Readonly<Record<string, string>> = {
  'upload-file': 'Uploads (-T) are not read. Start from the file instead, which becomes the body.',
  config: 'Files with options (-K) are not read. Put the options into the command.',
  next: 'The command sends several requests (--next). Enter one request at a time.',
}

/** Of curl itself or its output, and of no interest for the request; and those that `build` reads. */
const silent = new Set(
  'silent s show-error S verbose v include i output o write-out w dump-header D fail f fail-with-body progress-bar # no-progress-meter no-buffer N path-as-is stderr trace trace-ascii basic http1.1 request get head globoff user oauth2-bearer user-agent referer range'.split(
    ' ',
  ),
)

const others: readonly (readonly [RegExp, string])[] = [
  [/^(?:await )?fetch\(/, 'a call of fetch'],
  [/^(?:await )?axios[.(]/, 'a call of axios'],
  [/^wget\s/, 'a command of wget'],
  [/^(?:https?|xhs?)\s/, 'a command of HTTPie'],
  [/^(?:import\s|from\s|requests\.)/, 'Python'],
  [/^(?:GET|POST|PUT|PATCH|DELETE) \S/, 'a request as text'],
  [/^(?:\{|\[\s*\{)/, 'a body, for which you start with an empty request'],
]

/** Reads a command as curl does. Files that it names are not read. Throws `bad_input` with what the text contains that cannot be composed. */
export function readCurlCommand(text: string): CurlRequest {
  const start = startOfCode(text.slice(0, 2000))
  const [, other] = others.find(([pattern]) => pattern.test(start)) ?? []
  const command = other === undefined ? splitCommand(text.trimStart()) : null
  if (!command || command.words.length === 0) {
    throw bad(
      `This is ${other === undefined ? '' : `${other}, `}not a cURL command. It must start with curl. In a browser, choose "Copy as cURL (bash)" for the request.`,
    )
  }
  const { tokens } = parseArgs({
    args: command.words.slice(1),
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const request = new RequestBuilder(command)
  for (const token of tokens) {
    if (token.kind === 'positional') request.addOption('url', '', token.value)
    else if (token.kind === 'option') request.addOption(token.name, token.rawName, token.value)
  }
  return request.build()
}

function startOfCode(text: string): string {
  const lines = text.split('\n')
  const from = lines.findIndex((line) => !/^\s*(?:$|#|\/\/|```|~~~)/.test(line))
  const code = lines.slice(from).join('\n').trimStart()
  return code.replace(/^(?:[^\n'"({|]*[$%>❯]|(?:const |let |var )?\w+ =) /, '')
}

class RequestBuilder {
  readonly #notes: Notes
  #input: string | null
  readonly #given = new Map<string, string>()
  readonly #urls: string[] = []
  readonly #headers: Header[] = []
  /** Lower-case names of headers that curl would add, and that the command removes. */
  readonly #removed = new Set<string>()
  readonly #cookies: string[] = []
  readonly #data: string[] = []
  readonly #query: string[] = []
  readonly #parts: Part[] = []

  constructor({ notes, input }: SplitCommand) {
    this.#notes = notes
    this.#input = input
  }

  addOption(name: string, written: string, given: string | undefined): void {
    const reason = Object.hasOwn(refused, name) ? refused[name] : undefined
    if (reason !== undefined) throw bad(reason)
    if (given === undefined && options[name]?.type === 'string') {
      throw bad(`${written} requires a value.`)
    }
    const value = given ?? ''
    const isFile = value.startsWith('@')
    this.#given.set(name, value)
    switch (name) {
      case 'url':
        this.#urls.push(value)
        break
      case 'header':
        if (isFile) throwNamesFile(written, value.slice(1))
        this.#addHeader(value)
        break
      case 'data':
      case 'data-ascii':
      case 'data-binary':
      case 'json': {
        const content = isFile ? this.#content(written, value.slice(1)) : value
        // Of a file, -d leaves out line ends.
        const isText = isFile && /^data(?:-ascii)?$/.test(name)
        this.#data.push(isText ? content.replaceAll(/[\r\n\0]/g, '') : content)
        break
      }
      case 'data-raw':
        this.#data.push(value)
        break
      case 'data-urlencode':
        this.#data.push(this.#urlEncoded(written, value))
        break
      case 'url-query':
        this.#query.push(value.startsWith('+') ? value.slice(1) : this.#urlEncoded(written, value))
        break
      case 'form':
      case 'form-string': {
        const part = readPart(value, name === 'form')
        if (!part) throw bad(`${written} is read as name=value, also with ;type=.`)
        const [, file] = (name === 'form' && /^[@<](.*)$/s.exec(part.value)) || []
        if (file !== undefined) throwNamesFile(written, file)
        this.#parts.push(part)
        break
      }
      case 'user':
        if (!value.includes(':')) throw bad(`${written} requires user:password here.`)
        break
      case 'cookie':
        if (value.includes('=')) this.#cookies.push(value)
        else this.#notes.add(`${written} ${fromBytes(value)}`)
        break
      default:
        if (!silent.has(name)) this.#notes.add(written)
    }
  }

  build(): CurlRequest {
    const [first] = this.#urls
    const given = this.#given
    if (first === undefined) throw bad('The command has no URL.')
    if (this.#urls.length > 1) {
      throw bad(`The command has ${this.#urls.length} URLs. Enter one request at a time.`)
    }
    if (!given.has('globoff') && /\{[^{},]*,|\[(?:\d+-\d|[a-z]-[a-z])/i.test(first)) {
      throw bad('The URL is a pattern of several requests. Enter one of them, or add -g.')
    }
    const { data, content } = this.#body()
    const isHead = given.has('head')
    const isQuery = isHead || given.has('get')
    const query = isQuery && data !== null ? data : this.#query.join('&')
    const url = /^[a-z][a-z\d+.-]*:\/\//i.test(first) ? first : `http://${first}`
    const hasBody = data !== null && !isQuery
    return {
      method: given.get('request') ?? (isHead ? 'HEAD' : hasBody ? 'POST' : 'GET'),
      url: fromBytes(query === '' ? url : withQuery(url, query)),
      headers: this.#allHeaders(hasBody ? content : []),
      body: Buffer.from(hasBody ? data : '', 'latin1'),
      ignored: this.#notes.texts,
    }
  }

  #body(): { data: string | null; content: Header[] } {
    if (this.#parts.length > 0) {
      if (this.#data.length > 0) throw bad('-d and -F cannot be combined.')
      const at = this.#headers.findIndex(([name]) => name.toLowerCase() === 'content-type')
      const [, type = 'multipart/form-data'] =
        at === -1 ? [] : (this.#headers.splice(at, 1)[0] ?? [])
      const [data, contentType] = multipart(this.#parts, type)
      return { data, content: [['Content-Type', contentType]] }
    }
    const isJson = this.#given.has('json')
    const data = this.#data.length === 0 ? null : this.#data.join(isJson ? '' : '&')
    const type = isJson ? 'application/json' : 'application/x-www-form-urlencoded'
    const content: Header[] = [['Content-Type', type]]
    return { data, content: isJson ? [...content, ['Accept', type]] : content }
  }

  /** Of `-`, the standard input that the text itself has. */
  #content(option: string, file: string): string {
    if (file !== '-' || this.#input === null)
      throwNamesFile(option, file === '-' ? '- (standard input)' : file)
    const content = this.#input
    this.#input = ''
    return content
  }

  /** `Name: value`; `Name;` is an empty header, and `Name:` removes one that curl would add. */
  #addHeader(written: string): void {
    const at = written.indexOf(':', 1)
    const name = trimBlanks(written.slice(0, at))
    const value = at === -1 ? '' : trimBlanks(written.slice(at + 1))
    if (at === -1 && written.endsWith(';'))
      this.#headers.push([trimBlanks(written.slice(0, -1)), ''])
    else if (at === -1) this.#notes.add(`-H ${fromBytes(written)}`)
    else if (value === '') this.#removed.add(name.toLowerCase())
    // A pseudo header of HTTP/2, which browsers copy too.
    else if (!name.startsWith(':')) this.#headers.push([name, value])
  }

  #urlEncoded(option: string, value: string): string {
    const at = value.search(/[=@]/)
    if (at === -1) return encodeBytes(value)
    const name = value.slice(0, at)
    const rest = value.slice(at + 1)
    const content = value[at] === '@' ? this.#content(option, rest) : rest
    return `${name === '' ? '' : `${name}=`}${encodeBytes(content)}`
  }

  /** In the order of curl: those of other options, of `-H`, and of the body. The `-H` of the same name wins. */
  #allHeaders(content: readonly Header[]): Header[] {
    const given = this.#given
    const bearer = given.get('oauth2-bearer')
    const user = given.get('user')
    const range = given.get('range')
    // With these, the first request has no user.
    const isLater = given.has('digest') || given.has('anyauth')
    const basic =
      user === undefined || isLater
        ? undefined
        : `Basic ${Buffer.from(user, 'latin1').toString('base64')}`
    const own = [
      ['Authorization', bearer === undefined ? basic : `Bearer ${bearer}`],
      ['Range', range === undefined ? range : `bytes=${range}${range.includes('-') ? '' : '-'}`],
      ['User-Agent', given.get('user-agent')],
      ['Referer', given.get('referer')],
      ['Cookie', this.#cookies.length === 0 ? undefined : this.#cookies.join(';')],
    ] as const
    const names = new Set([...this.#removed, ...this.#headers.map(([name]) => name.toLowerCase())])
    const wanted = (headers: readonly (readonly [string, string | undefined])[]): Header[] =>
      headers.flatMap(([name, value]) =>
        value === undefined || names.has(name.toLowerCase()) ? [] : [[name, value]],
      )
    return [...wanted(own), ...this.#headers, ...wanted(content)]
  }
}

function throwNamesFile(option: string, file: string): never {
  throw bad(
    `${option} names the file ${fromBytes(file) || '(none)'}, which is not read. Put its content into the command, or start from the file, which becomes the body.`,
  )
}

function withQuery(url: string, query: string): string {
  const [address = '', fragment] = url.split('#', 2)
  const joined = `${address}${address.includes('?') ? '&' : '?'}${query}`
  return fragment === undefined ? joined : `${joined}#${fragment}`
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
