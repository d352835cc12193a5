import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { storePath } from '#engine/store/data-folder.ts'
import { openCapture } from '#test/support/capture-thread.ts'
import { startFlood } from '#test/support/flood.ts'
import { jsonLines, runCli, spawnListening } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

const MiB = 1024 * 1024
const limit = 64 * MiB
const secret = 'captured faster than stored'

/** Bytes of the journal that are not in the store. */
function behind(dataDir: string): number {
  const db = new Database(storePath(dataDir), { readonly: true })
  const stored = db.prepare<[], { at: number }>('SELECT journal_position AS at FROM progress').get()
  db.close()
  const last = readdirSync(path.join(dataDir, 'journal')).toSorted().at(-1) ?? ''
  const size = statSync(path.join(dataDir, 'journal', last)).size
  return Number(last.slice(0, 15)) + size - (stored?.at ?? 0)
}

/** SHA-256 of all deliveries, oldest first. Waits until they are stored. */
async function listed(dataDir: string): Promise<string[]> {
  const args = ['deliveries', 'list', '--json', '--limit', '100000', '--data', dataDir]
  const { code, stdout } = await runCli(args)
  expect(code).toBe(0)
  return jsonLines(stdout).map((line) => String(line['sha256']))
}

test('at a moderate rate, the WAL is copied into the database before it is large', async () => {
  await using folder = ownedFolder()
  await using tab = await spawnListening(folder.path, ['listen', '--secret', secret])
  const url = `http://127.0.0.1:${tab.port}${tab.path}`
  for (let sent = 0; sent < 600; sent += 1) {
    await fetch(url, { method: 'POST', body: JSON.stringify({ sent, text: 'x'.repeat(4000) }) })
    await pause(2)
  }
  await until('everything to be stored', () => behind(folder.path) === 0 || null)
  // SQLite itself copies it at 4 MiB only. The file keeps its largest size.
  expect(statSync(`${storePath(folder.path)}-wal`).size).toBeLessThan(3 * MiB)
})

/** Another connection that blocks the writer while it holds the lock. */
function blocker(dataDir: string) {
  const db = new Database(storePath(dataDir), { timeout: 10_000 })
  return {
    block: () => void db.exec('BEGIN IMMEDIATE'),
    release: () => void db.exec('ROLLBACK'),
    [Symbol.dispose]: () => void db.close(),
  }
}

test('capture slows down to the speed of the store, and refuses nothing', async () => {
  await using capture = await openCapture()
  const { progress } = capture
  let most = 0
  // A store that writes only when required, at 10 MiB per second.
  const storing = setInterval(() => {
    const now = progress.position - progress.storedPosition
    most = Math.max(most, now)
    if (now > limit - 8 * MiB) progress.storedPosition += MiB
  }, 100)
  const connections = 8
  const flood = startFlood({
    port: capture.port,
    path: capture.path,
    secret,
    name: 'slow',
    connections,
    limit: 240,
    padding: MiB / 2,
  })
  await flood.done
  clearInterval(storing)
  expect([flood.refused, flood.broken]).toEqual([[], []])
  expect(flood.answered.size).toBe(240)
  // At most the last written group exceeds the limit.
  expect(most).toBeGreaterThan(limit - 8 * MiB)
  expect(most).toBeLessThan(limit + connections * MiB)
})

test('killed while capture is slowed down: every acknowledged delivery is stored once', async () => {
  await using folder = ownedFolder()
  const padding = MiB / 2
  const answered = new Set<string>()
  {
    await using tab = await spawnListening(folder.path, ['listen', '--secret', secret])
    const flood = startFlood({
      port: tab.port,
      path: tab.path,
      secret,
      name: 'killed',
      connections: 4,
      limit: 10_000,
      padding,
    })
    using store = blocker(folder.path)
    let most = 0
    // The writer gets a moment between two blocks.
    for (let full = 0; full < 4;) {
      store.block()
      await pause(300)
      store.release()
      await pause(30)
      const now = behind(folder.path)
      most = Math.max(most, now)
      if (now > limit - MiB) full += 1
    }
    expect(most).toBeLessThan(limit + 12 * MiB)
    tab.child.kill('SIGKILL')
    await tab.ended
    flood.stop()
    await flood.done
    expect(flood.refused).toEqual([])
    for (const hash of flood.answered) answered.add(hash)
  }
  const kept = await listed(folder.path)
  expect(kept.length - new Set(kept).size, 'stored twice').toBe(0)
  expect(
    [...answered].filter((hash) => !kept.includes(hash)),
    'answered and lost',
  ).toEqual([])
  expect(answered.size * padding).toBeGreaterThan(limit - MiB)
})

test('capture continues while the store cannot be written, and everything is stored later', async () => {
  await using folder = ownedFolder()
  await using tab = await spawnListening(folder.path, ['listen', '--secret', secret])
  using store = blocker(folder.path)
  store.block()
  const flood = startFlood({
    port: tab.port,
    path: tab.path,
    secret,
    name: 'blocked',
    connections: 4,
    limit: 240,
    padding: MiB / 2,
  })
  await flood.done
  expect([flood.refused, flood.broken, flood.answered.size]).toEqual([[], [], 240])
  expect(behind(folder.path)).toBeGreaterThan(limit + 20 * MiB)
  store.release()
  await until('the store to catch up', () => behind(folder.path) === 0)
  expect(new Set(await listed(folder.path))).toEqual(flood.answered)
})

test('the journal of stored deliveries is deleted when nothing is received any longer', async () => {
  await using folder = ownedFolder()
  const answered: string[] = []
  {
    await using tab = await spawnListening(folder.path, ['listen', '--secret', secret])
    const { port, path: to } = tab
    const options = { port, path: to, secret, connections: 4, padding: MiB / 2 }
    const first = startFlood({ ...options, name: 'first', limit: 20 })
    await first.done
    expect(journalBytes(folder.path)).toBeGreaterThan(8 * MiB)
    await until('the journal to be deleted', () => journalBytes(folder.path) < MiB)
    // Capture continues in the new file.
    const last = startFlood({ ...options, name: 'last', limit: 2 })
    await last.done
    tab.child.kill('SIGKILL')
    await tab.ended
    answered.push(...first.answered, ...last.answered)
  }
  expect(answered).toHaveLength(22)
  expect((await listed(folder.path)).toSorted()).toEqual(answered.toSorted())
})

function journalBytes(dataDir: string): number {
  const folder = path.join(dataDir, 'journal')
  return readdirSync(folder).reduce(
    (sum, name) => sum + (statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
}
