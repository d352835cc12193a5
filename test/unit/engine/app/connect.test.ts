import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { HostFrame } from '#contract/host.ts'
import { defaultSettings } from '#contract/models.ts'
import { Bus } from '#engine/platform/event-bus.ts'
import { connect } from '#engine/app/connect.ts'
import { createDispatch } from '#engine/app/dispatch.ts'
import type { Handlers } from '#contract/calls.ts'
import { fakeHandlers, silentLog } from '#test/support/fake-handlers.ts'

function connected(bus = new Bus(), handlers: Partial<Handlers> = {}, backlog?: () => number) {
  const frames: HostFrame[] = []
  const dispatch = createDispatch(fakeHandlers(handlers), silentLog())
  const send = (frame: HostFrame): void => void frames.push(frame)
  const connection = connect(bus, dispatch, '1.2.3', { send, backlog })
  return { bus, connection, frames }
}
const hello = (session: string | null = null, lastSeq = 0, pushes?: readonly string[]) => ({
  kind: 'hello',
  session,
  lastSeq,
  pushes,
})
const seqs = (frames: readonly HostFrame[]) =>
  frames.flatMap((frame) => (frame.kind === 'push' ? [frame.seq] : []))

describe('connect', () => {
  it('pushes nothing before hello, and everything after it', () => {
    const { bus, connection, frames } = connected()
    bus.push('integrations.changed', [])
    expect(frames).toEqual([])
    connection.receive(hello())
    bus.push('integrations.changed', [])
    expect(frames).toEqual([
      { kind: 'welcome', session: bus.session, seq: 1, reload: true, version: '1.2.3' },
      { kind: 'push', seq: 2, name: 'integrations.changed', payload: [] },
    ])
  })

  it('sends missed pushes in order, after the welcome and before new pushes', () => {
    const bus = new Bus()
    for (let at = 0; at < 4; at += 1) bus.push('integrations.changed', [])
    const { connection, frames } = connected(bus)
    connection.receive(hello(bus.session, 1))
    bus.push('integrations.changed', [])
    expect(frames[0]).toEqual({
      kind: 'welcome',
      session: bus.session,
      seq: 4,
      reload: false,
      version: '1.2.3',
    })
    expect(seqs(frames)).toEqual([2, 3, 4, 5])
  })

  it('sends no push twice after a second hello', () => {
    const { bus, connection, frames } = connected()
    connection.receive(hello())
    connection.receive(hello(bus.session, 0))
    bus.push('integrations.changed', [])
    expect(seqs(frames)).toEqual([1])
  })

  it('sends only the pushes that the client wants, also of those it missed', () => {
    const { bus, connection, frames } = connected()
    bus.push('settings.changed', defaultSettings)
    bus.push('integrations.changed', [])
    connection.receive(hello(bus.session, 0, ['integrations.changed']))
    bus.push('settings.changed', defaultSettings)
    bus.push('integrations.changed', [])
    connection.receive({ kind: 'subscribe', push: 'settings.changed' })
    bus.push('settings.changed', defaultSettings)
    expect(seqs(frames)).toEqual([2, 4, 5])
  })

  it('sends no push to a client that only calls', () => {
    const { bus, connection, frames } = connected()
    connection.receive(hello(null, 0, []))
    bus.push('integrations.changed', [])
    expect(seqs(frames)).toEqual([])
  })

  it('withholds pushes from a client that does not read, and then welcomes it with a reload', () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    let backlog = 0
    const { bus, connection, frames } = connected(new Bus(), {}, () => backlog)
    connection.receive(hello(null, 0))
    bus.push('integrations.changed', [])
    backlog = 9 * 1024 * 1024
    for (let at = 0; at < 3; at += 1) bus.push('integrations.changed', [])
    vi.advanceTimersByTime(1000)
    expect(seqs(frames)).toEqual([1])
    backlog = 1024 * 1024
    vi.advanceTimersByTime(1000)
    bus.push('integrations.changed', [])
    expect(frames.slice(2)).toMatchObject([
      { kind: 'welcome', seq: 4, reload: true },
      { kind: 'push', seq: 5 },
    ])
    connection.close()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('responds to calls by their ID, also when they fail, and before hello', async () => {
    const { connection, frames } = connected(new Bus(), {
      'deliveries.clear': async () => ({ deleted: 3 }),
    })
    connection.receive({ kind: 'call', id: 8, name: 'deliveries.clear', input: {} })
    connection.receive({ kind: 'call', id: 9, name: 'deliveries.get', input: { id: 'x' } })
    await turn()
    // A fast response may overtake a slow one: they are matched by ID.
    const byId = frames.toSorted((a, b) => ('id' in a && 'id' in b ? a.id - b.id : 0))
    expect(byId).toEqual([
      { kind: 'reply', id: 8, ok: true, output: { deleted: 3 } },
      {
        kind: 'reply',
        id: 9,
        ok: false,
        error: expect.objectContaining({ code: 'bad_input', details: { fields: ['id'] } }),
      },
    ])
  })

  it.each([
    undefined,
    null,
    'hello',
    [],
    {},
    { kind: 'hello' },
    { kind: 'hello', session: 1, lastSeq: 0 },
    { kind: 'hello', session: null, lastSeq: -1 },
    { kind: 'call', id: 1.5, name: 'deliveries.clear', input: {} },
    { kind: 'call', id: 1, name: ['deliveries.clear'], input: {} },
    { kind: 'welcome', session: '', seq: 0, reload: true },
    new Uint8Array(9),
  ])('ignores the frame %j', async (frame) => {
    const { connection, frames } = connected()
    connection.receive(frame)
    await turn()
    expect(frames).toEqual([])
    connection.receive(hello())
    expect(frames).toHaveLength(1)
  })

  it('pushes nothing after it was closed, and other connections continue', () => {
    const { bus, connection, frames } = connected()
    const other = connected(bus)
    connection.receive(hello())
    other.connection.receive(hello())
    connection.close()
    connection.close()
    bus.push('integrations.changed', [])
    expect([seqs(frames), seqs(other.frames)]).toEqual([[], [1]])
  })
})
