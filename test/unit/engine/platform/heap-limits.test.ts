import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const module = fileURLToPath(
  new URL('../../../../src/engine/platform/heap-limits.ts', import.meta.url),
)
/** An expression: the largest size of the young generation of a thread in MiB while much survives. */
const measured = `(() => {
  const { getHeapSpaceStatistics } = require('node:v8')
  const kept = []
  let most = 0
  for (let round = 0; round < 60; round += 1) {
    kept.push(Array.from({ length: 20_000 }, (_, id) => ({ id })))
    if (kept.length > 3) kept.shift()
    const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')
    most = Math.max(most, young.space_size)
  }
  return most / 1024 / 1024
})()`
const inThread = `require('node:worker_threads').parentPort.postMessage(${measured})`

/** Returns it for the main thread and for a thread, in a process of its own, because the limit is for all of it. */
function youngGenerations(isLimited: boolean): number[] {
  const script = `
    ${isLimited ? `require(${JSON.stringify(module)}).limitYoungGenerations()` : ''}
    const main = ${measured}
    const thread = new (require('node:worker_threads').Worker)(${JSON.stringify(inThread)}, { eval: true })
    thread.on('message', (there) => console.log(JSON.stringify([main, there])))`
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout)
}

it('keeps the young generations of all threads small', () => {
  for (const size of youngGenerations(true)) expect(size).toBeLessThan(16)
  // Without the limit, the same allocations make them grow.
  for (const size of youngGenerations(false)) expect(size).toBeGreaterThan(16)
})
