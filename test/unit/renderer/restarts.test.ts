import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Client, ConnectionState } from '#client/client.ts'
import { reportRestarts } from '#app/Banners.tsx'
import { useToasts } from '#kit/toasts.ts'

beforeEach(() => {
  vi.useFakeTimers()
  useToasts.setState({ toasts: [] })
})
afterEach(() => vi.useRealTimers())

const said = (): string[] => useToasts.getState().toasts.map(({ text }) => text)

function watched(search = '') {
  const replaced: string[] = []
  const listeners: ((state: ConnectionState) => void)[] = []
  const client: Pick<Client, 'onConnection'> = {
    onConnection: (listener) => {
      listeners.push(listener)
      return () => undefined
    },
  }
  reportRestarts(client, {
    location: { search, pathname: '/index.html', hash: '#/logs/3' },
    history: { replaceState: (_data, _unused, url) => void replaced.push(String(url)) },
  })
  const tell = (state: ConnectionState): void => {
    for (const listener of listeners) listener(state)
  }
  return { tell, replaced }
}
const lost = (retryAt: number | null): ConnectionState => ({
  phase: 'lost',
  retryAt,
  everConnected: true,
})

it('reports an engine restart once it is back', () => {
  const { tell } = watched()
  tell({ phase: 'connected', again: false })
  tell(lost(null))
  expect(said()).toEqual([])
  tell({ phase: 'connected', again: true })
  expect(said()).toEqual(['The engine stopped and was restarted. No received delivery is lost.'])
})

it('reports nothing for a new port, nor for a host that the page finds again', () => {
  const { tell } = watched()
  tell(lost(null))
  tell({ phase: 'connected', again: false })
  tell(lost(1000))
  tell({ phase: 'connected', again: true })
  expect(said()).toEqual([])
})

it('reports a window restart, where main has marked its address, and removes the mark', () => {
  const { replaced } = watched('?restarted')
  expect(said()).toEqual(['The window stopped and was restarted. No received delivery is lost.'])
  expect(replaced).toEqual(['/index.html#/logs/3'])
  expect(watched('?restarted=1').replaced).toEqual([])
})
