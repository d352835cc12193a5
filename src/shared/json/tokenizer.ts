/** A `JsonParser` returns only the first seven: commas and colons are implied. */
export const jsonToken = {
  objectOpen: 0,
  objectClose: 1,
  arrayOpen: 2,
  arrayClose: 3,
  /** A string before a colon. Only a `JsonParser` distinguishes it from other strings. */
  key: 4,
  string: 5,
  literal: 6,
  comma: 7,
  colon: 8,
  other: 9,
  end: 10,
} as const
export type JsonToken = (typeof jsonToken)[keyof typeof jsonToken]

export interface JsonReading {
  /** Strings with raw control characters, invalid escapes or without an end are `other`. */
  readonly strict?: boolean
  /** Byte order marks are skipped like white space. */
  readonly marks?: boolean
}

const literal = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/**
 * Reads the tokens of a JSON text (RFC 8259) with their positions, without creating values: numbers keep their digits, strings their escapes. Bytes can
 * be passed as Latin-1 text, in which positions equal byte offsets.
 */
export class JsonTokenizer {
  readonly text: string
  kind: JsonToken = jsonToken.end
  from = 0
  to: number
  /** False for a string that is truncated by the end of the text. */
  closed = true
  readonly #strict: boolean
  readonly #marks: boolean

  constructor(text: string, { strict = false, marks = false }: JsonReading = {}, from = 0) {
    this.text = text
    this.to = from
    this.#strict = strict
    this.#marks = marks
  }

  next(): JsonToken {
    const { text } = this
    let at = this.to
    let code = text.charCodeAt(at)
    while (
      code === 0x20 ||
      code === 0x0a ||
      code === 0x0d ||
      code === 0x09 ||
      (code === 0xfeff && this.#marks)
    ) {
      at += 1
      code = text.charCodeAt(at)
    }
    this.from = at
    this.to = at + 1
    this.closed = true
    switch (code) {
      case 0x22:
        return (this.kind = this.#string(at))
      case 0x2c:
        return (this.kind = jsonToken.comma)
      case 0x3a:
        return (this.kind = jsonToken.colon)
      case 0x5b:
        return (this.kind = jsonToken.arrayOpen)
      case 0x5d:
        return (this.kind = jsonToken.arrayClose)
      case 0x7b:
        return (this.kind = jsonToken.objectOpen)
      case 0x7d:
        return (this.kind = jsonToken.objectClose)
      default:
        return (this.kind = this.#literal(at))
    }
  }

  get source(): string {
    return this.text.slice(this.from, this.to)
  }

  #literal(at: number): JsonToken {
    if (at >= this.text.length) {
      this.to = at
      return jsonToken.end
    }
    literal.lastIndex = at
    if (!literal.test(this.text)) return jsonToken.other
    this.to = literal.lastIndex
    return jsonToken.literal
  }

  #string(at: number): JsonToken {
    const end = this.#strict ? strictStringEnd(this.text, at) : stringEnd(this.text, at)
    if (end === -1) {
      if (this.#strict) return jsonToken.other
      this.closed = false
    }
    this.to = end === -1 ? this.text.length : end
    return jsonToken.string
  }
}

/**
 * The index after the closing quote of the string that starts at `from`; -1 if it does not end. A loop, because a repeated group of a regular
 * expression overflows the stack on strings of several megabytes.
 */
export function stringEnd(text: string, from: number): number {
  for (let at = from + 1; ;) {
    const end = text.indexOf('"', at)
    if (end === -1) return -1
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes += 1
    if (slashes % 2 === 0) return end + 1
    at = end + 1
  }
}

/** Like `stringEnd`, but also returns -1 for invalid characters and escapes. */
function strictStringEnd(text: string, from: number): number {
  for (let at = from + 1; ;) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return at + 1
    // After the end of the text the code is NaN, for which the comparison is false as well.
    if (!(code >= 0x20)) return -1
    if (code === 0x5c) {
      escape.lastIndex = at
      if (!escape.test(text)) return -1
      at = escape.lastIndex
    } else at += 1
  }
}

/**
 * Reads one JSON value without commas and colons, and without recursion. `end`: the text is valid JSON; `other`: it is invalid from `from` on, and no
 * further tokens follow.
 */
export class JsonParser extends JsonTokenizer {
  /** `first`: the first member after an opening bracket, or the closing bracket. */
  #wants: 'value' | 'first' | 'key' | 'colon' | 'after' = 'value'
  /** For each open bracket, whether it belongs to an object. */
  readonly #open: boolean[] = []
  #inObject = false

  get depth(): number {
    return this.#open.length
  }

  override next(): JsonToken {
    if (this.kind === jsonToken.other) return this.kind
    for (;;) {
      const kind = super.next()
      switch (kind) {
        case jsonToken.comma:
          if (this.#wants !== 'after' || this.depth === 0) return this.#fault()
          this.#wants = this.#inObject ? 'key' : 'value'
          continue
        case jsonToken.colon:
          if (this.#wants !== 'colon') return this.#fault()
          this.#wants = 'value'
          continue
        case jsonToken.end:
          return this.#wants === 'after' && this.depth === 0 ? kind : this.#fault()
        case jsonToken.objectClose:
        case jsonToken.arrayClose:
          return this.#close(kind)
        case jsonToken.string:
          return this.#string()
        case jsonToken.objectOpen:
        case jsonToken.arrayOpen:
          if (!this.#takesValue()) return this.#fault()
          this.#inObject = kind === jsonToken.objectOpen
          this.#open.push(this.#inObject)
          this.#wants = 'first'
          return kind
        case jsonToken.literal:
          if (!this.#takesValue()) return this.#fault()
          this.#wants = 'after'
          return kind
        case jsonToken.key:
        case jsonToken.other:
          return this.#fault()
      }
    }
  }

  /** Characters that would complete a text truncated after a value or in a string. Null: invalid or complete. */
  get closers(): string | null {
    if (this.depth === 0) return null
    const brackets = this.#open
      .toReversed()
      .map((isObject) => (isObject ? '}' : ']'))
      .join('')
    if (!this.closed) return this.#takesValue() ? `"${brackets}` : null
    return this.#wants === 'after' && this.from === this.text.length ? brackets : null
  }

  #takesValue(): boolean {
    return this.#wants === 'value' || (this.#wants === 'first' && !this.#inObject)
  }

  #fault(): JsonToken {
    return (this.kind = jsonToken.other)
  }

  #close(kind: JsonToken): JsonToken {
    const fits = this.depth > 0 && this.#inObject === (kind === jsonToken.objectClose)
    if (!fits || (this.#wants !== 'after' && this.#wants !== 'first')) return this.#fault()
    this.#open.pop()
    this.#inObject = this.#open.at(-1) ?? false
    this.#wants = 'after'
    return kind
  }

  #string(): JsonToken {
    const isKey = !this.#takesValue()
    if (!this.closed || (isKey && this.#wants !== 'key' && this.#wants !== 'first')) {
      return this.#fault()
    }
    this.#wants = isKey ? 'colon' : 'after'
    return (this.kind = isKey ? jsonToken.key : jsonToken.string)
  }
}

/** The index at which the text becomes invalid JSON; null: valid. */
export function jsonFault(text: string): number | null {
  const parser = new JsonParser(text, { strict: true })
  for (;;) {
    const kind = parser.next()
    if (kind === jsonToken.other) return parser.from
    if (kind === jsonToken.end) return null
  }
}
