import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const module = fileURLToPath(
  new URL('../../../../src/engine/platform/heap-limits.ts', import.meta.url),
)

/** Returns the largest sizes of the young generation in MiB while much survives, first with the limit and then without. */
function youngGenerations(): unknown {
  const script = `
    const { limitHeapGrowth, endHeapGrowthLimits } = require(${JSON.stringify(module)})
    const { getHeapSpaceStatistics } = require('node:v8')
    const largest = (afterRound) => {
      const kept = []
      let most = 0
      for (let round = 0; round < 60; round += 1) {
        kept.push(Array.from({ length: 20_000 }, (_, id) => ({ id })))
        if (kept.length > 3) kept.shift()
        const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')
        most = Math.max(most, young.space_size)
        afterRound()
      }
      return most / 1024 / 1024
    }
    const limited = largest(limitHeapGrowth)
    endHeapGrowthLimits()
    console.log(JSON.stringify({ limited, unlimited: largest(() => undefined) }))`
  // In a process of its own, because the limit is for all of its threads.
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout)
}

it('limits the young generation of the thread until the limit ends', () => {
  const sizes = youngGenerations()
  expect(sizes).toEqual({ limited: expect.any(Number), unlimited: expect.any(Number) })
  const { limited, unlimited } = Object(sizes)
  expect(limited).toBeLessThanOrEqual(16)
  expect(unlimited).toBeGreaterThan(16)
})
