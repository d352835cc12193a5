import { expect, it } from 'vitest'
import { tunnelStates } from '#contract/constants.ts'
import type { SizeProbe, SizeStep } from '#contract/tunnel.ts'
import { outcomeOf, describeSizes } from '#renderer/features/tunnel/sizes/SizesCard.tsx'
import {
  barAction,
  checkLabel,
  hostOf,
  publicUrl,
  tunnelStateLabels,
} from '#renderer/state/tunnel-labels.ts'

const KiB = 1024
const MiB = 1024 * KiB

it('has a different word for each state', () => {
  expect(new Set(tunnelStates.map((state) => tunnelStateLabels[state].word)).size).toBe(6)
})

it('offers to open the tunnel if it is off, and to retry if it is offline', () => {
  expect(tunnelStates.map((state) => barAction({ state }))).toEqual([
    'open',
    null,
    null,
    null,
    'retry',
    null,
  ])
  expect(checkLabel({ state: 'off' })).toBeNull()
  expect(checkLabel({ state: 'online' })).toBe('Check now')
  expect(checkLabel({ state: 'offline' })).toBe('Retry')
})

it('formats URLs', () => {
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

it('describes the body sizes that the tunnel accepts', () => {
  const passed = step(MiB, 'passed', 200)
  const cases: [SizeProbe, string][] = [
    [
      probe(MiB, stopped, passed, step(stopped, 'refused', 413)),
      'Accepts bodies up to 1 MiB. 1.2 MiB was rejected with 413.',
    ],
    [
      probe(MiB, stopped, passed, step(stopped, 'changed', 200)),
      'Accepts bodies up to 1 MiB. 1.2 MiB was changed in transit.',
    ],
    [
      probe(MiB, stopped, passed, step(stopped, 'failed', null)),
      'Accepts bodies up to 1 MiB. 1.2 MiB got no response.',
    ],
    [
      probe(10 * MiB, null, step(10 * MiB, 'passed', 200)),
      'Accepts bodies up to 10 MiB. Larger bodies were not tested.',
    ],
    [
      probe(null, KiB, step(KiB, 'refused', 502)),
      'Accepts no bodies: 1 KiB was rejected with 502.',
    ],
    [probe(null, null), 'Stopped before the first size.'],
    [{ ...probe(null, null), running: true }, 'Testing the first size.'],
    [{ ...probe(MiB, null, passed), running: true }, 'So far, accepts bodies up to 1 MiB.'],
  ]
  for (const [given, words] of cases) expect(describeSizes(given)).toBe(words)
})

it('formats two sizes that would look equal in bytes', () => {
  const [low, high] = [1_200_000, 1_200_500]
  const words = describeSizes(
    probe(low, high, step(low, 'passed', 200), step(high, 'refused', 413)),
  )
  expect(words).toBe('Accepts bodies up to 1,200,000 bytes. 1,200,500 bytes was rejected with 413.')
})

it('distinguishes Tabscope’s body limit from the tunnel’s limit', () => {
  const refused = step(stopped, 'refused', 413)
  const own = { ...refused, ownLimit: MiB }
  expect(outcomeOf(refused).word).toBe('rejected')
  expect(outcomeOf(own).word).toBe('body limit')
  expect(describeSizes(probe(MiB, stopped, step(MiB, 'passed', 200), own))).toBe(
    'Accepts bodies up to 1 MiB. Tabscope rejects bodies over 1 MiB, its body limit in Settings.',
  )
  expect(describeSizes(probe(null, stopped, own))).toContain('is unknown')
})
