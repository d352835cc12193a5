import { existsSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { startFlood } from '#test/support/flood.ts'
import { jsonLines, runCli, spawnListening, type Listening } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

const secret = 'kept in a folder'

const failing = (tab: Listening): unknown =>
  tab.lines().findLast(({ event }) => event === 'storage')?.['failing']

async function send(
  tab: Listening,
  name: string,
): Promise<{ answered: string[]; refused: number }> {
  const flood = startFlood({
    port: tab.port,
    path: tab.path,
    connections: 2,
    secret,
    name,
    limit: 20,
  })
  await flood.done
  expect(flood.broken).toEqual([])
  expect(flood.refused.filter((status) => status !== 503)).toEqual([])
  return { answered: [...flood.answered], refused: flood.refused.length }
}

// On Windows, the folder of an open file cannot be moved.
test.skipIf(process.platform === 'win32')(
  'a data folder that is moved away: 503 until it is back, and nothing in its place',
  async () => {
    await using folder = ownedFolder()
    const dataDir = path.join(folder.path, 'data')
    await using tab = await spawnListening(dataDir, ['listen', '--secret', secret])
    const before = await send(tab, 'before')
    expect(before.answered).toHaveLength(20)

    renameSync(dataDir, path.join(folder.path, 'elsewhere'))
    expect(await send(tab, 'during')).toEqual({ answered: [], refused: 20 })
    await until('the warning', () => failing(tab))
    expect(failing(tab)).toContain('The data folder was moved or deleted.')
    expect(existsSync(dataDir)).toBe(false)

    renameSync(path.join(folder.path, 'elsewhere'), dataDir)
    await until('the end of the warning', () => failing(tab) === null)
    const after = await send(tab, 'after')
    expect(after.answered).toHaveLength(20)
    tab.child.kill('SIGTERM')
    expect((await tab.ended).code).toBe(0)
    const args = ['delivery', 'list', '--json', '--data', dataDir]
    const kept = jsonLines((await runCli(args)).stdout).map((line) => String(line['sha256']))
    expect(kept.toSorted()).toEqual([...before.answered, ...after.answered].toSorted())
  },
)

test.skipIf(process.platform === 'win32')(
  'a data folder that is deleted: 503, changes are refused, and it ends in order',
  async () => {
    await using folder = ownedFolder()
    const dataDir = path.join(folder.path, 'data')
    await using tab = await spawnListening(dataDir, ['serve', '--no-open', '--secret', secret])
    await send(tab, 'before')
    // Tabscope may create a file meanwhile.
    rmSync(dataDir, { recursive: true, maxRetries: 10, retryDelay: 20 })
    expect(await send(tab, 'during')).toEqual({ answered: [], refused: 20 })
    await until('the warning', () => failing(tab))
    // Another Tabscope may start there, independently of the one that lost the folder.
    await using other = await spawnListening(dataDir, ['listen', '--secret', secret])
    expect((await send(other, 'other')).answered).toHaveLength(20)
    expect(await send(tab, 'later')).toEqual({ answered: [], refused: 20 })
    tab.child.kill('SIGTERM')
    const { code, stderr } = await tab.ended
    expect(stderr).not.toMatch(/\n\s+at /)
    expect(code).toBe(0)
    const args = ['delivery', 'list', '--json', '--data', dataDir]
    expect(jsonLines((await runCli(args)).stdout)).toHaveLength(20)
  },
)
