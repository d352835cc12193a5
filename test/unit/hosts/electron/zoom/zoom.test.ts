import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import type { DesktopState } from '#hosts/electron/desktop-memory.ts'
import { startZoom } from '#hosts/electron/window/zoom.ts'

function openPage() {
  const factors: number[] = []
  const webContents = Object.assign(new EventEmitter(), {
    setZoomFactor: (factor: number) => void factors.push(factor),
  })
  return { factors, webContents }
}

it('follows wheel and menu within its limits, and applies to the next window', () => {
  let state: DesktopState = { zoom: 40, backgroundNoticeShown: false, loginItem: false }
  const open: ((window: object) => void)[] = []
  const first = openPage()
  let current: typeof first | undefined = first
  const window = {
    get current() {
      return current
    },
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
})
