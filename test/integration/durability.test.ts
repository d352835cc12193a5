import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { full } from '#test/support/full.ts'
import { startFlood } from '#test/support/flood.ts'
import { jsonLines, runCli, spawnListening } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

const secret = 'kept through everything'
const rounds = full ? 12 : 1

/** SHA-256 of every delivery in the store, in order. */
async function listed(dataDir: string): Promise<string[]> {
  const args = ['deliveries', 'list', '--json', '--limit', '1000000', '--data', dataDir]
  const { code, stdout } = await runCli(args)
  expect(code).toBe(0)
  return jsonLines(stdout).map((line) => String(line['sha256']))
}

describe('killed in a flood', () => {
  const folder = ownedFolder()
  afterAll(() => folder[Symbol.asyncDispose]())
  const answered = new Set<string>()
  const sent = new Set<string>()

  // One test for each round, so that a slow machine has the full timeout for each start.
  test.for(Array.from({ length: rounds }, (_, round) => round))('kill %i', async (round) => {
    await using tab = await spawnListening(folder.path, ['listen', '--secret', secret])
    const flood = startFlood({
      port: tab.port,
      path: tab.path,
      connections: 16,
      secret,
      name: `round-${round}`,
      limit: 4000,
    })
    await until('the first responses', () => flood.answered.size > 20)
    // At different moments of a group commit: spread over a third of a second.
    await pause(80 + ((round * 67) % 330))
    tab.child.kill('SIGKILL')
    await tab.ended
    flood.stop()
    await flood.done
    for (const hash of flood.answered) answered.add(hash)
    for (const hash of flood.sent) sent.add(hash)
  })

  test('every acknowledged delivery is stored exactly once', async () => {
    const kept = await listed(folder.path)
    const once = new Set(kept)
    expect(kept.length - once.size, 'stored twice').toBe(0)
    expect(
      [...answered].filter((hash) => !once.has(hash)),
      'answered and lost',
    ).toEqual([])
    expect(
      kept.filter((hash) => !sent.has(hash)),
      'never sent',
    ).toEqual([])
    expect(answered.size).toBeGreaterThan(rounds * 20)
  })
})
