import { stringEnd } from '#shared/json/tokenizer.ts'

/** A member of a JSON object whose value is a string or a number, wherever in a text it stands. */
export interface JsonMember {
  /** As it is written, escapes included. */
  readonly key: string
  /** The value as it is written, without its quotes. */
  readonly value: string
  readonly quoted: boolean
  /** Where the value begins in the text, behind its quote. */
  readonly from: number
  /** Where it ends, before its quote. */
  readonly to: number
}

/** Up to the opening quote of the value, or to its first digit. The key is bounded: a start that is none costs no more than that. */
const head = /"((?:[^"\\]|\\.){1,100})"\s*:\s*(?:"|(?=-?\d))/gs
const number = /-?\d[\d.]*/y

/** The members in a text that may be JSON, hold JSON, or break off in the middle of it. */
export function* jsonMembers(text: string): Generator<JsonMember, void, undefined> {
  const pattern = new RegExp(head)
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [whole, key = ''] = match
    const from = match.index + whole.length
    const quoted = whole.endsWith('"')
    if (!quoted) number.lastIndex = from
    const end = quoted ? stringEnd(text, from - 1) : from + (number.exec(text)?.[0].length ?? 0)
    const to = end === -1 ? withoutHalfEscape(text) : quoted ? end - 1 : end
    yield { key, value: text.slice(from, to), quoted, from, to }
    pattern.lastIndex = end === -1 ? text.length : end
  }
}

/** The length of a text that breaks off within a string, without a backslash whose other half is missing. */
function withoutHalfEscape(text: string): number {
  let slashes = 0
  while (text.charCodeAt(text.length - 1 - slashes) === 0x5c) slashes += 1
  return text.length - (slashes % 2)
}
