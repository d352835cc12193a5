import type { BrowserWindow } from 'electron'
import type { EventEmitter } from 'node:events'
import { expect, it, vi } from 'vitest'
import { createInterfaceWindow } from '#hosts/electron/window/interface-window.ts'

const made = await vi.hoisted(async () => {
  const events = await import('node:events')
  const windows: EventEmitter[] = []
  const createWindow = (_preload: string, url: string) => {
    const window = Object.assign(new events.EventEmitter(), {
      webContents: { getURL: () => url },
      isMinimized: () => false,
      isDestroyed: () => false,
      show: () => undefined,
      focus: () => void window.emit('focus'),
    })
    windows.push(window)
    return { window, loaded: Promise.resolve() }
  }
  return { windows, createWindow }
})
vi.mock('#hosts/electron/window/window.ts', () => ({ createWindow: made.createWindow }))
vi.mock('#hosts/electron/window/window-place.ts', () => ({
  lastPlace: () => ({}),
  rememberPlace: () => undefined,
}))

const page = (id: number): string => `app://tabscope/index.html#/deliveries/${id}`
const nth = (index: number): EventEmitter => {
  const window = made.windows.at(index)
  if (window === undefined) throw new Error('It was not opened')
  return window
}
const close = (window: EventEmitter): void => {
  window.emit('close')
  window.emit('closed')
}

it('treats its windows alike: the current one has the focus, and the last to close ends the interface', async () => {
  const window = createInterfaceWindow('/preload.cjs')
  const opened: BrowserWindow[] = []
  let closed = 0
  window.onOpened((each) => void opened.push(each))
  window.onClosed(() => (closed += 1))
  await window.show(page(1))
  await window.openAnother(page(2))
  expect(opened).toEqual(made.windows)
  expect(window.current).toBe(nth(1))
  nth(0).emit('focus')
  expect(window.current).toBe(nth(0))
  expect(opened.map(({ webContents }) => window.owns(webContents))).toEqual([true, true])

  close(nth(0))
  expect([window.current, closed]).toEqual([nth(1), 0])
  close(nth(1))
  expect([window.current, closed]).toEqual([undefined, 1])
  // Opens where the last one was.
  await window.show()
  expect(window.current?.webContents.getURL()).toBe(page(2))

  for (let id = 0; id < 20; id += 1) await window.openAnother(page(id))
  expect(window.all).toHaveLength(10)
})
