import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { full } from '#test/support/full.ts'
import { openTestEngine } from '../../support/engine.ts'
import { exportTo, importPath } from '../../support/event-log.ts'
import { attemptsOf, forwardTo } from '../../support/forwarding.ts'
import { invitationOf, publish, recordOf } from '../../support/nats/records.ts'
import { natsServer } from '../../support/nats/server.ts'
import { rawTarget, reply } from '../../support/raw-target.ts'
import { openRelay } from '../../support/nats/receiving.ts'
import { newUser, untilRelay } from './support.ts'

const body = '{ "type":"OPEN_TAB","targetId":"t1","data":{"é":1.50} }\n'

/** With a relay that has delivered `body` once. */
async function openFollowing() {
  const relay = await openRelay()
  const tab = await openTestEngine()
  const { seed } = newUser()
  const slug = tab.path.replace('/hooks/', '')
  const send = () =>
    publish(relay.connection, slug, [recordOf(slug, body)], { receiver: 'edge-harbour' })
  await send()
  const { id } = await tab.engine.call('relay.add', {
    invitation: invitationOf(relay.nats.url, { seed, name: 'Harbour crew' }),
  })
  await untilRelay(tab, 'the relay', ({ state, position }) => state === 'live' && position === 1)
  return {
    relay,
    tab,
    id,
    seed,
    send,
    [Symbol.asyncDispose]: async () => {
      await tab[Symbol.asyncDispose]()
      await relay[Symbol.asyncDispose]()
    },
  }
}

describe.skipIf(natsServer === null)('a delivery of a relay', () => {
  it.runIf(full)(
    'is known as one in an imported log and an exported page, which have nothing of the connection',
    async () => {
      await using at = await openFollowing()
      const { engine, dataDir } = at.tab
      const exported = async (name: string, format: string, redact: boolean) => {
        const file = path.join(dataDir, name)
        const text = (await exportTo(engine, file, { format, redact })).toString()
        for (const hidden of [at.seed, at.relay.nats.port, 'ann', ...(redact ? ['harbour'] : [])])
          expect(text).not.toMatch(new RegExp(`\\b${hidden}\\b`, 'i'))
        return { file, text }
      }
      const relay = { name: 'Harbour crew', receiver: 'edge-harbour', position: 1 }
      for (const redact of [false, true]) {
        const { file } = await exported(`${redact}.ndjson`, 'ndjson', redact)
        const { logId: log } = await importPath(engine, file)
        const imported = await engine.call('deliveries.get', { log, id: 1 })
        expect(imported.relay).toMatchObject(redact ? { position: 1 } : relay)
        const { name, receiver } = imported.relay ?? {}
        const filter = `relay:"${name}" receiver:"${receiver}" via:relay`
        const page = { filter, upTo: null, offset: 0, limit: 1 } as const
        expect((await engine.call('deliveries.page', { log, ...page })).total).toBe(1)
      }
      await exported('log.har', 'har', false)
      await exported('masked.html', 'html', true)
      await exported('log.html', 'html', false)
    },
  )

  it('keeps the response of its receiver where the response of the target is returned', async () => {
    await using at = await openFollowing()
    const { engine } = at.tab
    await using target = await rawTarget(() => reply(422))
    await using _ = await forwardTo(at.tab, target.origin, { mode: 'return' })
    await engine.call('relay.update', { id: at.id, forward: true })
    await at.send()
    const [, delivery] = await at.tab.kept(2)
    const attempts = await attemptsOf(at.tab, delivery?.id ?? 0, 1)
    expect(attempts).toMatchObject([{ kind: 'forward', status: 422 }])
    const after = await engine.call('deliveries.get', { id: delivery?.id ?? 0 })
    expect(after).toMatchObject({ status: 202, respondedBy: null })
  })
})
