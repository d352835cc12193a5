import { expect, it } from 'vitest'
import { recordFormat } from '#engine/relay/format.ts'
import { Receivers } from '#engine/relay/receivers.ts'

const beat = (name: string, more: object = {}): Buffer =>
  Buffer.from(JSON.stringify({ format: recordFormat, name, version: '1.0.0', ...more }))

it('says that a receiver is down after 75 s without a heartbeat', () => {
  const receivers = new Receivers()
  receivers.connected(0)
  receivers.heard(beat('gate', { accepted: 3, refused: 4, lastDeliveryAt: 2 }), 1000)
  receivers.heard(beat('pier'), 50_000)
  expect(receivers.check(76_000)).toBe(false)
  expect(receivers.check(76_001)).toBe(true)
  expect(receivers.list()).toMatchObject([
    { name: 'gate', up: false, seenAt: 1000, accepted: 3, refused: 4, lastDeliveryAt: 2 },
    { name: 'pier', up: true, accepted: 0, lastDeliveryAt: null },
  ])
  expect(receivers.check(76_002)).toBe(false)
  receivers.heard(beat('gate'), 80_000)
  expect(receivers.list()[0]).toMatchObject({ name: 'gate', up: true, seenAt: 80_000 })
})

it('does not know it while the relay is not connected, nor before the next heartbeat is due', () => {
  const receivers = new Receivers()
  receivers.connected(0)
  receivers.heard(beat('gate'), 0)
  receivers.disconnected()
  receivers.connected(1_000_000)
  expect(receivers.check(1_074_000)).toBe(false)
  expect(receivers.list()[0]?.up).toBeNull()
  expect(receivers.check(1_076_000)).toBe(true)
  expect(receivers.list()[0]?.up).toBe(false)
})

it('ignores what is not a heartbeat of its version', () => {
  const receivers = new Receivers()
  for (const text of ['', 'null', '{"name":"gate"}', JSON.stringify({ format: 2, name: 'gate' })]) {
    expect(receivers.heard(Buffer.from(text), 0), text).toBe(false)
  }
  expect(receivers.list()).toEqual([])
})
