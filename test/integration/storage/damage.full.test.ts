import { cpSync, closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeDamage } from '#contract/damaged-file.ts'
import type { DamagedFile } from '#contract/models.ts'
import { storePath } from '#engine/platform/store/data-folder.ts'
import { seeded } from '#test/support/random-json.ts'
import type { TestEngine } from '#test/support/engine.ts'
import { openTabscope } from '#test/support/engine-on-folder.ts'
import { startFlood } from '#test/support/flood.ts'
import { sha256 } from '#test/support/requests.ts'
import { runCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'

// 200 flipped bytes at random places of the database. What is lost is counted and reported, and nothing is silently different.

const secret = 'kept through damage'
const count = 400
const flips = 200
const rounds = 2
const folder = ownedFolder()
const original = path.join(folder.path, 'original')
let sent: ReadonlySet<string> = new Set()

async function deliver(tab: TestEngine, name: string, limit: number): Promise<ReadonlySet<string>> {
  const flood = startFlood({
    port: tab.port,
    path: tab.path,
    connections: 8,
    secret,
    name,
    limit,
    padding: 2000,
  })
  await flood.done
  return flood.answered
}

beforeAll(async () => {
  await using tab = await openTabscope(original, { secret })
  sent = await deliver(tab, 'before', count)
  expect(sent.size).toBe(count)
})
afterAll(() => folder[Symbol.asyncDispose]())

function flip(file: string, random: () => number): void {
  const handle = openSync(file, 'r+')
  try {
    const { size } = fstatSync(handle)
    const byte = Buffer.alloc(1)
    for (let n = 0; n < flips; n += 1) {
      const at = Math.floor(random() * size)
      readSync(handle, byte, 0, 1, at)
      byte[0] = (byte[0] ?? 0) ^ (1 + Math.floor(random() * 255))
      writeSync(handle, byte, 0, 1, at)
    }
  } finally {
    closeSync(handle)
  }
}

/** SHA-256 of the body of each delivery that can be read, checked with the one that its row has. */
async function readable({ engine }: TestEngine): Promise<string[]> {
  const hashes: string[] = []
  for (let after = 0; ;) {
    const rows = await engine.call('deliveries.since', { after, limit: 500 })
    for (const { id, sha256: stored } of rows) {
      const { bytes } = await engine.call('deliveries.body', {
        id,
        offset: 0,
        length: 1 << 20,
        decoded: false,
      })
      expect(sha256(bytes)).toBe(stored)
      hashes.push(stored)
    }
    after = rows.at(-1)?.id ?? 0
    if (rows.length < 500) return hashes
  }
}

async function deliveriesDamaged({ engine }: TestEngine): Promise<DamagedFile | undefined> {
  const { damagedFiles } = await engine.call('app.snapshot', {})
  return damagedFiles.find(({ content }) => content === 'deliveries')
}

/** Starts Tabscope on a damaged folder, and compares what it says with what it has. */
async function expectCounted(
  dataDir: string,
  expected: ReadonlySet<string>,
  seed: number,
): Promise<void> {
  await using tab = await openTabscope(dataDir, { secret })
  const kept = await readable(tab)
  const damaged = await deliveriesDamaged(tab)
  console.log(
    `seed ${seed}: ${expected.size} deliveries before, ${kept.length} after. ${damaged ? describeDamage(damaged) : 'Not damaged.'}`,
  )
  expect(kept.filter((hash) => !expected.has(hash))).toEqual([])
  expect(new Set(kept).size).toBe(kept.length)
  if (kept.length < expected.size) expect(damaged).toBeDefined()
  if (damaged) expect(damaged.kept).toBe(kept.length)
  if (damaged && damaged.lost !== null) expect(damaged.lost).toBe(expected.size - kept.length)
  // It works again.
  expect((await deliver(tab, `after-${seed}`, 20)).size).toBe(20)
  expect(await readable(tab)).toHaveLength(kept.length + 20)
}

test.for(Array.from({ length: rounds }, (_, round) => 100 + round))(
  'flipped while Tabscope is closed: what is lost is counted (seed %i)',
  async (seed) => {
    const dataDir = path.join(folder.path, `closed-${seed}`)
    cpSync(original, dataDir, { recursive: true })
    flip(storePath(dataDir), seeded(seed))
    const list = 'delivery list --limit 1000 -q --data'.split(' ')
    const { code, stdout, stderr } = await runCli([...list, dataDir])
    if (code === 0) expect(stdout.toString().trim().split('\n')).toHaveLength(count)
    else expect(stderr).toMatch(/damaged/)
    await expectCounted(dataDir, sent, seed)
  },
)

test.for(Array.from({ length: rounds }, (_, round) => 200 + round))(
  'flipped while Tabscope runs: no body is silently different, and the next start counts what is lost (seed %i)',
  async (seed) => {
    const dataDir = path.join(folder.path, `open-${seed}`)
    cpSync(original, dataDir, { recursive: true })
    const acknowledged = new Set(sent)
    {
      await using tab = await openTabscope(dataDir, { secret })
      flip(storePath(dataDir), seeded(seed))
      for (const hash of await deliver(tab, `open-${seed}`, 50)) acknowledged.add(hash)
      let failed = 0
      for (let id = 1; id <= count; id += 1) {
        try {
          const { bytes } = await tab.engine.call('deliveries.body', {
            id,
            offset: 0,
            length: 1 << 20,
            decoded: false,
          })
          expect(sent.has(sha256(bytes))).toBe(true)
        } catch (error) {
          if (!(error instanceof Error) || !/damaged|does not exist/.test(error.message))
            throw error
          failed += 1
        }
      }
      console.log(
        `seed ${seed}: ${failed} of ${count} could not be read while it ran, and were reported.`,
      )
    }
    await expectCounted(dataDir, acknowledged, seed)
  },
)
