import type { BrowserWindow, Rectangle } from 'electron'
import { EventEmitter } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import { lastPlace, rememberPlace } from '#hosts/electron/window/window-place.ts'
import { partialDouble } from '#test/support/partial-double.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

const electron = vi.hoisted(() => ({
  userData: '',
  area: { x: 0, y: 25, width: 1920, height: 1055 },
}))
vi.mock('electron', () => ({
  app: { getPath: () => electron.userData },
  screen: {
    getPrimaryDisplay: () => ({ workArea: electron.area }),
    getDisplayMatching: () => ({ workArea: electron.area }),
  },
}))

const area = (x: number, y: number, width: number, height: number) => ({ x, y, width, height })
const shape = { maximized: false, fullScreen: false }
const usual = { minWidth: 760, minHeight: 480, ...shape }
const file = (): string => path.join(electron.userData, 'window.json')

beforeEach(() => {
  electron.userData = tempFolder()
  electron.area = area(0, 25, 1920, 1055)
})

it.each<[what: string, stored: Rectangle, fitted: Rectangle]>([
  ['completely visible', area(10, 30, 900, 600), area(10, 30, 900, 600)],
  ['display removed', area(2500, 100, 900, 600), area(1020, 100, 900, 600)],
  ['beyond the left edge', area(-300, 100, 900, 600), area(0, 100, 900, 600)],
  ['behind the top bar', area(100, -20, 900, 600), area(100, 25, 900, 600)],
  ['below the display', area(100, 700, 900, 600), area(100, 480, 900, 600)],
  ['larger than the display', area(0, 0, 5000, 4000), area(0, 25, 1920, 1055)],
  ['smaller than the minimum', area(1910, 1070, 1, 1), area(1160, 600, 760, 480)],
])('opens within the display: %s', (_what, stored, fitted) => {
  writeFileSync(file(), JSON.stringify({ ...stored, ...shape }))
  expect(lastPlace()).toEqual({ ...fitted, ...usual })
})

it('opens in the middle of the primary display, and fills a small one', () => {
  expect(lastPlace()).toEqual({ ...area(320, 142, 1280, 820), ...usual })
  electron.area = area(0, 0, 640, 400)
  const small = { minWidth: 640, minHeight: 400, ...shape }
  expect(lastPlace()).toEqual({ ...area(0, 0, 640, 400), ...small })
})

it.each(['', '{"x":1', 'null', JSON.stringify({ ...area(0, 0, 0, -5), ...shape })])(
  'opens at the default place if the file is damaged: %#',
  (text) => {
    writeFileSync(file(), text)
    expect(lastPlace()).toMatchObject({ x: 320, y: 142 })
    expect(readFileSync(file(), 'utf8')).toBe(text)
  },
)

it('closes even if its place cannot be saved', () => {
  mkdirSync(path.join(file(), 'folder'), { recursive: true })
  const window = Object.assign(new EventEmitter(), {
    getNormalBounds: () => area(10, 30, 900, 600),
    isMaximized: () => false,
    isFullScreen: () => false,
  })
  rememberPlace(partialDouble<BrowserWindow>(window))
  expect(() => window.emit('close')).not.toThrow()
  expect(lastPlace()).toMatchObject({ x: 320, y: 142 })
})
