import { toBytes } from '../../platform/byte-text.ts'
import { PosixShell } from './posix.ts'
import { bad, unterminated, type SplitCommand } from './words.ts'

/** In the word that a table becomes: after a key, after a value, and for what is an expression. */
const afterKey = '\u0001'
const afterValue = '\u0002'
const expression = '\u0003'

/** Reads `curl.exe` and, as the command of curl with the same request, Invoke-WebRequest and Invoke-RestMethod. */
export function splitPowerShell(text: string): SplitCommand {
  const command = new PosixShell(asPosix(toBytes(withCharacters(text)))).split()
  const [name = '', ...args] = command.words
  const isWeb =
    !/\.exe$/i.test(name) && (!/curl$/i.test(name) || args.some((arg) => ofAlias.test(arg)))
  if (name === '' || !isWeb) return { ...command, words: command.words.map(withoutBackslashes) }
  return { ...command, words: curlWords(args, (option) => command.notes.add(option)) }
}

const piece =
  /(?<!\S)#[^\n]*|(?<type>\[\w+\])(?=[@$])|`[ \t]*\r?\n|@'[ \t]*\r?\n(?<here>[^]*?)\r?\n'@|@"[ \t]*\r?\n(?<hereDouble>[^]*?)\r?\n"@|@['"][ \t]*\r?\n|'(?<single>[^']*)'|\$(?<set>\w+)[ \t]*=[ \t]*(?:New-Object[^\n]*|(?<command>(?=Invoke-|iwr|irm|curl))|)|\$(?<added>\w+)\.Add\(|\(\[[\w.]+\]::UTF8\.GetBytes\(|\)\)|@\{|[^@'"`$#(){}=;,\s\\]+|[^]/gi

/** The same words for a POSIX shell. A table becomes one word. */
function asPosix(text: string): string {
  let depth = 0
  let result = ''
  piece.lastIndex = 0
  for (let match = piece.exec(text); match; match = piece.exec(text)) {
    const { 0: found, groups = {} } = match
    const { type, here, hereDouble, single, set, command, added } = groups
    const literal = here ?? single
    if (literal !== undefined) {
      result += `'${literal.replaceAll("'", String.raw`'\''`)}'`
      if (single !== undefined && text[piece.lastIndex] === "'") result += String.raw`\'`
    } else if (hereDouble !== undefined) result += `"${asDoubleQuoted(hereDouble)}"`
    else if (found === '"') {
      const end = endOfQuoted(text, piece.lastIndex)
      result += `"${asDoubleQuoted(text.slice(piece.lastIndex, end).replaceAll('""', '`"'))}"`
      piece.lastIndex = end + 1
    } else if (set !== undefined) result += command === undefined ? `${set}=` : ''
    else if (/^@?['"]/.test(found)) throw unterminated()
    else if (added !== undefined || found === '@{' || (depth > 0 && found === '(')) {
      if (added !== undefined) result += `${added}="$${added}"`
      else if (depth > 0) result += expression
      depth += 1
    } else if (type !== undefined) continue
    else if (found.startsWith('`')) result += ' '
    else if (found === '\\') result += '\\\\'
    else if (depth === 0)
      result += found === '(' ? expression : /^(?:\(.|[#)])/.test(found) ? '' : found
    else if (/^[)}]/.test(found)) {
      depth -= found.length
      result += afterValue
    } else if (/^[=,]/.test(found)) result += afterKey
    else if (/^[;\n]/.test(found)) result += afterValue
    else if (!/^[#\s]/.test(found)) result += found
  }
  return result
}

function endOfQuoted(text: string, from: number): number {
  const special = /["`]/g
  special.lastIndex = from
  for (let found = special.exec(text); found; found = special.exec(text)) {
    const isEnd = found[0] === '"' && text[special.lastIndex] !== '"'
    if (isEnd) return found.index
    special.lastIndex += 1
  }
  throw unterminated()
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '\n': '' }

function asDoubleQuoted(content: string): string {
  const text = content.replaceAll(/\$\(\$(\w+)\)/g, '${$1}')
  return text.replaceAll(/`([^])|["\\]/g, (found, escaped?: string) => {
    if (escaped === undefined) return `\\${found}`
    return escapes[escaped] ?? (/["$\\`]/.test(escaped) ? `\\${escaped}` : escaped)
  })
}

/** As browsers write what is not ASCII. Two may be the halves of one character. */
function withCharacters(text: string): string {
  return text.replaceAll(/\$\(\[char\](0x[\da-f]{1,4})\)/gi, (_, code: string) => {
    const character = String.fromCharCode(Number(code))
    return /["$`]/.test(character) ? `\`${character}` : character
  })
}

/** Parameters of Invoke-WebRequest, with the option of curl and what is before the value. */
const parameters: Readonly<Record<string, readonly [string, string]>> = {
  uri: ['--url', ''],
  method: ['-X', ''],
  headers: ['-H', ''],
  body: ['--data-raw', ''],
  contenttype: ['-H', 'Content-Type: '],
  useragent: ['-A', ''],
  custommethod: ['-X', ''],
  form: ['-F', '@'],
  infile: ['-T', ''],
}
/** Of `curl`, which is Invoke-WebRequest in Windows PowerShell. */
const ofAlias = /^-(?:uri|method|headers|body|contenttype|usebasicparsing)$/i

function curlWords(args: readonly string[], note: (option: string) => void): string[] {
  const words = ['curl']
  for (let at = 0; at < args.length; at += 1) {
    const [, name] = /^-(\w+)$/.exec(args[at]?.toLowerCase() ?? '') ?? []
    const key = Object.keys(parameters).find((each) => each.startsWith(name ?? 'uri')) ?? ''
    const [option, before] = parameters[key] ?? []
    if (option === undefined && name !== 'usebasicparsing') note(args[at] ?? '')
    const isSwitch = option === undefined && (args[at + 1]?.startsWith('-') ?? true)
    if (name !== undefined && !isSwitch) at += 1
    const value = args[at] ?? ''
    if (name === undefined && /^@\w/.test(value)) {
      throw bad(
        `The parameters of ${value} are in a table, which is not read. Write them into the command, as in -Uri https://….`,
      )
    }
    if (option === undefined) continue
    if (key === 'headers' && !value.includes(expression)) {
      const pairs = value.split(afterValue).filter((pair) => pair !== '')
      words.push(...pairs.flatMap((pair) => ['-H', pair.replace(afterKey, ': ')]))
    } else if (/[\u0001-\u0003]/.test(value)) {
      throw bad(
        `-${key} has an expression of PowerShell, which is not run. Write its value as a string, or choose "Copy as cURL (bash)" in the browser.`,
      )
    } else words.push(option, key === 'method' ? value.toUpperCase() : `${before}${value}`)
  }
  return words.includes('-X') ? words : [...words, '-X', 'GET']
}

/** Before PowerShell 7.3, quotes in the argument of a program had to be escaped. */
function withoutBackslashes(word: string): string {
  if (/(?<!\\)"/.test(word)) return word
  return word.replaceAll(
    /(?<!\\)(\\+)"/g,
    (_, { length }: string) => `${'\\'.repeat(length >> 1)}"`,
  )
}
