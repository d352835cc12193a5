import { describe, expect, it } from 'vitest'
import { CallError, type ConnectionState, createClient } from '#client/client.ts'
import { messageOf } from '#kit/use-action.ts'
import { hostFrame } from '#contract/frame-client.ts'
import { FakeHost } from './fake-host.ts'

function connected() {
  const host = new FakeHost()
  const client = createClient(host.transport, () => 1000)
  const states: ConnectionState[] = []
  let reloads = 0
  client.onConnection((state) => states.push(state))
  client.onReload(() => {
    reloads += 1
  })
  return { host, client, states, reloads: () => reloads }
}

const sandbox = (sent: number) => ({ running: true, rate: 1, sent, failed: 0, lastError: null })

describe('a call', () => {
  it('resolves with its own response, in whatever order they arrive', async () => {
    const { host, client } = connected()
    host.open()
    const first = client.call('deliveries.dismissNotices', {})
    const second = client.call('deliveries.page', { log: null, upTo: null, offset: 0, limit: 1 })
    const [one, two] = host.calls
    expect(one).toMatchObject({ name: 'deliveries.dismissNotices', input: {} })
    expect(two?.id).not.toBe(one?.id)
    host.reply(two?.id ?? 0, { rows: [], upTo: 4, total: 0 })
    host.reply(one?.id ?? 0, {})
    expect(await first).toEqual({})
    expect(await second).toEqual({ rows: [], upTo: 4, total: 0 })
  })

  it('rejects with the code, message and log ID of the error', async () => {
    const { host, client } = connected()
    host.open()
    const asked = client.call('deliveries.dismissNotices', {})
    host.tell({
      kind: 'reply',
      id: host.calls[0]?.id ?? 0,
      ok: false,
      error: { code: 'not_found', message: 'It is gone.', retry: 'never', logId: 'a1' },
    })
    const error: unknown = await asked.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(CallError)
    expect(error).toMatchObject({ code: 'not_found', retry: 'never' })
    expect(messageOf(error)).toBe('It is gone. (log a1)')
  })

  it('rejects with connection_lost if the connection is lost while it is in flight', async () => {
    const { host, client, states } = connected()
    host.open()
    host.welcome()
    const asked = client.call('app.snapshot', {})
    host.close(400)
    await expect(asked).rejects.toMatchObject({ code: 'connection_lost', retry: 'later' })
    expect(states.at(-1)).toEqual({ phase: 'lost', retryAt: 1400, everConnected: true })
  })

  it('rejects immediately, and sends nothing, while there is no connection', async () => {
    const { host, client } = connected()
    await expect(client.call('app.snapshot', {})).rejects.toMatchObject({ code: 'connection_lost' })
    host.open()
    host.close(null)
    await expect(client.call('app.snapshot', {})).rejects.toMatchObject({ code: 'connection_lost' })
    expect(host.calls).toEqual([])
  })

  it('ignores a late reply to a call that was lost', async () => {
    const { host, client } = connected()
    host.open()
    const lost = client.call('app.snapshot', {})
    host.close()
    await expect(lost).rejects.toThrow()
    host.open()
    const next = client.call('deliveries.dismissNotices', {})
    host.reply(host.calls[0]?.id ?? 0, 'late')
    host.reply(host.calls[1]?.id ?? 0, {})
    expect(await next).toEqual({})
  })
})

describe('a connection', () => {
  it('sends an empty hello at first, and session and last seq after a reconnect', () => {
    const { host } = connected()
    host.open()
    host.seq = 7
    host.welcome('run-1', true)
    host.push('sandbox.changed', sandbox(1))
    host.close()
    host.open()
    expect(host.frames).toEqual([
      { kind: 'hello', session: null, lastSeq: 0 },
      { kind: 'hello', session: 'run-1', lastSeq: 8 },
    ])
  })

  it('requests a reload at first, when the host does and when the session is a different one', () => {
    const { host, reloads, states } = connected()
    host.open()
    host.welcome('run-1')
    expect(reloads()).toBe(1)
    host.close()
    host.open()
    host.welcome('run-1')
    expect(reloads()).toBe(1)
    host.welcome('run-1', true)
    expect(reloads()).toBe(2)
    host.welcome('run-2')
    expect(reloads()).toBe(3)
    expect(states.map(({ phase }) => phase)).toEqual([
      'connected',
      'lost',
      'connected',
      'connected',
      'connected',
    ])
  })

  it('distinguishes a connection that was never open', () => {
    const { host, states } = connected()
    host.close(200)
    expect(states).toEqual([{ phase: 'lost', retryAt: 1200, everConnected: false }])
  })

  it('applies what was missed in order and once', () => {
    const { host, client } = connected()
    const seen: number[] = []
    client.on('sandbox.changed', ({ sent }) => seen.push(sent))
    host.open()
    host.welcome()
    host.push('sandbox.changed', sandbox(1))
    host.push('sandbox.changed', sandbox(2))
    host.close()
    host.open()
    host.seq = 4
    host.welcome()
    // The second is sent again: it was received, but the host could not know that.
    host.seq = 1
    for (const sent of [2, 3, 4, 5]) host.push('sandbox.changed', sandbox(sent))
    expect(seen).toEqual([1, 2, 3, 4, 5])
  })

  it('counts from the new session after a reload, even if its numbers are lower', () => {
    const { host, client } = connected()
    const seen: number[] = []
    client.on('sandbox.changed', ({ sent }) => seen.push(sent))
    host.open()
    host.seq = 900
    host.welcome('run-1')
    host.push('sandbox.changed', sandbox(1))
    host.close()
    host.open()
    host.seq = 0
    host.welcome('run-2')
    host.push('sandbox.changed', sandbox(2))
    expect(seen).toEqual([1, 2])
  })

  it('stops calling removed listeners, and closes', () => {
    const { host, client } = connected()
    const seen: number[] = []
    const stop = client.on('sandbox.changed', ({ sent }) => seen.push(sent))
    host.open()
    host.welcome()
    stop()
    host.push('sandbox.changed', sandbox(1))
    expect(seen).toEqual([])
    client.close()
    expect(host.ended).toBe(true)
  })
})

it('accepts as a frame only what is marked as one', () => {
  for (const value of [null, undefined, 'push', 7, [], {}, { kind: 'hello' }, { kind: 1 }]) {
    expect(hostFrame(value)).toBeNull()
  }
  expect(hostFrame({ kind: 'welcome' })).toEqual({ kind: 'welcome' })
})
