import type { BrowserWindow } from 'electron'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeEach, expect, it, vi } from 'vitest'
import { createWindow } from '#hosts/electron/window/window.ts'

const electron = await vi.hoisted(async () => {
  const events = await import('node:events')
  const state = {
    load: Promise.withResolvers<void>(),
    done: [] as string[],
    destroyed: false,
    preferences: {},
  }
  class BrowserWindow extends events.EventEmitter {
    constructor({ webPreferences }: { webPreferences: object }) {
      super()
      state.preferences = webPreferences
    }
    webContents = new events.EventEmitter()
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

function open(place = { maximized: false, fullScreen: false }) {
  const { window, loaded } = createWindow('/preload.cjs', 'app://tabscope/index.html', {
    ...bounds,
    ...place,
  })
  return { window, ended: loaded.then(() => 'loaded', String) }
}

beforeEach(() => {
  state.load = Promise.withResolvers<void>()
  state.done = []
  state.destroyed = false
})

/** Lets everything continue that waits for the load. */
async function settled(ended: Promise<string>): Promise<void> {
  await ended
  await Promise.resolve()
}

it('is shown once when it has painted before its load has ended', async () => {
  const { window, ended } = open()
  expect(state.done).toEqual([])
  window.emit('ready-to-show')
  state.load.resolve()
  await settled(ended)
  expect(state.done).toEqual(['show'])
})

it('is shown once when its load has ended and it has not painted, as on Wayland', async () => {
  const { window, ended } = open()
  state.load.resolve()
  await settled(ended)
  expect(state.done).toEqual(['show'])
  window.emit('ready-to-show')
  expect(state.done).toEqual(['show'])
})

it.each([
  ['shown', false, false],
  ['not shown while it closes, which ends its load before the window is destroyed', true, false],
  ['not shown when it was destroyed in the same turn', false, true],
])('is, after its load failed, %s', async (_what, closes, isDestroyed) => {
  const { window, ended } = open()
  if (closes) window.emit('close')
  state.load.reject(new Error('ERR_FAILED'))
  await settled(ended)
  expect(await ended).toBe('Error: ERR_FAILED')
  state.destroyed = isDestroyed
  await nextTurn()
  expect(state.done).toEqual(closes || isDestroyed ? [] : ['show'])
})

it('fails to load with an error status, which Electron shows as an empty page', async () => {
  const { window, ended } = open()
  navigated(window, 404)
  state.load.resolve()
  expect(await ended).toContain('could not be loaded (status 404)')
  const other = open()
  navigated(other.window, 200)
  expect(await other.ended).toBe('loaded')
})

function navigated({ webContents }: BrowserWindow, status: number): void {
  webContents.emit('did-navigate', {}, 'app://tabscope/index.html', status, '')
}

it('is maximized or full screen as before', async () => {
  const { ended } = open({ maximized: true, fullScreen: true })
  state.load.resolve()
  await settled(ended)
  expect(state.done).toEqual(['maximize', 'show', 'full screen true'])
})

it('is not changed when it was already closed', async () => {
  const { ended } = open()
  state.destroyed = true
  state.load.resolve()
  await settled(ended)
  expect(state.done).toEqual([])
})

it('has a sandboxed page without Node, whose protections are all on', () => {
  open()
  expect(state.preferences).toEqual({
    preload: '/preload.cjs',
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    navigateOnDragDrop: false,
    webviewTag: false,
    spellcheck: false,
  })
})
