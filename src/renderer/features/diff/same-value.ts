import { type JsonIndex, kindOf, sourceOf } from '../body/index.ts'

/**
 * Numbers the values of JSON documents, with equal numbers for equal values, regardless of key order, escapes and number format.
 * Exact: different values never share a number, so a crafted body cannot pass for another.
 */
export class SameValues {
  readonly #numbers = new Map<string, number>()

  /** Returns the number of each value of a document. */
  of(json: JsonIndex): Int32Array {
    const numbers = new Int32Array(json.count)
    // From the end, since descendants follow their ancestors.
    for (let index = json.count - 1; index >= 0; index--) {
      numbers[index] = this.#numberOf(this.#written(json, index, numbers))
    }
    return numbers
  }

  #numberOf(written: string): number {
    const known = this.#numbers.get(written)
    if (known !== undefined) return known
    this.#numbers.set(written, this.#numbers.size)
    return this.#numbers.size - 1
  }

  #written(json: JsonIndex, index: number, numbers: Int32Array): string {
    const kind = kindOf(json, index)
    switch (kind) {
      case 'object': {
        const fields: string[] = []
        const seen = new Map<string, number>()
        for (const child of childrenOf(json, index)) {
          const key = decodedKey(json, child)
          // Fields with the same key stay separate, in their order.
          const occurrence = seen.get(key) ?? 0
          seen.set(key, occurrence + 1)
          fields.push(JSON.stringify([key, occurrence, numbers[child]]))
        }
        return `o${fields.sort().join()}`
      }
      case 'array':
        return `a${childrenOf(json, index)
          .map((child) => numbers[child])
          .join()}`
      case 'string':
        return `s${decoded(sourceOf(json, index))}`
      case 'number':
        return `n${plainNumber(sourceOf(json, index))}`
      case 'word':
        return `w${sourceOf(json, index)}`
    }
  }
}

/** The children of a value. */
export function childrenOf(json: JsonIndex, index: number): number[] {
  const children: number[] = []
  const end = json.ends[index] ?? 0
  for (let child = index + 1; child < end; child = json.ends[child] ?? end) children.push(child)
  return children
}

/** The unescaped key of a field. */
export function decodedKey(json: JsonIndex, index: number): string {
  const key = json.text.slice(json.keyFrom[index] ?? 0, json.keyTo[index] ?? 0)
  return key.includes('\\') ? decoded(`"${key}"`) : key
}

function decoded(source: string): string {
  if (!source.includes('\\')) return source.slice(1, -1)
  const value: unknown = JSON.parse(source)
  return typeof value === 'string' ? value : ''
}

/** Normalizes a number to its digits and exponent, so that `1.0`, `1` and `10e-1` are equal without losing precision. */
export function plainNumber(source: string): string {
  const [, sign = '', integer = '', part = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? []
  const exponent = Number(power)
  if (!Number.isSafeInteger(exponent)) return source
  const all = (integer + part).replace(/^0+/, '')
  if (all === '') return '0'
  let end = all.length
  while (all.charAt(end - 1) === '0') end -= 1
  return `${sign}${all.slice(0, end)}e${exponent - part.length + (all.length - end)}`
}
