import { expect, it } from 'vitest'
import { tunnelStates, type SizeProbe, type SizeStep } from '#contract/tunnel.ts'
import { outcomeOf, describeSizes } from '#renderer/features/tunnel/sizes/SizesCard.tsx'
import {
  barAction,
  checkWord,
  hostOf,
  publicUrl,
  tunnelStateLabels,
} from '#renderer/state/tunnel-labels.ts'

const KiB = 1024
const MiB = 1024 * KiB

it('has a word of its own for each state', () => {
  expect(new Set(tunnelStates.map((state) => tunnelStateLabels[state].word)).size).toBe(6)
})

it('offers to open what is off, and to try what is offline', () => {
  expect(tunnelStates.map((state) => barAction({ state }))).toEqual([
    'open',
    null,
    null,
    null,
    'try',
    null,
  ])
  expect(checkWord({ state: 'off' })).toBeNull()
  expect(checkWord({ state: 'online' })).toBe('Check now')
  expect(checkWord({ state: 'offline' })).toBe('Try now')
})

it('writes addresses', () => {
  expect(publicUrl('https://pier9.loca.lt', 'pos')).toBe('https://pier9.loca.lt/hooks/pos')
  expect(hostOf('http://pier9.localhost:4000')).toBe('pier9.localhost:4000')
  expect(hostOf('not an\u0000address')).toBe('not an\\u0000address')
})

function step(bytes: number, outcome: SizeStep['outcome'], status: number | null): SizeStep {
  return { bytes, outcome, status, ms: 1, reason: null, ownLimit: null }
}

function probe(largest: number | null, stopsAt: number | null, ...steps: SizeStep[]): SizeProbe {
  return { at: 0, running: false, url: 'https://x', steps, largest, stopsAt }
}

const stopped = Math.round(1.2 * KiB) * KiB

it('describes what the tunnel lets through', () => {
  const passed = step(MiB, 'passed', 200)
  const cases: [SizeProbe, string][] = [
    [
      probe(MiB, stopped, passed, step(stopped, 'refused', 413)),
      'Lets bodies up to 1 MiB through; 1.2 MiB was refused with 413.',
    ],
    [
      probe(MiB, stopped, passed, step(stopped, 'changed', 200)),
      'Lets bodies up to 1 MiB through; 1.2 MiB came with other bytes.',
    ],
    [
      probe(MiB, stopped, passed, step(stopped, 'failed', null)),
      'Lets bodies up to 1 MiB through; 1.2 MiB got no response.',
    ],
    [
      probe(10 * MiB, null, step(10 * MiB, 'passed', 200)),
      'Lets bodies up to 10 MiB through, and nothing larger was tried.',
    ],
    [
      probe(null, KiB, step(KiB, 'refused', 502)),
      'Lets no body through: already 1 KiB was refused with 502.',
    ],
    [probe(null, null), 'Stopped before the first.'],
    [{ ...probe(null, null), running: true }, 'Trying the first size.'],
    [{ ...probe(MiB, null, passed), running: true }, 'So far: lets bodies up to 1 MiB through.'],
  ]
  for (const [given, words] of cases) expect(describeSizes(given)).toBe(words)
})

it('distinguishes two sizes that would read the same', () => {
  const [low, high] = [1_200_000, 1_200_500]
  const words = describeSizes(
    probe(low, high, step(low, 'passed', 200), step(high, 'refused', 413)),
  )
  expect(words).toBe(
    'Lets bodies up to 1,200,000 bytes through; 1,200,500 bytes was refused with 413.',
  )
})

it('distinguishes the limit of Tabscope from that of the tunnel', () => {
  const refused = step(stopped, 'refused', 413)
  const own = { ...refused, ownLimit: MiB }
  expect(outcomeOf(refused).word).toBe('refused')
  expect(outcomeOf(own).word).toBe('own limit')
  expect(describeSizes(probe(MiB, stopped, step(MiB, 'passed', 200), own))).toBe(
    'Lets bodies up to 1 MiB through. What is over 1 MiB Tabscope refuses itself: that is its own body limit, under Settings.',
  )
  expect(describeSizes(probe(null, stopped, own))).toContain('is not known')
})
