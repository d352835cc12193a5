import { expect, test } from 'vitest'
import { uuidV7 } from '#engine/relay/receive/record.ts'

test('a UUIDv7 has the time, its fraction, the version and the variant', () => {
  // The example of RFC 9562, appendix A.6.
  const example = 0x017f22e279b0
  expect(uuidV7(example * 1000)).toMatch(/^017f22e2-79b0-7000-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(uuidV7(example * 1000 + 500)).toMatch(/^017f22e2-79b0-7800-/)
  expect(uuidV7(example * 1000 + 999)).toMatch(/^017f22e2-79b0-7ffb-/)
})

test('IDs sort as their times, and differ for the same one', () => {
  const start = 1_795_000_000_000_000
  const ids = Array.from({ length: 3000 }, (_, us) => uuidV7(start + us))
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(Array.from({ length: 1000 }, () => uuidV7(start))).size).toBe(1000)
})
