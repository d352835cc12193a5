import { EventEmitter } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import type { DesktopState } from '#hosts/electron/desktop-memory.ts'
import { clampZoom, nextZoom, startZoom } from '#hosts/electron/window/zoom.ts'

const focused = vi.hoisted(() => ({ page: null as object | null }))
vi.mock('electron', () => ({ BrowserWindow: { getFocusedWindow: () => focused.page } }))

function openPage() {
  const factors: number[] = []
  const webContents = Object.assign(new EventEmitter(), {
    setZoomFactor: (factor: number) => void factors.push(factor),
    getZoomFactor: () => factors.at(-1) ?? 1,
  })
  return { factors, webContents }
}

it('follows wheel and menu within its limits, and applies to the next window', () => {
  let state: DesktopState = {
    zoom: 40,
    backgroundNoticeShown: false,
    loginItem: false,
    hardwareAcceleration: true,
  }
  const open: ((window: object) => void)[] = []
  const first = openPage()
  let current: typeof first | undefined = first
  const window = {
    get current() {
      return current
    },
    get all() {
      return current === undefined ? [] : [current]
    },
    owns: (contents: object) => contents === current?.webContents,
    onOpened: (listener: (window: object) => void) => void open.push(listener),
  }
  const memory = {
    get current() {
      return state
    },
    remember: (changed: Partial<DesktopState>) => void (state = { ...state, ...changed }),
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of the window, zoom uses these alone
  const zoom = startZoom(window as never, memory)
  for (const listener of open) listener(first)
  // A stored factor is limited.
  first.webContents.emit('did-navigate')
  first.webContents.emit('zoom-changed', {}, 'in')
  first.webContents.emit('zoom-changed', {}, 'out')
  expect(first.factors).toEqual([3, 3, 2.5])
  for (let step = 0; step < 20; step += 1) first.webContents.emit('zoom-changed', {}, 'out')
  expect(first.factors.at(-1)).toBe(0.5)
  zoom('in')
  expect(state.zoom).toBe(0.67)

  const second = openPage()
  current = second
  for (const listener of open) listener(second)
  second.webContents.emit('did-navigate')
  expect(second.factors).toEqual([0.67])
  // Without a window, it applies to the next one.
  current = undefined
  zoom('reset')
  expect(state.zoom).toBe(1)

  // The menu's items zoom the focused window.
  const authorization = openPage()
  focused.page = authorization
  zoom('in')
  expect([authorization.factors, state.zoom]).toEqual([[1.1], 1])
})

const walk = (to: 'in' | 'out', from = 1): number[] => {
  const all: number[] = []
  for (
    let factor = nextZoom(from, to);
    factor !== (all.at(-1) ?? from);
    factor = nextZoom(factor, to)
  ) {
    all.push(factor)
  }
  return all
}

describe('zoom', () => {
  it('moves in steps up to its limits', () => {
    expect(walk('in')).toEqual([1.1, 1.25, 1.5, 1.75, 2, 2.5, 3])
    expect(walk('out')).toEqual([0.9, 0.8, 0.75, 0.67, 0.5])
    expect(nextZoom(2.5, 'reset')).toBe(1)
  })

  it('continues from any factor, and limits a stored one', () => {
    expect(nextZoom(1.2, 'in')).toBe(1.25)
    expect(nextZoom(1.2, 'out')).toBe(1.1)
    expect(nextZoom(9, 'in')).toBe(3)
    expect([0.01, 0.7, 40].map(clampZoom)).toEqual([0.5, 0.7, 3])
  })
})
