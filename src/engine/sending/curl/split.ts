import { AppError } from '../../platform/errors.ts'

/** A command as its shell splits it. Bytes are Latin-1 text, one character per byte. */
export interface SplitCommand {
  readonly words: readonly string[]
  /** What is not part of the command or was not evaluated, such as `| jq` or `$TOKEN`. */
  readonly ignored: readonly string[]
}

/**
 * Splits a command of a POSIX shell with ANSI-C quotes (`$'…'`), or of cmd as browsers copy it (`^"…^"`). Nothing is expanded. Throws `bad_input` for a quote
 * without an end.
 */
export function splitCommand(text: string): SplitCommand {
  const bytes = latin1(text)
  return isCmd(bytes) ? cmdWords(bytes) : new PosixWords(bytes).split()
}

function latin1(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

/** Carets at the ends of lines, before quotes or operators, and nothing that only a POSIX shell has. */
function isCmd(text: string): boolean {
  if (/\\\r?\n/.test(text)) return false
  return /\s\^"|\^\r?\n/.test(text) || (/\^[&|<>]/.test(text) && !text.includes("'"))
}

function unterminated(): AppError {
  return new AppError('bad_input', 'The command ends within quotes. Copy all of it.')
}

export const maxIgnored = 20

const plain = /[^ \t\r\n\\'"$`|;<>&]+/y
const space = /[ \t\r\n]+/y
const escape =
  /\\(?:u([dD][89abAB][\da-fA-F]{2})\\u([dD][c-fC-F][\da-fA-F]{2})|([0-7]{1,3})|x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|([^]))/g
/** After a backslash. Others stay with it. */
const escapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  e: '\u001B',
  E: '\u001B',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '"': '"',
  '?': '?',
  '\\': '\\',
}

class PosixWords {
  readonly #text: string
  #at = 0
  readonly #words: string[] = []
  readonly #ignored: string[] = []
  #word: string | null = null

  constructor(text: string) {
    this.#text = text
  }

  split(): SplitCommand {
    while (this.#at < this.#text.length && this.#step());
    this.#endWord()
    return { words: this.#words, ignored: this.#ignored }
  }

  /** False: the command ends here. */
  #step(): boolean {
    const text = this.#text
    const at = this.#at
    const character = text[at] ?? ''
    if (this.#take(plain)) return true
    if (this.#take(space, false)) {
      this.#endWord()
      return true
    }
    switch (character) {
      case '\\':
        this.#backslash()
        return true
      case "'":
        this.#append(this.#until(text.indexOf("'", at + 1), at + 1))
        return true
      case '"':
        this.#doubleQuoted(at + 1)
        return true
      case '$':
        if (text[at + 1] === "'") this.#append(decodeEscapes(this.#ansiC(at + 2)))
        else if (text[at + 1] === '"') this.#doubleQuoted(at + 2)
        else {
          this.#noteVariable(at)
          this.#append('$')
          this.#at = at + 1
        }
        return true
      case '&':
      case ';':
        // Within a word, as in a URL that was not quoted, they are more likely meant as they are.
        if (this.#word !== null && !/^\s?$/.test(text[at + 1] ?? '')) break
        return this.#stop(at)
      case '|':
      case '<':
      case '>':
        return this.#stop(at)
      case '`':
        this.#note('`…`')
    }
    this.#append(character)
    this.#at = at + 1
    return true
  }

  #stop(at: number): false {
    // The number of a stream, as in `2>/dev/null`.
    if (/^\d$/.test(this.#word ?? '')) this.#word = null
    const rest = this.#text.slice(at).trim()
    const shown = Buffer.from(rest, 'latin1').toString('utf8')
    if (rest !== ';') this.#note(shown.length > 40 ? `${shown.slice(0, 40)}…` : shown)
    return false
  }

  #take(pattern: RegExp, isContent = true): boolean {
    pattern.lastIndex = this.#at
    const [found] = pattern.exec(this.#text) ?? []
    if (found === undefined) return false
    if (isContent) this.#append(found)
    this.#at += found.length
    return true
  }

  #append(text: string): void {
    this.#word = (this.#word ?? '') + text
  }

  #endWord(): void {
    if (this.#word !== null) this.#words.push(this.#word)
    this.#word = null
  }

  #note(text: string): void {
    const { length } = this.#ignored
    if (length < maxIgnored && !this.#ignored.includes(text)) this.#ignored.push(text)
  }

  #noteVariable(at: number): void {
    const name = /\$(?:\w+|\{\w+\}|\()/y
    name.lastIndex = at
    const [found] = name.exec(this.#text) ?? []
    if (found !== undefined) this.#note(found === '$(' ? '$(…)' : found)
  }

  #until(end: number, from: number): string {
    if (end === -1) throw unterminated()
    this.#at = end + 1
    return this.#text.slice(from, end)
  }

  /** Before a line end, a backslash continues the line. */
  #backslash(): void {
    const next = this.#text.startsWith('\r\n', this.#at + 1)
      ? '\r\n'
      : (this.#text[this.#at + 1] ?? '')
    if (next !== '\n' && next !== '\r\n') this.#append(next)
    this.#at += 1 + next.length
  }

  /** In double quotes, a backslash only escapes `$`, a backtick, `"`, itself and a line end. */
  #doubleQuoted(from: number): void {
    const special = /["\\$`]/g
    let content = ''
    for (let start = from; ;) {
      special.lastIndex = start
      const at = special.exec(this.#text)?.index
      if (at === undefined) throw unterminated()
      content += this.#text.slice(start, at)
      const next = this.#text[at + 1] ?? ''
      if (this.#text[at] === '"') {
        this.#append(content)
        this.#at = at + 1
        return
      }
      if (this.#text[at] === '\\' && '$`"\\\n'.includes(next)) {
        if (next !== '\n') content += next
        start = at + 2
      } else {
        if (this.#text[at] === '$') this.#noteVariable(at)
        else if (this.#text[at] === '`') this.#note('`…`')
        content += this.#text[at] ?? ''
        start = at + 1
      }
    }
  }

  #ansiC(from: number): string {
    const special = /['\\]/g
    for (let start = from; ;) {
      special.lastIndex = start
      const at = special.exec(this.#text)?.index ?? -1
      if (at === -1 || this.#text[at] === "'") return this.#until(at, from)
      start = at + 2
    }
  }
}

function decodeEscapes(text: string): string {
  return text.replace(
    escape,
    (
      _,
      high?: string,
      low?: string,
      octal?: string,
      byte?: string,
      unit?: string,
      point?: string,
      other?: string,
    ) => {
      if (high !== undefined && low !== undefined) {
        return latin1(String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)))
      }
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
      if (byte !== undefined) return String.fromCharCode(Number.parseInt(byte, 16))
      const code = Number.parseInt(unit ?? point ?? '', 16)
      if (code <= 0x10_ff_ff) return latin1(String.fromCodePoint(code))
      return other === undefined ? '\uFFFD' : (escapes[other] ?? `\\${other}`)
    },
  )
}

/** First as cmd reads it, then as the arguments of a Windows program are read. */
function cmdWords(text: string): SplitCommand {
  const isOfBrowser = text.includes('^"')
  return { words: windowsArguments(withoutCarets(text), isOfBrowser), ignored: [] }
}

/** Outside quotes, a caret escapes the next character, and a line end after it is dropped. */
function withoutCarets(text: string): string {
  let result = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? ''
    if (isQuoted || !'^\r\n'.includes(character)) {
      if (character === '"') isQuoted = !isQuoted
      result += character
      continue
    }
    if (character === '^') {
      at += lineEndAt(text, at + 1) + 1
      const end = lineEndAt(text, at)
      result += end > 0 ? '\n' : (text[at] ?? '')
      at += Math.max(end - 1, 0)
    } else result += ' '
  }
  return result
}

function lineEndAt(text: string, at: number): number {
  if (text.startsWith('\r\n', at)) return 2
  return text[at] === '\n' ? 1 : 0
}

/**
 * Backslashes are special before quotes only: two are one, and an odd one escapes the quote. In quotes, two quotes are one. Browsers also double the
 * other backslashes (`isOfBrowser`), which Windows would send twice; here they are as in the request that was copied.
 */
function windowsArguments(text: string, isOfBrowser: boolean): string[] {
  const words: string[] = []
  const piece = /(\\*)"|[ \t]+|\\+|[^\\" \t]+/y
  let word: string | null = null
  let isQuoted = false
  for (let match = piece.exec(text); match; match = piece.exec(text)) {
    const [found, slashes] = match
    if (slashes !== undefined) {
      word = (word ?? '') + '\\'.repeat(Math.floor(slashes.length / 2))
      const isDouble = isQuoted && text[piece.lastIndex] === '"'
      if (slashes.length % 2 === 1) word += '"'
      else if (isDouble) {
        word += '"'
        piece.lastIndex += 1
      } else isQuoted = !isQuoted
    } else if (/^[ \t]/.test(found) && !isQuoted) {
      if (word !== null) words.push(word)
      word = null
    } else {
      const isDoubled = isOfBrowser && found.startsWith('\\')
      word = (word ?? '') + (isDoubled ? found.slice(Math.floor(found.length / 2)) : found)
    }
  }
  if (isQuoted) throw unterminated()
  return word === null ? words : [...words, word]
}
