import type { EventEmitter } from 'node:events'
import { beforeEach, expect, it, vi } from 'vitest'
import { createWindow } from '#hosts/electron/window/window.ts'

const electron = await vi.hoisted(async () => {
  const events = await import('node:events')
  const state = { load: Promise.withResolvers<void>(), done: [] as string[], destroyed: false }
  class BrowserWindow extends events.EventEmitter {
    loadURL = (): Promise<void> => state.load.promise
    isDestroyed = (): boolean => state.destroyed
    maximize = (): void => void state.done.push('maximize')
    show = (): void => void state.done.push('show')
    setFullScreen = (full: boolean): void => void state.done.push(`full screen ${full}`)
  }
  return { BrowserWindow, nativeTheme: { shouldUseDarkColors: false }, state }
})
vi.mock('electron', () => electron)

const { state } = electron
const bounds = { x: 0, y: 0, width: 900, height: 600, minWidth: 760, minHeight: 480 }

function opened(place = { maximized: false, fullScreen: false }): EventEmitter {
  return createWindow('/preload.cjs', 'app://tabscope/index.html', { ...bounds, ...place }).window
}

beforeEach(() => {
  state.load = Promise.withResolvers<void>()
  state.done = []
  state.destroyed = false
})

/** The turn in which what waits for the load goes on. */
const settled = (): Promise<unknown> => state.load.promise.catch(() => undefined).then(() => null)

it('is shown once when it has painted before its load has ended', async () => {
  const window = opened()
  expect(state.done).toEqual([])
  window.emit('ready-to-show')
  state.load.resolve()
  await settled()
  expect(state.done).toEqual(['show'])
})

it('is shown once when its load has ended and it has not painted, as on Wayland', async () => {
  const window = opened()
  state.load.resolve()
  await settled()
  expect(state.done).toEqual(['show'])
  window.emit('ready-to-show')
  expect(state.done).toEqual(['show'])
})

it('is shown when its load has failed', async () => {
  opened()
  state.load.reject(new Error('ERR_FAILED'))
  await settled()
  expect(state.done).toEqual(['show'])
})

it('is as large as it was', async () => {
  opened({ maximized: true, fullScreen: true })
  state.load.resolve()
  await settled()
  expect(state.done).toEqual(['maximize', 'show', 'full screen true'])
})

it('is left alone when it was closed before', async () => {
  opened()
  state.destroyed = true
  state.load.resolve()
  await settled()
  expect(state.done).toEqual([])
})
