import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openReader } from '#engine/platform/sqlite.ts'
import { storePath } from '#engine/store/data-folder.ts'
import { startFlood } from '#test/support/flood.ts'
import { spawnListening } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

const secret = 'found through everything'
const rounds = 8

interface Counts {
  readonly deliveries: number
  readonly newest: number
  readonly indexed: number
  readonly texts: number
  readonly bodies: number
  readonly found: number
}

function counts(dataDir: string): Counts {
  const db = openReader(storePath(dataDir))
  try {
    const count = (sql: string): number => db.prepare<[], { n: number }>(sql).get()?.n ?? -1
    return {
      deliveries: count('SELECT count(*) AS n FROM delivery'),
      newest: count('SELECT last_id AS n FROM progress'),
      indexed: count('SELECT indexed_id AS n FROM search_progress'),
      texts: count('SELECT count(*) AS n FROM delivery_text_docsize'),
      bodies: count('SELECT count(*) AS n FROM delivery_ref WHERE id % 16 = 0'),
      found: count(
        `SELECT count(*) AS n FROM delivery_text WHERE delivery_text MATCH 'headers: "x service signature"'`,
      ),
    }
  } finally {
    db.close()
  }
}

test('killed again and again while it indexes: each delivery is in the index exactly once', async () => {
  await using folder = ownedFolder()
  let stopped = 0
  for (let round = 0; round < rounds; round += 1) {
    await using tab = await spawnListening(folder.path, ['listen', '--secret', secret])
    const flood = startFlood({
      port: tab.port,
      path: tab.path,
      connections: 16,
      secret,
      name: `round-${round}`,
      limit: 1500,
    })
    await flood.done
    // At any point between the first and the last of them.
    await pause(20 + round * 35)
    tab.child.kill('SIGKILL')
    await tab.ended
    const { indexed, newest } = counts(folder.path)
    if (indexed > 0 && indexed < newest) stopped += 1
  }
  expect(stopped, 'killed before the index was level').toBeGreaterThan(0)

  await using tab = await spawnListening(folder.path, ['listen', '--secret', secret])
  const end = await until('the index to be level', () => {
    const now = counts(folder.path)
    return now.newest > 0 && now.indexed === now.newest ? now : null
  })
  tab.child.kill('SIGTERM')
  await tab.ended
  const { deliveries } = end
  expect(deliveries).toBeGreaterThan(rounds * 1000)
  expect(end).toMatchObject({ texts: deliveries, bodies: deliveries, found: deliveries })
})
