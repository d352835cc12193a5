// Replaces HTTPie where it is not installed. Supports only what our scripts use, as documented, and refuses anything else.
import { readFileSync } from 'node:fs'
import { named, rawArguments, sendRaw } from './send-raw.ts'

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
