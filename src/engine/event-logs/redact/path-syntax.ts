import { AppError } from '../../platform/errors.ts'

/** `step`: a member name or array index. `length`: of the array. */
export type Selector = (step: string | number, length: number) => boolean

export interface Segment {
  readonly selectors: readonly Selector[]
  /** Matches at any depth below (`..`). */
  readonly descends: boolean
  readonly fromEnd: boolean
}

const any: Selector = () => true
const shorthand = /[A-Za-z_\u0080-\u{10FFFF}][\w\u0080-\u{10FFFF}-]*/uy
const integer = /-?(?:0|[1-9]\d{0,15})(?!\d)/y
const spaces = /[ \t\r\n]*/y

/**
 * A JSONPath (RFC 9535 without filters): `$.data.name`, `$['a','b']`, `$.items[*].note`, `$.list[-1]`, `$.list[1:3]`, `$..email`. The leading `$` is
 * optional. Throws `bad_input` with the position of the error.
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
      else this.#fail('expected a dot or a bracket')
    }
    return segments
  }

  #named(descends: boolean): Segment {
    if (this.#path[this.#at] === '*') {
      this.#at += 1
      return { selectors: [any], descends, fromEnd: false }
    }
    const name = this.#match(shorthand)
    if (!name) this.#fail("expected a name. Write names with special characters as ['name']")
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
      else if (character === '?') this.#fail('filters are not supported')
      else {
        const { selector, negative } = this.#indexes()
        fromEnd ||= negative
        selectors.push(selector)
      }
      this.#match(spaces)
      const end = this.#path[this.#at]
      if (end !== ',' && end !== ']') this.#fail('expected a closing bracket')
      this.#at += 1
      if (end === ']') return { selectors, descends, fromEnd }
    }
  }

  /** `2`, `-1`, `1:3`, `::2` (RFC 9535, 2.3.3 and 2.3.4). */
  #indexes(): { selector: Selector; negative: boolean } {
    const start = this.#at
    const first = this.#integer()
    this.#match(spaces)
    if (this.#path[this.#at] !== ':') {
      if (first === null) this.#fail('expected an index, a quoted name or *')
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
    let step: number | null = null
    if (this.#path[this.#at] === ':') {
      this.#at += 1
      this.#match(spaces)
      step = this.#integer()
    }
    const stride = step ?? 1
    if (stride < 1) {
      this.#at = start
      this.#fail('the step of a slice must be positive')
    }
    return {
      selector: (step, length) => {
        if (typeof step !== 'number') return false
        const from = clampIndex(first ?? 0, length)
        return (
          step >= from && step < clampIndex(last ?? length, length) && (step - from) % stride === 0
        )
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
    const start = this.#at
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
    this.#at = start
    return this.#fail('the closing quote is missing')
  }

  #escaped(): string {
    const character = this.#path[this.#at] ?? ''
    const controlEscapes = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
    if (/[\\/"']/.test(character)) return character
    const controlCharacter = Object.entries(controlEscapes).find(
      ([letter]) => letter === character,
    )?.[1]
    if (controlCharacter !== undefined) return controlCharacter
    const hexDigits = /^u([0-9a-fA-F]{4})/.exec(this.#path.slice(this.#at))?.[1]
    if (hexDigits === undefined) return this.#fail('invalid escape sequence')
    this.#at += 4
    return String.fromCharCode(Number.parseInt(hexDigits, 16))
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#path)?.[0] ?? ''
    this.#at += found.length
    return found
  }

  #fail(problem: string): never {
    const where = this.#at >= this.#path.length ? 'at its end' : `at character ${this.#at + 1}`
    throw new AppError(
      'bad_input',
      `The path "${this.#path.slice(0, 100)}" is invalid ${where}: ${problem}. Valid examples: $.data.items[*].note, $..email.`,
    )
  }
}

function named(name: string): Selector {
  return (step) => step === name
}

function clampIndex(index: number, length: number): number {
  return Math.min(Math.max(index < 0 ? length + index : index, 0), length)
}
