/** A reproducible random generator of numbers from 0 (included) to 1 (excluded) (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

const hostile = [
  '',
  '__proto__',
  'constructor',
  'toString',
  'a',
  'b',
  'id',
  'quo"te',
  'back\\slash',
  '\u0000',
  '\u202e',
  '\ud83c',
  '🍺',
  '0',
  'x'.repeat(300),
]

export function randomJson(random: () => number, depth = 4): Json {
  const pick = <T>(list: readonly T[]): T => {
    const one = list[Math.floor(random() * list.length)]
    if (one === undefined) throw new Error('an empty list')
    return one
  }
  const kind = Math.floor(random() * (depth === 0 ? 4 : 6))
  switch (kind) {
    case 0:
      return pick([null, true, false])
    case 1:
      return pick([0, -0, 1, -1.5, 1e21, 1e-7, 42.5, Number.MAX_SAFE_INTEGER])
    case 2:
    case 3:
      return pick(hostile)
    case 4:
      return Array.from({ length: Math.floor(random() * 6) }, () => randomJson(random, depth - 1))
    default: {
      const object: { [key: string]: Json } = {}
      for (let field = Math.floor(random() * 6); field > 0; field--) {
        Object.defineProperty(object, pick(hostile), {
          value: randomJson(random, depth - 1),
          enumerable: true,
          configurable: true,
          writable: true,
        })
      }
      return object
    }
  }
}
