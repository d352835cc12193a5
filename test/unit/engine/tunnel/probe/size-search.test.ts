import { expect, test } from 'vitest'
import type { SizeStep } from '#contract/tunnel.ts'
import { searchSizes, type SizeResult } from '#engine/tunnel/probe/prober.ts'
import { seeded } from '#test/support/random-json.ts'

const KiB = 1024
const MiB = 1024 * KiB

function tried(
  bytes: number,
  outcome: SizeStep['outcome'],
  { ownLimit = null, timedOut = false }: { ownLimit?: number | null; timedOut?: boolean } = {},
): SizeResult {
  const reason = outcome === 'passed' ? null : 'No.'
  return { step: { bytes, outcome, status: null, ms: 1, reason, ownLimit }, timedOut }
}

/** The sizes that were tried, and the reported steps. */
async function search(
  answer: (bytes: number, nth: number) => SizeResult | null,
): Promise<{ tries: number[]; reported: SizeStep[] }> {
  const tries: number[] = []
  const reported: SizeStep[] = []
  await searchSizes(
    async (bytes) => answer(bytes, tries.push(bytes) - 1),
    (step) => reported.push(step),
  )
  return { tries, reported }
}

const until = (limit: number) => (bytes: number) =>
  tried(bytes, bytes <= limit ? 'passed' : 'failed')
const sizesOf = (steps: readonly SizeStep[]) => steps.map(({ bytes }) => bytes)
const passedOf = (steps: readonly SizeStep[]) =>
  steps.filter(({ outcome }) => outcome === 'passed').map(({ bytes }) => bytes)

test('a tunnel without a limit is tested once per size', async () => {
  const { tries, reported } = await search(until(Infinity))
  const all = [KiB, 16 * KiB, 64 * KiB, 256 * KiB, MiB, 2 * MiB, 5 * MiB, 10 * MiB]
  expect(tries).toEqual(all)
  expect(sizesOf(reported)).toEqual(all)
})

test('finds the limit to within 12 %, in a few steps, and reports each size once', async () => {
  const random = seeded(6)
  for (let i = 0; i < 300; i += 1) {
    const limit = Math.round(KiB * (10 * KiB) ** random())
    const { reported } = await search(until(limit))
    const largest = Math.max(...passedOf(reported))
    const stopsAt = Math.min(
      ...reported.filter(({ outcome }) => outcome !== 'passed').map(({ bytes }) => bytes),
    )
    expect(largest, `${limit}`).toBeLessThanOrEqual(limit)
    expect(stopsAt, `${limit}`).toBeGreaterThan(limit)
    expect(stopsAt / largest, `${limit}`).toBeLessThanOrEqual(1.12)
    expect(reported.length, `${limit}`).toBeLessThanOrEqual(13)
    expect(new Set(sizesOf(reported)).size).toBe(reported.length)
  }
})

test('a tunnel that lets nothing through is tested twice, without a search', async () => {
  const { tries, reported } = await search(until(0))
  expect(tries).toEqual([KiB, KiB])
  expect(reported).toEqual([tried(KiB, 'failed').step])
})

test('a single failure is not a limit', async () => {
  const { tries, reported } = await search((bytes, nth) =>
    tried(bytes, nth === 3 ? 'failed' : 'passed'),
  )
  expect(tries.filter((bytes) => bytes === 256 * KiB)).toHaveLength(2)
  expect(reported.map(({ outcome }) => outcome)).toEqual(Array(8).fill('passed'))
})

test('near the limit a timeout is not retried', async () => {
  const { tries } = await search((bytes) =>
    bytes <= 1.5 * MiB ? tried(bytes, 'passed') : tried(bytes, 'failed', { timedOut: true }),
  )
  const times = Object.groupBy(tries, String)
  expect(times[2 * MiB]).toHaveLength(2)
  for (const [bytes, some] of Object.entries(times)) {
    if (Number(bytes) !== 2 * MiB) expect(some, bytes).toHaveLength(1)
  }
})

test('our own limit is known exactly, so larger bodies are not tried', async () => {
  const own = 3 * MiB + 7
  const { tries, reported } = await search((bytes) =>
    bytes <= own ? tried(bytes, 'passed') : tried(bytes, 'refused', { ownLimit: own }),
  )
  expect(tries.slice(-2)).toEqual([5 * MiB, own])
  expect(reported.at(-1)).toEqual(tried(own, 'passed').step)
})

test('a limit of the tunnel below our own is searched for', async () => {
  const { reported } = await search((bytes) =>
    bytes > 4 * MiB
      ? tried(bytes, 'refused', { ownLimit: 4 * MiB })
      : tried(bytes, bytes <= 2.5 * MiB ? 'passed' : 'failed'),
  )
  expect(sizesOf(reported).slice(6, 8)).toEqual([5 * MiB, 4 * MiB])
  expect(Math.max(...passedOf(reported))).toBeGreaterThan(2.2 * MiB)
})

test('a cancelled search ends with its results so far', async () => {
  for (const end of [0, 3, 8]) {
    const { tries, reported } = await search((bytes, nth) =>
      nth === end ? null : until(MiB)(bytes),
    )
    expect(tries).toHaveLength(end + 1)
    expect(reported.length).toBeLessThanOrEqual(end)
  }
})
