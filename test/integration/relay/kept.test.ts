import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { full } from '#test/support/full.ts'
import { storePath } from '#engine/store/data-folder.ts'
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

  it('are read again if the store is lost, and then only once', async () => {
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
      for (const name of ['config.db', 'config.db.copy']) {
        rmSync(path.join(folder.path, name), { force: true })
      }
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
