import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Client, ConnectionState } from '#renderer/platform/client.ts'
import { reportRestarts } from '#renderer/features/shell/restarts.ts'
import { useToasts } from '#renderer/features/shell/toasts.ts'

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

it('says that the engine was started again, once it is there', () => {
  const { tell } = watched()
  tell({ phase: 'connected', again: false })
  tell(lost(null))
  expect(said()).toEqual([])
  tell({ phase: 'connected', again: true })
  expect(said()).toEqual([
    'The engine stopped and was started again. Nothing that was received is lost.',
  ])
})

it('says nothing of a port that was handed out anew, nor of a host that the page finds again by itself', () => {
  const { tell } = watched()
  tell(lost(null))
  tell({ phase: 'connected', again: false })
  tell(lost(1000))
  tell({ phase: 'connected', again: true })
  expect(said()).toEqual([])
})

it('says that the window was started again, where main has marked its address, and takes the mark away', () => {
  const { replaced } = watched('?restarted')
  expect(said()).toEqual([
    'The window stopped and was started again. Nothing that was received is lost.',
  ])
  expect(replaced).toEqual(['/index.html#/logs/3'])
  expect(watched('?restarted=1').replaced).toEqual([])
})
