import { AppError } from '../../platform/errors.ts'

/** Whether the member of this name, or the element at this index of so many, is meant. */
export type Selector = (step: string | number, length: number) => boolean

export interface Segment {
  readonly selectors: readonly Selector[]
  /** At any depth below. */
  readonly descends: boolean
  /** An index is counted from the end. */
  readonly fromEnd: boolean
}

const any: Selector = () => true
const shorthand = /[A-Za-z_\u0080-\u{10FFFF}][\w\u0080-\u{10FFFF}-]*/uy
const integer = /-?(?:0|[1-9]\d{0,15})(?!\d)/y
const spaces = /[ \t\r\n]*/y

/**
 * A path to values of a JSON text (RFC 9535 without filters): `$.data.name`, `$['a','b']`, `$.items[*].note`, `$.list[-1]`, `$.list[1:3]`,
 * `$..email`. A leading `$` may be left out. Throws `bad_input`, with the place.
 */
export function readPath(path: string): Segment[] {
  return new PathReader(path).read()
}

class PathReader {
  readonly #path: string
  #at = 0

  constructor(path: string) {
    this.#path = path
  }

  read(): Segment[] {
    const path = this.#path
    const segments: Segment[] = []
    if (path.startsWith('$')) this.#at = 1
    else if (!/^[.[]/.test(path)) segments.push(this.#named(false))
    for (;;) {
      this.#match(spaces)
      if (this.#at >= path.length) break
      if (path.startsWith('..', this.#at)) {
        this.#at += 2
        segments.push(path[this.#at] === '[' ? this.#bracket(true) : this.#named(true))
      } else if (path[this.#at] === '.') {
        this.#at += 1
        segments.push(this.#named(false))
      } else if (path[this.#at] === '[') segments.push(this.#bracket(false))
      else this.#fail('a dot or a bracket is expected')
    }
    return segments
  }

  #named(descends: boolean): Segment {
    if (this.#path[this.#at] === '*') {
      this.#at += 1
      return { selectors: [any], descends, fromEnd: false }
    }
    const name = this.#match(shorthand)
    if (!name) this.#fail("a name is expected; write others as ['name']")
    return { selectors: [named(name)], descends, fromEnd: false }
  }

  #bracket(descends: boolean): Segment {
    this.#at += 1
    const selectors: Selector[] = []
    let fromEnd = false
    for (;;) {
      this.#match(spaces)
      const character = this.#path[this.#at] ?? ''
      if (character === '*') {
        this.#at += 1
        selectors.push(any)
      } else if (character === '"' || character === "'") selectors.push(named(this.#quoted()))
      else if (character === '?') this.#fail('filters are not understood here')
      else {
        const { selector, negative } = this.#indexes()
        fromEnd ||= negative
        selectors.push(selector)
      }
      this.#match(spaces)
      const end = this.#path[this.#at]
      if (end !== ',' && end !== ']') this.#fail('a closing bracket is expected')
      this.#at += 1
      if (end === ']') return { selectors, descends, fromEnd }
    }
  }

  /** `2`, `-1`, `1:3`, `::2` (RFC 9535, 2.3.3 and 2.3.4). */
  #indexes(): { selector: Selector; negative: boolean } {
    const began = this.#at
    const first = this.#integer()
    this.#match(spaces)
    if (this.#path[this.#at] !== ':') {
      if (first === null) this.#fail('an index, a quoted name or * is expected')
      const index = first
      return {
        selector: (step, length) => step === (index < 0 ? length + index : index),
        negative: index < 0,
      }
    }
    this.#at += 1
    this.#match(spaces)
    const last = this.#integer()
    this.#match(spaces)
    let by: number | null = null
    if (this.#path[this.#at] === ':') {
      this.#at += 1
      this.#match(spaces)
      by = this.#integer()
    }
    const stride = by ?? 1
    if (stride < 1) {
      this.#at = began
      this.#fail('a slice goes forwards here')
    }
    return {
      selector: (step, length) => {
        if (typeof step !== 'number') return false
        const from = place(first ?? 0, length)
        return step >= from && step < place(last ?? length, length) && (step - from) % stride === 0
      },
      negative: true,
    }
  }

  #integer(): number | null {
    const written = this.#match(integer)
    return written === '' ? null : Number(written)
  }

  #quoted(): string {
    const quote = this.#path[this.#at]
    const began = this.#at
    let name = ''
    for (this.#at += 1; this.#at < this.#path.length; this.#at += 1) {
      const character = this.#path[this.#at] ?? ''
      if (character === quote) {
        this.#at += 1
        return name
      }
      if (character !== '\\') name += character
      else {
        this.#at += 1
        name += this.#escaped()
      }
    }
    this.#at = began
    return this.#fail('a quote is not closed')
  }

  #escaped(): string {
    const character = this.#path[this.#at] ?? ''
    const short = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
    if (/[\\/"']/.test(character)) return character
    const known = Object.entries(short).find(([letter]) => letter === character)?.[1]
    if (known !== undefined) return known
    const unit = /^u([0-9a-fA-F]{4})/.exec(this.#path.slice(this.#at))?.[1]
    if (unit === undefined) return this.#fail('an escape is expected')
    this.#at += 4
    return String.fromCharCode(Number.parseInt(unit, 16))
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#path)?.[0] ?? ''
    this.#at += found.length
    return found
  }

  #fail(what: string): never {
    const where = this.#at >= this.#path.length ? 'at its end' : `at character ${this.#at + 1}`
    throw new AppError(
      'bad_input',
      `The path "${this.#path.slice(0, 100)}" cannot be read ${where}: ${what}. Write it as in $.data.items[*].note or $..email.`,
    )
  }
}

function named(name: string): Selector {
  return (step) => step === name
}

/** An index of a slice, within the array. */
function place(index: number, length: number): number {
  return Math.min(Math.max(index < 0 ? length + index : index, 0), length)
}
