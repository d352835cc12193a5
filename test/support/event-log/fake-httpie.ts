// Replaces HTTPie where it is not installed. Supports only what our scripts use, as documented, and refuses anything else.
import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'

const separators = [':=@', ':@', ':=', '==@', '==', '=@', '=', '@', ':', ';']

/** A backslash escapes a separator character, and is literal before any other character. */
function readItem(item: string): { name: string; separator: string; value: string } {
  let read = ''
  let found: { name: string; separator: string } | null = null
  for (let at = 0; at < item.length; at += 1) {
    const character = item.charAt(at)
    if (character === '\\') {
      const next = item.charAt(at + 1)
      read += next !== '' && ':=@;'.includes(next) ? next : character + next
      at += 1
      continue
    }
    const separator: string | undefined = found
      ? undefined
      : separators.find((one) => item.startsWith(one, at))
    if (separator === undefined) read += character
    else {
      found = { name: read, separator }
      read = ''
      at += separator.length - 1
    }
  }
  if (!found) throw new Error(`no item: ${item}`)
  return { ...found, value: read }
}

const words = rawArguments()
const end = words.indexOf('--')
const options = words.filter((word, at) => word.startsWith('--') && (end === -1 || at <= end))
for (const option of options) {
  if (!['--path-as-is', '--ignore-stdin', '--'].includes(option))
    throw new Error(`unknown: ${option}`)
}
const [method = '', address = '', ...items] = words.filter(
  (word, at) => !word.startsWith('--') || (end !== -1 && at > end),
)
if (!/^[a-zA-Z]+$/.test(method)) throw new Error(`no method: ${method}`)
const body = options.includes('--ignore-stdin') ? null : readFileSync(0)
const read = items.map(readItem)
const given: string[] = []
const off: string[] = []
for (const { name, separator, value } of read) {
  if (separator === ';' && value === '') given.push(`${name}:`)
  else if (separator === ':' && value === '') off.push(name.toLowerCase())
  else if (separator === ':') given.push(`${name}: ${value.trim()}`)
  else throw new Error(`this would be no header: ${name}${separator}`)
}
const own = [
  'User-Agent: HTTPie/3.2.1',
  'Accept-Encoding: gzip, deflate',
  'Accept: */*',
  'Connection: keep-alive',
]
if (body && body.byteLength > 0) own.push('Content-Type: application/json')
const headers = [
  ...own.filter((line) => {
    const [name = ''] = line.toLowerCase().split(':', 1)
    return !off.includes(name) && !given.some((header) => named(header, name))
  }),
  ...given,
]
await sendRaw(method, address, headers, body && body.byteLength > 0 ? body : null)

/** The arguments as Latin-1 text with one character per byte. Node reads them as UTF-8. */
function rawArguments(): string[] {
  const own = '/proc/self/cmdline'
  const all = existsSync(own)
    ? readFileSync(own, 'latin1').split('\0').slice(0, -1)
    : process.argv.map((argument) => Buffer.from(argument).toString('latin1'))
  return all.slice(all.findIndex((argument) => argument.endsWith('.ts')) + 1)
}

/** Sends a request unchanged, with all text as Latin-1, and waits for the start of a response. */
async function sendRaw(
  method: string,
  address: string,
  headers: readonly string[],
  body: Buffer | null,
): Promise<void> {
  const [, host = '', port = '80', target = ''] =
    /^http:\/\/([^/:]+)(?::([0-9]+))?(\/.*)?$/.exec(address) ?? []
  const says = (name: string): boolean => headers.some((header) => named(header, name))
  const lines = [
    `${method} ${target === '' ? '/' : target} HTTP/1.1`,
    `Host: ${host}:${port}`,
    ...headers,
    ...(body && !says('content-length') ? [`Content-Length: ${body.byteLength}`] : []),
  ]
  const socket = connect(Number(port), host)
  socket.write(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'))
  if (body) socket.write(body)
  await new Promise((resolve, reject) => socket.once('data', resolve).once('error', reject))
  socket.destroy()
}

function named(header: string, lowerName: string): boolean {
  return header.toLowerCase().startsWith(`${lowerName}:`)
}
