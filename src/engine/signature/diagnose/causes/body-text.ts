import { jsonToken } from '#shared/json/tokenizer.ts'
import type { MessageCause } from '../cause.ts'
import type { JsonTokens } from '../json/tokens.ts'
import { converted, message, type Message } from '../subject.ts'
import { replacedPieces } from './encodings.ts'

/** Larger bodies are not tried as printed text, which a developer would notice. */
const printedLimit = 256 * 1024

/** How a language prints the parsed JSON. */
interface Dialect {
  readonly words: string
  readonly string: (text: string) => string
  readonly colon: string
  readonly literals: Readonly<Record<string, string>>
}

const dialects: readonly Dialect[] = [
  {
    words: 'the object as Python’s str() prints it',
    string: pythonRepr,
    colon: ': ',
    literals: { true: 'True', false: 'False', null: 'None' },
  },
  {
    words: 'the object as Ruby prints it',
    string: rubyInspect,
    colon: '=>',
    literals: { null: 'nil' },
  },
  {
    words: 'the object as Ruby 3.4 prints it',
    string: rubyInspect,
    colon: ' => ',
    literals: { null: 'nil' },
  },
  { words: 'the object as Java prints a map', string: (text) => text, colon: '=', literals: {} },
]

/** Texts that a language creates from the body, signed instead of its bytes. */
export const textCauses: readonly MessageCause[] = [
  {
    code: 'body.object_text',
    alone: true,
    tries: 'The body was printed as JavaScript, Python, Ruby, Java and PHP print objects.',
    messages: async ({ body }) => {
      const fixed = ['[object Object]', 'Array'].map((text) => objectText(`“${text}”`, text))
      const tokens = body.bytes.byteLength > printedLimit ? null : await body.json()
      if (!tokens) return fixed
      return [
        ...fixed,
        ...dialects.map((dialect) => objectText(dialect.words, printJson(tokens, dialect))),
      ]
    },
  },
  {
    code: 'body.python_bytes',
    alone: true,
    tries: "The body was printed as b'…', as Python prints bytes.",
    messages: async ({ body: { bytes } }) =>
      bytes.byteLength > printedLimit
        ? []
        : [
            message(
              ['body.python_bytes'],
              'the body as Python prints bytes',
              Buffer.from(pythonBytes(bytes)),
            ),
          ],
  },
  {
    code: 'body.replaced',
    tries: 'Bytes that are not UTF-8 were replaced by U+FFFD, as decoding them as text does.',
    messages: async ({ body }) =>
      body.utf8
        ? []
        : [
            converted(
              'body.replaced',
              'the body with U+FFFD in place of bytes that are not UTF-8',
              () => replacedPieces(body.bytes),
            ),
          ],
  },
]

function objectText(words: string, text: string): Message {
  return message(['body.object_text'], words, Buffer.from(text))
}

function printJson({ source, count, kind, start, end }: JsonTokens, dialect: Dialect): string {
  const pieces: string[] = []
  let before = -1
  for (let index = 0; index < count; index += 1) {
    const token = kind[index] ?? jsonToken.literal
    const text = source.toString('utf8', start[index], end[index])
    const closes = token === jsonToken.objectClose || token === jsonToken.arrayClose
    const opened =
      before === jsonToken.objectOpen || before === jsonToken.arrayOpen || before === -1
    if (before === jsonToken.key) pieces.push(dialect.colon)
    else if (!opened && !closes) pieces.push(', ')
    if (token === jsonToken.key || token === jsonToken.string)
      pieces.push(dialect.string(unquoted(text)))
    else pieces.push(dialect.literals[text] ?? text)
    before = token
  }
  return pieces.join('')
}

function unquoted(json: string): string {
  try {
    const text: unknown = JSON.parse(json)
    return typeof text === 'string' ? text : ''
  } catch {
    // It has control characters or wrong escapes, which the tokens allow.
    return json.slice(1, -1)
  }
}

const pythonShort: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** In single quotes, or in double quotes if the text contains only single ones. */
function pythonRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const inside = text.replaceAll(/[\\'"\u0000-\u001f\u007f-\u00a0\u00ad]/g, (character) => {
    if (character === '\\') return '\\\\'
    if (character === '"' || character === "'")
      return character === quote ? `\\${quote}` : character
    return pythonShort[character] ?? `\\x${hexOf(character)}`
  })
  return quote + inside + quote
}

/** `b'…'`, with non-ASCII bytes as `\xe9`. */
export function pythonBytes(bytes: Buffer): string {
  const repr = pythonRepr(bytes.toString('latin1'))
  return `b${repr.replaceAll(/[\u0080-\u00ff]/g, (character) => `\\x${hexOf(character)}`)}`
}

function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(2, '0')
}

function rubyInspect(text: string): string {
  return JSON.stringify(text).replaceAll(/#(?=[{$@])/g, '\\#')
}
