import { expect, it } from 'vitest'
import { createSecretBox } from '#hosts/node/session/secrets.ts'
import { openTestEngine } from '../support/engine.ts'
import { openRelay } from '../support/nats/receiving.ts'
import { invitationOf, publish, recordOf } from '../support/nats/records.ts'
import { natsServer } from '../support/nats/server.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { until } from '../support/until.ts'
import { newUser, untilRelay } from './relay/support.ts'

it('opens without secrets while the keyring is locked, and loads them once it is unlocked', async () => {
  const dataDir = tempFolder()
  const box = createSecretBox(dataDir, {})
  await using relay = natsServer === null ? null : await openRelay()
  const first = await openTestEngine({ dataDir, ports: { secrets: box } })
  const { integrations } = await first.engine.call('app.snapshot', {})
  const id = integrations[0]?.id ?? 0
  await first.engine.call('integrations.setAccessSecret', { id, secret: 'of the service' })
  if (relay) {
    const invitation = invitationOf(relay.nats.url, { seed: newUser().seed })
    await first.engine.call('relay.add', { invitation })
  }
  await first.close()

  const keyring = Promise.withResolvers<void>()
  let isLocked = true
  await using second = await openTestEngine({
    dataDir,
    secret: null,
    ports: {
      secrets: {
        unlocked: keyring.promise,
        seal: async (clear) => box.seal(clear),
        async unseal(sealed) {
          if (isLocked) throw new Error('locked')
          return box.unseal(sealed)
        },
      },
    },
  })
  const { engine, endpointId } = second
  const locked = await engine.call('app.snapshot', {})
  expect(locked.secretsLocked).toBe(true)
  expect(locked.integrations[0]?.accessSecret).toMatchObject({ set: true, unavailable: true })
  expect(locked.endpoints[0]?.secret).toMatchObject({ set: true, unavailable: true })
  expect(locked.listener.state).toBe('listening')
  const sealed = { state: 'offline', reason: expect.stringContaining('Unlock the keyring') }
  expect(await engine.call('relay.list', {})).toMatchObject(relay ? [sealed] : [])

  const changed = Promise.withResolvers<{ locked: boolean }>()
  engine.on('secrets.changed', changed.resolve)
  isLocked = false
  keyring.resolve()
  expect(await changed.promise).toEqual({ locked: false })
  await until('the secrets', async () => {
    const { integrations: opened, endpoints } = await engine.call('app.snapshot', {})
    return !opened[0]?.accessSecret.unavailable && !endpoints[0]?.secret.unavailable
  })
  expect(await engine.call('endpoints.revealSecret', { id: endpointId, which: 'current' })).toEqual(
    { secret: 'a secret of the tests' },
  )
  if (relay) {
    await publish(relay.connection, 'bar', [recordOf('bar', '{}')])
    await second.one()
    await untilRelay(
      second,
      'the relay',
      ({ state, reason }) => state === 'live' && reason === null,
    )
  }
})
