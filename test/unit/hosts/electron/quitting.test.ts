import { EventEmitter } from 'node:events'
import type { BrowserWindow } from 'electron'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Log } from '#engine/platform/ports.ts'
import { Quitting, quitOnSignals } from '#hosts/electron/quitting.ts'
import { startPower } from '#hosts/electron/power.ts'
import type { InterfaceWindow } from '#hosts/electron/window/interface-window.ts'

/** The parts of Electron that are used: `quit` calls the listeners of `before-quit`, as Electron does. */
const electron = vi.hoisted(() => {
  const boxes: { parent: unknown; signal: AbortSignal; answer: (response: number) => void }[] = []
  const beforeQuit: ((event: { preventDefault(): void }) => void)[] = []
  const heard: string[] = []
  const power: { on(name: string, listener: (event?: unknown) => void): void; first: string[] } = {
    first: [],
    on: (name) => void power.first.push(name),
  }
  const quit = (): void => {
    let isPrevented = false
    const event = { preventDefault: () => void (isPrevented = true) }
    for (const listener of beforeQuit) listener(event)
    heard.push(isPrevented ? 'stays' : 'quits')
  }
  return { boxes, beforeQuit, heard, power, quit }
})
vi.mock('electron', () => ({
  app: {
    on: (_name: string, listener: (typeof electron.beforeQuit)[number]) =>
      void electron.beforeQuit.push(listener),
    quit: () => electron.quit(),
  },
  powerMonitor: electron.power,
  dialog: {
    showMessageBox: async (...args: unknown[]) => {
      const [parent, options] = args.length > 1 ? args : [null, args[0]]
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the options are the last argument
      const { signal } = options as { signal: AbortSignal }
      return new Promise((resolve) => {
        const answer = (response: number): void => resolve({ response })
        // As Electron does on Linux and Windows, and on macOS with a parent window.
        signal.addEventListener('abort', () => answer(1))
        electron.boxes.push({ parent, signal, answer })
      })
    },
  },
}))

beforeEach(() => {
  for (const list of [electron.boxes, electron.beforeQuit, electron.heard, electron.power.first])
    list.length = 0
})

const log: Log = { info: () => undefined, warn: () => undefined, error: () => '' }

/** A window that is hidden until it is shown; if `isOpen` is false, there is none until then. */
function hiddenWindow(isOpen = true) {
  let isVisible = false
  const shown: string[] = []
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no more of it is used
  const browserWindow = {
    isVisible: () => isVisible,
    isMinimized: () => false,
    show: () => {
      shown.push('now')
      isVisible = true
    },
  } as unknown as BrowserWindow
  let current = isOpen ? browserWindow : undefined
  const window: InterfaceWindow = {
    get current() {
      return current
    },
    all: [],
    openAnother: async () => undefined,
    owns: () => false,
    // Its page never loads.
    show: async () => {
      current = browserWindow
      return new Promise(() => undefined)
    },
    onOpened: () => undefined,
    onClosed: () => undefined,
  }
  return { window, browserWindow, shown }
}

function startQuitting(window: InterfaceWindow, platform: NodeJS.Platform = 'linux') {
  let begun = 0
  const quitting = new Quitting(window, () => (begun += 1), platform)
  quitting.guard({ quitWarning: () => 'A job is sending deliveries.' }, log)
  return { quitting, begun: () => begun }
}

describe('quitting in the middle of a job', () => {
  it.each([true, false])(
    'shows a window first on macOS, where a box needs one (open: %s)',
    (isOpen) => {
      const { window, browserWindow, shown } = hiddenWindow(isOpen)
      startQuitting(window, 'darwin')
      electron.quit()
      expect(shown).toEqual(['now'])
      expect(electron.boxes.map(({ parent }) => parent)).toEqual([browserWindow])
    },
  )

  it('does not ask once the quit has begun or is decided', () => {
    const { quitting, begun } = startQuitting(hiddenWindow().window)
    quitting.quitNow()
    expect(begun()).toBe(1)
    electron.quit()
    expect(electron.boxes).toEqual([])
    expect(electron.heard).toEqual(['quits', 'quits'])
    expect(begun()).toBe(1)
  })

  it('closes the box when the system ends the app', () => {
    const { quitting } = startQuitting(hiddenWindow().window)
    electron.quit()
    quitting.quitNow()
    expect(electron.boxes[0]?.signal.aborted).toBe(true)
    expect(quitting.hasBegun).toBe(true)
  })
})

it('treats interrupts in quick succession as one, and exits immediately on a later one', () => {
  const signals = new EventEmitter()
  const done: string[] = []
  let now = 0
  quitOnSignals({
    quit: () => void done.push('quit'),
    exit: (code) => void done.push(`exit ${code}`),
    log,
    now: () => now,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of a process, its signals
    signals: signals as unknown as NodeJS.Process,
  })
  signals.emit('SIGINT')
  now = 1_000
  signals.emit('SIGINT')
  // The end of a session sends both signals, repeatedly.
  now = 60_000
  for (const signal of ['SIGHUP', 'SIGTERM', 'SIGTERM']) signals.emit(signal)
  expect(done).toEqual(Array.from({ length: 5 }, () => 'quit'))
  signals.emit('SIGINT')
  expect(done.at(-1)).toBe('exit 130')
})

describe('the end of a session', () => {
  const done: string[] = []
  const parts = {
    engine: { woke: () => undefined },
    quitting: { quitNow: () => void done.push('quit') },
    closeEngine: async () => void done.push('close the engine'),
    log,
  }

  it.each(['linux', 'darwin'] as const)(
    'is registered after another listener on %s, so that Linux waits',
    (platform) => {
      startPower({ ...parts, window: { onOpened: () => undefined }, platform })
      expect(electron.power.first).toEqual(['suspend', 'resume', 'shutdown'])
    },
  )

  it('starts the quit and closes the engine on Windows before the event returns', () => {
    const opened = new EventEmitter()
    startPower({
      ...parts,
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of a window, its events
      window: { onOpened: (listener) => listener(opened as unknown as BrowserWindow) },
      platform: 'win32',
    })
    expect(electron.power.first).not.toContain('shutdown')
    opened.emit('session-end')
    expect(done).toEqual(['quit', 'close the engine'])
  })
})
