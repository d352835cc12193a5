import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const css = readFileSync(
  new URL('../../../src/renderer/kit/theme/tokens.css', import.meta.url),
  'utf8',
)
const tokens = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map(
    ([, name = '', light = '', dark = '']) => [name, { light, dark }] as const,
  ),
)

type Theme = 'light' | 'dark'

/** Relative luminance, as WCAG 2 defines it. */
function luminance(token: string, theme: Theme): number {
  const colour = tokens.get(token)?.[theme]
  if (colour === undefined) throw new Error(`no color --${token}`)
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(a: string, b: string, theme: Theme): number {
  const [low = 0, high = 0] = [luminance(a, theme), luminance(b, theme)].sort((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

const plain = ['bg', 'surface', 'raised', 'sunken', 'hover'] as const

/** Colors of text, with the backgrounds that it has. */
const texts: Readonly<Record<string, readonly string[]>> = {
  ink: [...plain, 'select', 'accent-soft', 'hit', 'warning-soft', 'info-soft', 'invalid-soft'],
  'ink-2': [...plain, 'select', 'accent-soft', 'warning-soft', 'info-soft', 'invalid-soft'],
  'ink-3': [...plain, 'select', 'accent-soft'],
  'accent-ink': ['accent', 'accent-hover'],
  accent: [...plain, 'accent-soft', 'select'],
  valid: [...plain, 'valid-soft', 'select'],
  invalid: [...plain, 'invalid-soft', 'select'],
  warning: [...plain, 'warning-soft', 'select'],
  unsigned: [...plain, 'unsigned-soft', 'select'],
  info: [...plain, 'info-soft', 'select'],
}

/** Colors of icons, outlines and bars, with what they are drawn on. */
const shapes: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`chart-${n}`, ['surface', 'bg']])),
  accent: ['bg', 'surface', 'raised', 'sunken'],
}

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  it.each([
    ['text', texts, 4.5],
    ['shapes', shapes, 3],
  ] as const)('%s can be distinguished from the background', (_, pairs, least) => {
    const faint = Object.entries(pairs).flatMap(([color, backgrounds]) =>
      backgrounds
        .map((background) => [background, contrast(color, background, theme)] as const)
        .filter(([, found]) => found < least)
        .map(([background, found]) => `--${color} on --${background}: ${found.toFixed(2)}`),
    )
    expect(faint).toEqual([])
  })
})
