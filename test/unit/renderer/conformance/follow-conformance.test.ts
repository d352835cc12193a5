import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Conformance } from '#renderer/features/conformance/ConformancePage.tsx'
import {
  requestInterval,
  followConformance,
  notLoaded,
} from '#renderer/features/conformance/ConformancePage.tsx'
import { createClient } from '#renderer/platform/client.ts'
import { FakeHost, summary } from '../fake-host.ts'
import { typed } from './samples.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => void vi.useRealTimers())

const stats = { deliveries: 1, bytes: 0, newestId: 1, indexedId: 0 }

function started() {
  const host = new FakeHost()
  const client = createClient(host.transport, Date.now)
  host.open()
  host.welcome()
  const shown: { state: Conformance } = { state: notLoaded }
  const following = followConformance(
    client,
    null,
    (change) => (shown.state = { ...shown.state, ...change }),
    Date.now,
  )
  const asked = () => host.calls.filter(({ name }) => name === 'deliveries.conformance')
  return {
    host,
    following,
    asked: () => asked().length,
    state: () => shown.state,
    arrive: () => host.push('deliveries.arrived', { rows: [summary(1)], stats }),
    answer: async (count: number) => {
      const id = asked().at(-1)?.id ?? 0
      host.reply(id, { types: [typed('OPEN_TAB', 0, 1, [], count)] })
      await vi.advanceTimersByTimeAsync(0)
    },
    refuse: async (message: string) => {
      const id = asked().at(-1)?.id ?? 0
      host.tell({
        kind: 'reply',
        id,
        ok: false,
        error: { code: 'internal', message, retry: 'later' },
      })
      await vi.advanceTimersByTimeAsync(0)
    },
  }
}

describe('the live conformance summary', () => {
  it('is requested immediately for everything stored, and reports its time', async () => {
    const { host, asked, state, answer } = started()
    expect(asked()).toBe(1)
    expect(host.calls[0]?.input).toEqual({ log: null, since: null, before: null })
    expect(state()).toMatchObject({ types: null, loading: true })
    await vi.advanceTimersByTimeAsync(50)
    await answer(7)
    expect(state()).toMatchObject({ at: 1_000_050, loading: false, failure: null })
    expect(state().types?.[0]?.count).toBe(7)
  })

  it('is refreshed at a limited rate as deliveries are received, and not otherwise', async () => {
    const { asked, answer, arrive } = started()
    await answer(1)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked()).toBe(1)
    arrive()
    await vi.advanceTimersByTimeAsync(0)
    expect(asked()).toBe(2)
    await answer(2)
    for (let turn = 0; turn < 40; turn += 1) {
      arrive()
      await vi.advanceTimersByTimeAsync(200)
      if (asked() === 3) await answer(3)
      if (asked() === 4) await answer(4)
    }
    // 8 seconds of a flood.
    expect(asked()).toBeLessThanOrEqual(2 + 8000 / requestInterval)
    expect(asked()).toBeGreaterThan(2)
  })

  it('is refreshed after indexing and deletions', async () => {
    const { host, asked, answer } = started()
    await answer(1)
    await vi.advanceTimersByTimeAsync(requestInterval)
    host.push('deliveries.indexed', { stats })
    await vi.advanceTimersByTimeAsync(0)
    expect(asked()).toBe(2)
    await answer(1)
    host.push('deliveries.removed', { reason: 'cleared', stats })
    await vi.advanceTimersByTimeAsync(requestInterval)
    expect(asked()).toBe(3)
  })

  it('is requested once more for what arrived while the response was pending', async () => {
    const { asked, answer, arrive } = started()
    arrive()
    await vi.advanceTimersByTimeAsync(requestInterval * 3)
    expect(asked()).toBe(1)
    await answer(1)
    expect(asked()).toBe(2)
  })

  it('keeps the last response when a request fails, and reports why', async () => {
    const { state, answer, refuse, following } = started()
    await answer(5)
    following.refresh()
    await refuse('The store is busy.')
    expect(state()).toMatchObject({ failure: 'The store is busy.', loading: false })
    expect(state().types?.[0]?.count).toBe(5)
    following.refresh()
    await answer(6)
    expect(state().failure).toBeNull()
  })

  it('is refreshed once a lost connection is back, without reporting an error', async () => {
    const { host, asked, state } = started()
    host.close()
    await vi.advanceTimersByTimeAsync(0)
    expect(state()).toMatchObject({ failure: null, loading: false })
    host.open()
    host.welcome('run-1')
    await vi.advanceTimersByTimeAsync(requestInterval)
    expect(asked()).toBe(2)
  })

  it('stops with its page', async () => {
    const { asked, answer, arrive, following, state } = started()
    following.stop()
    await answer(1)
    arrive()
    await vi.advanceTimersByTimeAsync(requestInterval * 2)
    expect(asked()).toBe(1)
    expect(state().types).toBeNull()
  })
})
