import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  fitWindow,
  uncovered,
  type Area,
  readPlace,
  writePlace,
} from '#hosts/electron/window/fit-window.ts'
import { seeded } from '#sandbox/random.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

const area = (x: number, y: number, width: number, height: number): Area => ({
  x,
  y,
  width,
  height,
})
const hd = area(0, 25, 1920, 1055)
const right = area(1920, 0, 2560, 1400)
const left = area(-1280, -200, 1280, 984)

describe('the position of a new window', () => {
  it.each<[what: string, previous: Area | null, areas: [Area, ...Area[]], fitted: Area]>([
    ['no stored position', null, [hd], area(320, 142, 1280, 820)],
    ['no stored position, small display', null, [area(0, 0, 800, 500)], area(0, 0, 800, 500)],
    ['completely visible', area(10, 30, 900, 600), [hd], area(10, 30, 900, 600)],
    [
      'on the display to the left',
      area(-1200, -100, 900, 600),
      [hd, left],
      area(-1200, -100, 900, 600),
    ],
    ['on two displays', area(1500, 100, 900, 600), [hd, right], area(1500, 100, 900, 600)],
    ['display removed', area(2500, 100, 900, 600), [hd], area(510, 252, 900, 600)],
    ['left display removed', area(-1200, -100, 900, 600), [hd], area(510, 252, 900, 600)],
    ['one of two displays removed', area(1500, 100, 900, 600), [hd], area(1020, 100, 900, 600)],
    ['beyond the left edge', area(-300, 100, 900, 600), [hd], area(0, 100, 900, 600)],
    ['behind the top bar', area(100, -20, 900, 600), [hd], area(100, 25, 900, 600)],
    ['below the display', area(100, 700, 900, 600), [hd], area(100, 480, 900, 600)],
    [
      'display scaled by two',
      area(900, 400, 1000, 650),
      [area(0, 0, 960, 540)],
      area(0, 0, 960, 540),
    ],
    ['larger than the display', area(0, 0, 5000, 4000), [hd], area(0, 25, 1920, 1055)],
    ['wider than the display', area(0, 100, 5000, 600), [hd], area(0, 100, 1920, 600)],
    ['empty', area(100, 100, 1, 1), [hd], area(100, 100, 760, 480)],
    ['empty, at the edge', area(1910, 1070, 1, 1), [hd], area(1160, 600, 760, 480)],
    [
      'display smaller than the minimum size',
      area(0, 0, 760, 480),
      [area(0, 0, 640, 400)],
      area(0, 0, 640, 400),
    ],
    ['between two displays', area(1800, 1000, 900, 600), [hd, right], area(1920, 800, 900, 600)],
    ['mirrored displays', area(1500, 100, 900, 600), [hd, hd], area(1020, 100, 900, 600)],
    ['out of range', area(100_000, -100_000, 900, 600), [hd, right], area(510, 252, 900, 600)],
  ])('is correct: %s', (_what, previous, areas, fitted) => {
    expect(fitWindow(previous, areas)).toEqual(fitted)
  })

  it('is always completely visible, for any stored position and any displays', () => {
    const { between, pick, chance } = seeded(45)
    for (let turn = 0; turn < 5_000; turn += 1) {
      const display = (x: number): Area =>
        area(x, between(-900, 900), pick([640, 1280, 1920, 3840]), pick([400, 720, 1055, 2160]))
      const first = display(between(-2_000, 2_000))
      const areas: [Area, ...Area[]] = [first]
      // Side by side, with a gap, or overlapping.
      if (chance(0.6)) areas.push(display(first.x + first.width + pick([0, 0, 100, -300])))
      if (chance(0.3)) areas.push(display(first.x - pick([1280, 640])))
      const previous = chance(0.1)
        ? null
        : area(between(-5_000, 5_000), between(-3_000, 3_000), between(1, 5_000), between(1, 3_000))
      const fitted = fitWindow(previous, areas)
      const details = JSON.stringify({ previous, areas, fitted })
      expect(uncovered(fitted, areas), details).toEqual([])
      expect(fitted.width > 0 && fitted.height > 0, details).toBe(true)
      if (previous !== null && previous.width >= 760 && previous.height >= 480) {
        // A window that fits stays in place from start to start.
        expect(fitWindow(fitted, areas), details).toEqual(fitted)
        expect(fitted.width <= previous.width && fitted.height <= previous.height, details).toBe(
          true,
        )
        if (uncovered(previous, areas).length === 0) expect(fitted, details).toEqual(previous)
      }
    }
  })
})

describe('the stored position', () => {
  const place = { ...hd, maximized: true, fullScreen: false }

  it('is read as written, and leaves no partial file', () => {
    const file = path.join(tempFolder(), 'deep', 'window.json')
    expect(readPlace(file)).toBeNull()
    writePlace(file, { ...place, x: 1 })
    writePlace(file, place)
    expect(readPlace(file)).toEqual(place)
    expect(existsSync(`${file}.new`)).toBe(false)
  })

  it.each([
    '',
    '{"x":1',
    'null',
    '[]',
    '{}',
    JSON.stringify({ ...place, x: '1' }),
    JSON.stringify({ ...place, x: 1.5 }),
    JSON.stringify({ ...place, width: 0 }),
    JSON.stringify({ ...place, height: -5 }),
    JSON.stringify({ ...place, width: 1e12 }),
    JSON.stringify({ ...place, maximized: 'yes' }),
    '\u0000'.repeat(200),
  ])('is null if the file is damaged: %#', (text) => {
    const file = path.join(tempFolder(), 'window.json')
    writeFileSync(file, text)
    expect(readPlace(file)).toBeNull()
  })

  it('is null if a folder has its name, and fails to write', () => {
    const file = path.join(tempFolder(), 'window.json')
    mkdirSync(path.join(file, 'held'), { recursive: true })
    expect(readPlace(file)).toBeNull()
    expect(() => writePlace(file, place)).toThrow()
  })
})
