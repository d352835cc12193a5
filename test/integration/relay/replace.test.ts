import { describe, expect, it } from 'vitest'
import { encodeInvitation, type Invitation } from '#engine/receiving/relay/files.ts'
import { sharedTestEngine } from '../../support/engine.ts'
import { openAdministered } from '../../support/nats/administered.ts'
import { invitationOf } from '../../support/nats/records.ts'
import { openRelay } from '../../support/nats/receiving.ts'
import { natsServer } from '../../support/nats/server.ts'

describe.skipIf(natsServer === null)('an invitation with a server of a known relay', () => {
  const tab = sharedTestEngine()
  const call: ReturnType<typeof tab>['engine']['call'] = (name, input) =>
    tab().engine.call(name, input)

  it('replaces it only if that is confirmed, and another server gets nothing to forward', async () => {
    await using relay = await openRelay()
    await using other = await openRelay()
    const [own, others] = [relay.nats.url, other.nats.url]
    const { id } = await call('relay.add', { invitation: invitationOf(own) })
    await call('relay.update', { id, forward: true })
    const hostile = invitationOf('', { servers: [others, own] })
    expect(await call('relay.read', { invitation: hostile })).toMatchObject({
      name: 'Team 2',
      replaces: id,
      confirm: true,
    })
    const beside = await call('relay.add', { invitation: hostile })
    expect(beside).toMatchObject({ name: 'Team 2', servers: [others, own], forward: false })
    expect(await call('relay.list', {})).toMatchObject([{ id, servers: [own], forward: true }, {}])
    await expect(
      call('relay.add', { invitation: hostile, replace: beside.id + 1 }),
    ).rejects.toMatchObject({ code: 'bad_input' })
    await call('relay.forget', { id: beside.id })

    const again = invitationOf(own, { user: 'ben' })
    expect(await call('relay.add', { invitation: again, replace: id })).toMatchObject({
      id,
      user: 'ben',
      forward: true,
    })
    expect(await call('relay.add', { invitation: hostile, replace: id })).toMatchObject({
      id,
      servers: [others, own],
      forward: false,
    })
    await call('relay.forget', { id })
  })

  // Any address of 127.0.0.0/8 is this computer on Linux only.
  it.runIf(process.platform === 'linux')(
    'replaces it without a question by its CA and user',
    async () => {
      await using relay = await openAdministered('127.0.0.2')
      expect((await relay.relay('check')).code).toBe(0)
      const first = await relay.invite('ann')
      const { id, name } = await call('relay.add', { invitation: encodeInvitation(first) })
      await call('relay.update', { id, forward: true })
      const invitation = encodeInvitation(await relay.invite('ann', '--force'))
      expect(await call('relay.read', { invitation })).toMatchObject({
        name,
        replaces: id,
        confirm: false,
      })
      expect(await call('relay.add', { invitation })).toMatchObject({ id, forward: true })
      const ofBen = encodeInvitation(await relay.invite('ben'))
      expect(await call('relay.read', { invitation: ofBen })).toMatchObject({
        replaces: id,
        confirm: true,
      })
      const read = async (edits: Partial<Invitation>) =>
        call('relay.read', { invitation: encodeInvitation({ ...first, ...edits }) })
      expect(await read({ ca: null })).toMatchObject({ replaces: id, confirm: true })
      // Without TLS, nothing proves that its server is of the CA.
      const plain = await read({ servers: ['nats://127.0.0.1:4222'] })
      expect(plain).toMatchObject({ replaces: null, confirm: false })
    },
  )
})
