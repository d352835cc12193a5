import { fromBytes, toBytes } from '../../platform/byte-text.ts'
import { bad, isRequest, Notes, unterminated, type SplitCommand } from './words.ts'

const plain = /[^ \t\r\n\\'"$`|;<>&#]+/y
const blanks = /[ \t\r]+|\\[ \t]*\r?\n/y
/** No command starts with a dash: the backslash at the line end was lost. */
const lineWithOption = /[ \t\r]*-/y
const variable = /\$(?:(\w+)|\{(\w+)\}|\()/y
const heredoc = /<<(-?)[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|(\\?)([\w.-]+))/y
const heredocCommand = /\$\([ \t\n]*cat[ \t]*(?=<<)/y
const substitutionEnd = /\s*\)/y
/** In UTF-8: – — ‘ ’ ‚ “ ” „ */
const typographic = /^\xE2\x80[\x93\x94\x98-\x9A\x9C-\x9E]/
const beforeName = /^(?:[A-Za-z_]\w*=|(?:export|env|sudo|time|[$%])$)/
const keyword = /^(?:(?:for|while|until|if|case|do|then|function)$|[{(])/
const escape =
  /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\(?:[0-7]{1,3}|x[\da-fA-F]{1,2}|u[\da-fA-F]{1,4}|U[\da-fA-F]{1,8}|[^])/g
const letters = 'abeEfnrtv'
const controls = '\x07\b\x1B\x1B\f\n\r\t\v'
const maxExpanded = 16_000_000

export class PosixShell {
  readonly #text: string
  readonly #notes = new Notes()
  readonly #variables = new Map<string, string>()
  #at = 0
  #word: string | null = null
  #words: string[] = []
  #hasName = false
  #expandedLength = 0
  #input: string | null = null
  #isInput = false
  /** Where the line after a heredoc starts. */
  #resume: number | null = null

  constructor(text: string) {
    this.#text = text
  }

  split(): SplitCommand {
    let isFound = false
    while (!isFound && this.#at <= this.#text.length) {
      while (this.#at < this.#text.length && this.#step());
      isFound = this.#endCommand()
    }
    const end = this.#resume === null ? undefined : endOfLine(this.#text, this.#at)
    this.#notes.addRest(this.#text.slice(this.#at, end))
    return { words: isFound ? this.#words : [], notes: this.#notes, input: this.#input }
  }

  /** False: a command ends here. */
  #step(): boolean {
    const text = this.#text
    const at = this.#at
    const character = text[at] ?? ''
    const next = text[at + 1] ?? ''
    plain.lastIndex = at
    blanks.lastIndex = at
    const [found] = plain.exec(text) ?? []
    if (found !== undefined) {
      if (this.#word === null && typographic.test(found)) {
        throw bad(
          'The command has typographic quotes or dashes, which no shell reads. Replace them by those of the keyboard: " or \' and -.',
        )
      }
      return this.#append(found, at + found.length)
    }
    if (blanks.test(text)) {
      if (character !== '\\') this.#endWord()
      this.#at = blanks.lastIndex
      return true
    }
    switch (character) {
      case '\\':
        return this.#append(next, at + 2)
      case "'": {
        const end = text.indexOf("'", at + 1)
        if (end === -1) throw unterminated()
        return this.#append(text.slice(at + 1, end), end + 1)
      }
      case '"':
        return this.#append(...this.#quoted(text, at + 1, '"'))
      case '$':
        if (next === "'") {
          const [content, end] = this.#quoted(text, at + 2, "'")
          return this.#append(decodeEscapes(content), end)
        }
        if (next === '"') return this.#append(...this.#quoted(text, at + 2, '"'))
        return this.#append(...this.#expansion(text, at))
      case '#':
        if (this.#word !== null) break
        this.#at = endOfLine(text, at)
        return true
      case '\n':
        this.#endWord()
        this.#at = (this.#resume ?? at + 1) - 1
        this.#resume = null
        lineWithOption.lastIndex = this.#at + 1
        if (this.#words.length === 0 || !lineWithOption.test(text)) return false
        this.#at += 1
        return true
      case '&':
      case ';':
        // Within a word, as in a URL that was not quoted, they are more likely meant as they are.
        if (!this.#hasName || this.#word === null || /^[\s&;>]?$/.test(next)) return false
        break
      case '<': {
        if (text.startsWith('<<<', at)) {
          this.#endWord()
          this.#isInput = true
          this.#at = at + 3
          return true
        }
        const given = this.#heredoc(at)
        if (!given) return false
        this.#endWord()
        this.#at = heredoc.lastIndex
        ;[this.#input, this.#resume] = given
        return true
      }
      case '|':
      case '>':
        return false
      case '`':
        this.#notes.add('`…`')
    }
    return this.#append(character, at + 1)
  }

  #append(text: string, end: number): true {
    this.#word = (this.#word ?? '') + text
    this.#at = end
    return true
  }

  #endWord(): void {
    if (this.#word === null) return
    if (this.#isInput) this.#input = `${this.#word}\n`
    else this.#words.push(this.#word)
    this.#hasName ||= isRequest(this.#word)
    this.#isInput = false
    this.#word = null
  }

  /** True: it is one of curl. */
  #endCommand(): boolean {
    const operator = this.#text[this.#at] ?? ''
    // The number of a stream, as in `2>/dev/null`.
    if (operator === '>' && /^\d$/.test(this.#word ?? '')) this.#word = null
    this.#endWord()
    const from = this.#words.findIndex((word) => !beforeName.test(word))
    const [name = '', ...args] = from === -1 ? [] : this.#words.slice(from)
    for (const word of from === -1 ? this.#words : this.#words.slice(0, from)) {
      const [key = '', ...value] = word.split('=')
      if (value.length > 0 && name === '') this.#variables.set(key, value.join('='))
      else if (value.length > 0) this.#notes.add(`${key}=…`)
    }
    if (isRequest(name)) {
      this.#words = [name, ...args]
      return true
    }
    const [found] = keyword.exec(name) ?? []
    if (found !== undefined) {
      throw bad(
        `The text is a script with "${found}", which is not run. Copy the curl command alone.`,
      )
    }
    const isPrintf = name === 'printf'
    const isExact = args[0] === (isPrintf ? '%s' : '-n')
    const echoed = isExact ? args.slice(1).join(isPrintf ? '' : ' ') : `${args.join(' ')}\n`
    const copied = name === 'cat' && args.length === 0 ? this.#input : null
    const isEcho = name === 'echo' || (isPrintf && isExact)
    this.#input = operator === '|' ? (isEcho ? echoed : copied) : null
    if (name !== '' && this.#input === null) this.#notes.add(fromBytes([name, ...args].join(' ')))
    this.#words = []
    this.#hasName = false
    this.#at += 1
    return false
  }

  /** The content of a heredoc that starts at `<<`, and where the line after it starts. */
  #heredoc(at: number): [string, number] | null {
    const text = this.#text
    heredoc.lastIndex = at
    const found = heredoc.exec(text)
    if (!found) return null
    const [, dash, single, double, backslash, bare] = found
    const delimiter = single ?? double ?? bare ?? ''
    const lines: string[] = []
    for (let start = this.#resume ?? endOfLine(text, at) + 1; start < text.length;) {
      const end = endOfLine(text, start)
      const written = text.slice(start, end)
      const line = dash === '-' ? written.replace(/^\t+/, '') : written
      start = end + 1
      if (line === delimiter || line === `${delimiter}\r`) {
        const content = lines.map((each) => `${each}\n`).join('')
        return [backslash === '' ? this.#quoted(content, 0, '')[0] : content, start]
      }
      lines.push(line)
    }
    throw bad('The command ends within a heredoc. Copy all of it, with the line that ends it.')
  }

  /** What is at a `$`, and where it ends. A heredoc is not read in another. */
  #expansion(text: string, at: number): [string, number] {
    heredocCommand.lastIndex = at
    if (text === this.#text && heredocCommand.test(text)) {
      let [content, end] = this.#heredoc(heredocCommand.lastIndex) ?? ['', 0]
      while (content.endsWith('\n')) content = content.slice(0, -1)
      substitutionEnd.lastIndex = end
      if (end > 0 && substitutionEnd.test(text)) return [content, substitutionEnd.lastIndex]
    }
    variable.lastIndex = at
    const [found, name, braced] = variable.exec(text) ?? []
    if (found === undefined) return ['$', at + 1]
    const value = this.#variables.get(name ?? braced ?? '')
    this.#expandedLength += value?.length ?? 0
    if (this.#expandedLength > maxExpanded) throw bad('The variables of the command are too long.')
    if (value !== undefined) return [value, at + found.length]
    this.#notes.add(found === '$(' ? '$(…)' : found)
    return ['$', at + 1]
  }

  /** Up to the quote, or the end of `text`. A backslash only escapes `$`, a backtick, the quote, itself and a line end; before `'`, it stays. */
  #quoted(text: string, from: number, quote: '"' | "'" | ''): [string, number] {
    const special = quote === "'" ? /['\\]/g : /["\\$`]/g
    let content = ''
    for (let start = from; ;) {
      special.lastIndex = start
      const at = special.exec(text)?.index ?? text.length
      content += text.slice(start, at)
      const character = text[at] ?? ''
      const next = text[at + 1] ?? ''
      if (character === quote) return [content, at + 1]
      if (character === '') throw unterminated()
      if (character === '`') this.#notes.add('`…`')
      start = at + 1
      if (character === '$') {
        const [value, end] = this.#expansion(text, at)
        content += value
        start = end
      } else if (character === '\\' && quote === "'") {
        content += `\\${next}`
        start = at + 2
      } else if (character === '\\' && next !== '' && `$\`\\\n${quote}`.includes(next)) {
        if (next !== '\n') content += next
        start = at + 2
      } else content += character
    }
  }
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

function decodeEscapes(text: string): string {
  return text.replace(escape, (found) => {
    const kind = found[1] ?? ''
    const digits = found.slice(2)
    if (kind === 'x') return String.fromCharCode(Number.parseInt(digits, 16))
    if (/^[uU]./.test(found.slice(1))) {
      // Two may be the halves of one character.
      const codes = digits.split(`\\${kind}`).map((code) => Number.parseInt(code, 16))
      return toBytes(
        codes.map((code) => (code > 0x10_ff_ff ? '\uFFFD' : String.fromCodePoint(code))).join(''),
      )
    }
    if (/[0-7]/.test(kind)) return String.fromCharCode(Number.parseInt(found.slice(1), 8) & 0xff)
    return controls[letters.indexOf(kind)] ?? (/['"?\\]/.test(kind) ? kind : found)
  })
}
