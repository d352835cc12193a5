import { expect, it } from 'vitest'
import { childPath, findingStep, parsePath, valueAtPath } from '#shared/json/path.ts'
import { randomJson, seeded, type Json } from '#test/support/random-json.ts'

/** All members of a value by path. */
function* parts(value: Json, path = ''): Generator<[string, Json]> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) {
    const own = childPath(path, Array.isArray(value) ? Number(key) : key)
    yield [own, part]
    yield* parts(part, own)
  }
}

it('returns unique paths that are valid JavaScript', () => {
  const random = seeded(5)
  for (let turn = 0; turn < 300; turn += 1) {
    const value = randomJson(random)
    const all = [...parts(value)]
    expect(new Set(all.map(([path]) => path)).size).toBe(all.length)
    for (const [path, part] of all) {
      let found: unknown = value
      for (const [, plain, index, quoted] of path.matchAll(
        /(?:^|\.)([\w$]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g,
      )) {
        const step = plain ?? index ?? String(JSON.parse(quoted ?? '""'))
        found = Object.getOwnPropertyDescriptor(found, step)?.value
      }
      expect(found).toBe(part)
      const steps = parsePath(path)
      expect((steps && valueAtPath(value, steps))?.slice(0, 100)).toBe(
        (typeof part === 'string' ? part : JSON.stringify(part)).slice(0, 100),
      )
    }
  }
})

it('formats the path steps of findings', () => {
  expect(['data', 'a b', 3].map(findingStep).join('')).toBe('.data.a b[3]')
})

it.each(['', '.a', 'a.', 'a b', 'a[', 'a[x]', 'a["x]', 'a..b', 'a[0]b', 'a["\\q"]'])(
  '%j is no path',
  (text) => {
    expect(parsePath(text)).toBeNull()
  },
)
