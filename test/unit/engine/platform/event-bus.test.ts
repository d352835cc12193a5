import { describe, expect, it } from 'vitest'
import { defaultSettings } from '#contract/models.ts'
import { summaries } from '#test/unit/renderer/fake-host.ts'
import { Bus } from '#engine/platform/event-bus.ts'

const pushed = (count: number): Bus => {
  const bus = new Bus()
  for (let at = 1; at <= count; at += 1)
    bus.push('settings.changed', { ...defaultSettings, keepDeliveries: at })
  return bus
}
const seqs = (frames: readonly { seq: number }[] | null) => frames?.map(({ seq }) => seq)

describe('Bus', () => {
  it('numbers pushes from 1, and passes them to listeners until they unsubscribe', () => {
    const bus = pushed(2)
    const frames: unknown[] = []
    const end = bus.listen((frame) => frames.push(frame))
    bus.push('integrations.changed', [])
    end()
    bus.push('integrations.changed', [])
    expect(frames).toEqual([{ kind: 'push', seq: 3, name: 'integrations.changed', payload: [] }])
    expect(bus.seq).toBe(4)
  })

  it('calls back for pushes of one name', () => {
    const bus = new Bus()
    const seen: number[] = []
    const end = bus.on('settings.changed', ({ keepDeliveries }) => seen.push(keepDeliveries))
    bus.push('integrations.changed', [])
    bus.push('settings.changed', { ...defaultSettings, keepDeliveries: 5 })
    end()
    bus.push('settings.changed', { ...defaultSettings, keepDeliveries: 6 })
    expect(seen).toEqual([5])
  })

  it('returns missed pushes in order', () => {
    const bus = pushed(5)
    expect(seqs(bus.since(bus.session, 2))).toEqual([3, 4, 5])
    expect(bus.since(bus.session, 5)).toEqual([])
  })

  it('keeps the last 1000 pushes, and requires a reload beyond that', () => {
    const bus = pushed(1500)
    expect(seqs(bus.since(bus.session, 500))).toHaveLength(1000)
    expect(seqs(bus.since(bus.session, 500))?.[0]).toBe(501)
    expect(bus.since(bus.session, 499)).toBeNull()
  })

  it('keeps at most 2000 rows of them', () => {
    const bus = new Bus()
    const rows = summaries(100, 1)
    for (let at = 0; at < 50; at += 1) bus.push('deliveries.changed', { rows })
    expect(seqs(bus.since(bus.session, 30))).toHaveLength(20)
    expect(bus.since(bus.session, 29)).toBeNull()
  })

  it('requires a reload for clients with another session or a future number', () => {
    const bus = pushed(3)
    expect(bus.since(null, 0)).toBeNull()
    expect(bus.since(pushed(3).session, 2)).toBeNull()
    expect(bus.since(bus.session, 4)).toBeNull()
  })
})
