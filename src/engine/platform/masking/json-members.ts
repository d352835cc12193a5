import { stringEnd } from '#shared/json/tokenizer.ts'

/** A member whose value is a string or a number. */
export interface JsonMember {
  /** As written, including escapes. */
  readonly key: string
  readonly value: string
  readonly quoted: boolean
  readonly from: number
  readonly to: number
}

/** Up to the opening quote or first digit of the value. The length of the key is limited, to limit the cost of false matches. */
const head = /"((?:[^"\\]|\\.){1,100})"\s*:\s*(?:"|(?=-?\d))/gs
const number = /-?\d[\d.]*/y

/** For a text that is JSON, contains JSON, or is truncated JSON. */
export function* jsonMembers(text: string): Generator<JsonMember, void, undefined> {
  const pattern = new RegExp(head)
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [matched, key = ''] = match
    const from = match.index + matched.length
    const quoted = matched.endsWith('"')
    if (!quoted) number.lastIndex = from
    const end = quoted ? stringEnd(text, from - 1) : from + (number.exec(text)?.[0].length ?? 0)
    const to = end === -1 ? withoutHalfEscape(text) : quoted ? end - 1 : end
    yield { key, value: text.slice(from, to), quoted, from, to }
    pattern.lastIndex = end === -1 ? text.length : end
  }
}

/** The length of a text that is truncated within a string, without a trailing half escape. */
function withoutHalfEscape(text: string): number {
  let slashes = 0
  while (text.charCodeAt(text.length - 1 - slashes) === 0x5c) slashes += 1
  return text.length - (slashes % 2)
}
