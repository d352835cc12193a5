import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { full } from '#test/support/full.ts'
import { storePath } from '#engine/platform/store/data-folder.ts'
import { restoreBackup } from '#engine/app/opening/restore.ts'
import { openTestEngine, type TestEngine } from '../../support/engine.ts'
import { invitationOf, publish, recordOf } from '../../support/nats/records.ts'
import { natsServer } from '../../support/nats/server.ts'
import { ownedFolder } from '../../support/temp-folder.ts'
import { openRelay, type OpenRelay } from '../../support/nats/receiving.ts'
import { untilRelay } from './support.ts'

const open = (n: number): string => `{"type":"OPEN_TAB","targetId":"t${n}"}`

async function publishTabs({ connection }: OpenRelay, from: number, to: number): Promise<void> {
  for (let n = from; n <= to; n += 1)
    await publish(connection, 'sandbox', [recordOf('sandbox', open(n))])
}

const targets = async (tab: TestEngine, count: number) =>
  (await tab.kept(count)).map(({ target }) => Number(target?.slice(1)))

/** With the relay, whose position is `position`, and no deliveries after it. */
async function follow(tab: TestEngine, relay: OpenRelay, position: number): Promise<void> {
  await tab.engine.call('relay.add', { invitation: invitationOf(relay.nats.url) })
  await untilRelay(tab, 'the relay', (view) => view.state === 'live' && view.position === position)
}

describe.skipIf(natsServer === null)('deliveries of a relay in the store', () => {
  it.runIf(full)('are deleted like others, and not read again', async () => {
    await using relay = await openRelay()
    await using folder = ownedFolder()
    {
      await using tab = await openTestEngine({ dataDir: folder.path })
      const { engine } = tab
      await publishTabs(relay, 1, 8)
      await follow(tab, relay, 8)
      await engine.call('deliveries.annotate', { id: 2, pinned: true })
      await engine.call('deliveries.delete', { ids: [8] })
      await untilRelay(tab, 'the deletion', ({ deliveries }) => deliveries === 7)
      await engine.call('settings.update', { keepDeliveries: 3 })
      expect(await targets(tab, 3)).toEqual([2, 6, 7])
      await untilRelay(tab, 'retention', ({ deliveries }) => deliveries === 3)
      await engine.call('deliveries.clear', {})
      const { position } = await untilRelay(tab, 'that', (view) => view.deliveries === 1)
      expect(position).toBe(8)
    }
    await publishTabs(relay, 9, 9)
    await using tab = await openTestEngine({ dataDir: folder.path })
    expect(await targets(tab, 2)).toEqual([2, 9])
    await publishTabs(relay, 10, 10)
    expect(await targets(tab, 3)).toEqual([2, 9, 10])
  })

  it.runIf(full)('are in a backup, after which the rest is read', async () => {
    await using relay = await openRelay()
    await using folder = ownedFolder()
    await using restored = ownedFolder()
    const file = path.join(folder.path, 'friday.backup')
    {
      await using tab = await openTestEngine({ dataDir: folder.path })
      await publishTabs(relay, 1, 3)
      await follow(tab, relay, 3)
      await tab.engine.call('app.backUp', { path: file })
      await publishTabs(relay, 4, 5)
      await tab.kept(5)
    }
    restoreBackup(file, restored.path, 'now', false)
    await using tab = await openTestEngine({ dataDir: restored.path })
    await untilRelay(tab, 'the relay', ({ state, position }) => state === 'live' && position === 5)
    expect(await targets(tab, 5)).toEqual([1, 2, 3, 4, 5])
    expect((await tab.kept(5))[0]?.relay).toEqual({
      id: 1,
      name: 'Team',
      receiver: 'gate',
      position: 1,
    })
  })

  it.runIf(full)('survive damage of others, without a trace of those that are lost', async () => {
    await using relay = await openRelay()
    await using folder = ownedFolder()
    const file = storePath(folder.path)
    {
      await using tab = await openTestEngine({ dataDir: folder.path })
      await publishTabs(relay, 1, 4)
      await follow(tab, relay, 4)
    }
    const bytes = readFileSync(file)
    bytes.write('x', bytes.indexOf(open(4)))
    writeFileSync(file, bytes)
    writeFileSync(`${file}.check`, '')
    await publishTabs(relay, 5, 6)
    await using tab = await openTestEngine({ dataDir: folder.path })
    const { damagedFiles } = await tab.engine.call('app.snapshot', {})
    expect(damagedFiles).toMatchObject([{ content: 'deliveries', kept: 3, lost: 1 }])
    const view = await untilRelay(
      tab,
      'the rest',
      ({ state, position }) => state === 'live' && position === 6,
    )
    expect(view.deliveries).toBe(5)
    expect(await targets(tab, 5)).toEqual([1, 2, 3, 5, 6])
  })

  it.runIf(full)('are read again if the store is lost, and then only once', async () => {
    await using relay = await openRelay()
    await using folder = ownedFolder()
    {
      await using tab = await openTestEngine({ dataDir: folder.path })
      await publishTabs(relay, 1, 2)
      await follow(tab, relay, 2)
    }
    writeFileSync(storePath(folder.path), 'no database '.repeat(999))
    {
      await using tab = await openTestEngine({ dataDir: folder.path })
      const [first] = await tab.kept(2)
      expect(first?.relay?.name).toBe('Team')
    }
    await publishTabs(relay, 3, 3)
    await using tab = await openTestEngine({ dataDir: folder.path })
    expect(await targets(tab, 3)).toEqual([1, 2, 3])
  })

  it.runIf(full)(
    'stay those of their relay if the configuration is lost, and another one is read from its start',
    async () => {
      await using relay = await openRelay()
      await using other = await openRelay()
      await using folder = ownedFolder()
      {
        await using tab = await openTestEngine({ dataDir: folder.path })
        await publishTabs(relay, 1, 3)
        await follow(tab, relay, 3)
      }
      for (const name of ['config.db', 'config.db.copy'])
        rmSync(path.join(folder.path, name), { force: true })
      await using tab = await openTestEngine({ dataDir: folder.path })
      await publishTabs(other, 4, 5)
      await tab.engine.call('relay.add', {
        invitation: invitationOf(other.nats.url, { name: 'Bar' }),
      })
      const rows = await tab.kept(5)
      expect(rows.map((row) => row.relay?.name)).toEqual(['Team', 'Team', 'Team', 'Bar', 'Bar'])
    },
  )
})
