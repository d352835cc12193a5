import { describe, expect, it } from 'vitest'
import { nextZoom, clampZoom } from '#hosts/electron/window/zoom.ts'

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
