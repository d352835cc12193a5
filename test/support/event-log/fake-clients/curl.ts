// Replaces curl where it is not installed. Supports only what our scripts use, as documented, and refuses anything else.
import { readFileSync } from 'node:fs'
import { named, rawArguments, sendRaw } from './send-raw.ts'

const words = rawArguments()
let method: string | null = null
let address = ''
let body: Buffer | null = null
const given: string[] = []
for (let at = 0; at < words.length; at += 1) {
  const word = words[at] ?? ''
  const value = (): string => {
    at += 1
    return words[at] ?? ''
  }
  switch (word) {
    case '-sS':
    case '--http1.1':
    case '--globoff':
    case '--path-as-is':
      break
    case '-w':
    case '--max-time':
      value()
      break
    case '-X':
      method = value()
      break
    case '--head':
      method = 'HEAD'
      break
    case '-H': {
      const header = value()
      if (header.startsWith('@')) throw new Error('this would be a file')
      given.push(header)
      break
    }
    case '--data-raw':
      body = Buffer.from(value(), 'latin1')
      break
    case '--data-binary': {
      if (value() !== '@-') throw new Error('only standard input is known here')
      body = readFileSync(0)
      break
    }
    default:
      if (word.startsWith('-') || address !== '') throw new Error(`unknown: ${word}`)
      address = word
  }
}
const own = ['User-Agent: curl/8.0.0', 'Accept: */*']
if (body) own.push('Content-Type: application/x-www-form-urlencoded')
if (body && body.byteLength > 1024 * 1024) own.push('Expect: 100-continue')
const headers = [
  ...own.filter((line) => {
    const [name = ''] = line.toLowerCase().split(':', 1)
    return !given.some((header) => named(header, name) || header.toLowerCase() === `${name};`)
  }),
  // A name with only a colon removes a header; with a semicolon, the header is sent empty.
  ...given
    .filter((header) => !/^[^:]+:\s*$/.test(header))
    .map((header) => header.replace(/^([^:;]+);$/, '$1:')),
]
await sendRaw(method ?? (body ? 'POST' : 'GET'), address, headers, body)
