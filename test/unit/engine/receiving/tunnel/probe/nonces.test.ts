import { expect, test } from 'vitest'
import { newNonce, UsedNonces } from '#engine/receiving/tunnel/probe/format.ts'

const at = (ms: number, chance = 0) => newNonce(ms, new Uint8Array(8).fill(chance))

test('a nonce can be used once', () => {
  const used = new UsedNonces()
  expect(used.use(at(1))).toBe(true)
  expect(used.use(at(1))).toBe(false)
  expect(used.use(at(1, 1))).toBe(true)
})

test('nonces can be used in any order', () => {
  const used = new UsedNonces(3)
  expect([5, 3, 4, 1].map((ms) => used.use(at(ms)))).toEqual([true, true, true, true])
  expect([5, 3, 4, 1].map((ms) => used.use(at(ms)))).toEqual([false, false, false, false])
})

test('a forgotten nonce cannot be used again, and neither can an older one', () => {
  const used = new UsedNonces(10)
  for (let ms = 100; ms < 1100; ms += 1) expect(used.use(at(ms))).toBe(true)
  for (let ms = 0; ms < 1100; ms += 1) expect(used.use(at(ms)), `${ms}`).toBe(false)
  expect(used.use(at(1100))).toBe(true)
})

test('later nonces are greater, for all future dates', () => {
  const times = [0, 1, 1_773_522_000_000, 1_773_522_000_000.25, 4_102_444_800_000]
  const nonces = times.map((ms) => at(ms))
  expect(nonces.toSorted()).toEqual(nonces)
  expect(new Set(nonces.map(({ length }) => length))).toEqual(new Set([30]))
})
