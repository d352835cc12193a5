import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { full } from '#test/support/full.ts'
import { startFlood } from '#test/support/flood.ts'
import { jsonLines, runCli, spawnCli, spawnListening } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

const secret = 'kept through everything'
const rounds = full ? 5 : 1

/** But the lock, which has no content, what SQLite empties itself, and partial files, which the next start deletes. */
function emptyFilesIn(dataDir: string): string[] {
  return readdirSync(dataDir).filter((name) => {
    const found = statSync(path.join(dataDir, name))
    return (
      found.isFile() &&
      found.size === 0 &&
      !/^lock\.db$|-(?:wal|shm|journal)$|\.(?:part|new)$/.test(name)
    )
  })
}

describe.runIf(full)('killed during its first start', () => {
  test.for([0, 2, 4, 6, 9])('kill %i', async (round) => {
    await using folder = ownedFolder()
    await using tab = spawnCli(['listen', '--port', '0', '--data', folder.path], { stdin: '' })
    // From before the first file until it listens.
    await until('the folder', () => tab.stderr() !== '' || readdirSync(folder.path).length > round)
    tab.child.kill('SIGKILL')
    await tab.ended
    expect(emptyFilesIn(folder.path)).toEqual([])
    await using next = await spawnListening(folder.path)
    expect(next.ready.dataDir).toBe(folder.path)
    const { code, stdout } = await runCli(['endpoint', 'list', '-q', '--data', folder.path])
    expect({ code, stdout: stdout.toString() }).toEqual({ code: 0, stdout: '1\n' })
  })
})

/** SHA-256 of every delivery in the store, in order. */
async function listed(dataDir: string): Promise<string[]> {
  const args = ['delivery', 'list', '--json', '--limit', '1000000', '--data', dataDir]
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
    expect(emptyFilesIn(folder.path)).toEqual([])
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
