import { fromBytes } from '../../platform/byte-text.ts'
import { isRequest, Notes, unterminated, type SplitCommand } from './words.ts'

/** First as cmd reads it, then as the arguments of a Windows program are read. */
export function splitCmd(text: string): SplitCommand {
  const notes = new Notes()
  const isOfBrowser = text.includes('^"') || /User-Agent: Mozilla/i.test(text)
  for (let from = 0; from < text.length;) {
    const [line, end] = withoutCarets(text, from)
    const words = windowsArguments(line, isOfBrowser)
    from = end + 1
    if (isRequest(words[0] ?? '')) {
      notes.addRest(text.slice(end))
      return { words, notes, input: null }
    }
    if (words.length > 0) notes.add(fromBytes(line))
  }
  return { words: [], notes, input: null }
}

/** Up to the end of a command, and where this is. Outside quotes, a caret escapes the next character, and a line end after it is dropped. */
function withoutCarets(text: string, from: number): [string, number] {
  let result = ''
  let isQuoted = false
  let at = from
  for (; at < text.length; at += 1) {
    const character = text[at] ?? ''
    // Without a space, as in a URL that was not quoted, it is more likely meant as it is.
    const isPlain = character === '&' && !/^[\s&]?$/.test(text[at + 1] ?? '')
    if (isQuoted || isPlain || !'^\r\n|<>&'.includes(character)) {
      if (character === '"') isQuoted = !isQuoted
      result += character
    } else if (character === '^') {
      at += lineEndAt(text, at + 1) + 1
      const end = lineEndAt(text, at)
      result += end > 0 ? '\n' : (text[at] ?? '')
      at += Math.max(end - 1, 0)
    } else if (character !== '\r') break
  }
  // The number of a stream, as in `2>nul`.
  return [text[at] === '>' ? result.replace(/ \d$/, '') : result, at]
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
