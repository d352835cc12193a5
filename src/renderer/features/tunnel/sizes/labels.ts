import type { SizeProbe, SizeStep } from '#contract/tunnel.ts'
import { byteSize, count } from '../../../components/text/numbers.ts'

interface OutcomeWords {
  readonly word: string
  readonly tone: 'valid' | 'invalid' | 'missing'
}

const outcomeWords = {
  passed: { word: 'passed', tone: 'valid' },
  refused: { word: 'refused', tone: 'invalid' },
  changed: { word: 'changed', tone: 'invalid' },
  failed: { word: 'no answer', tone: 'missing' },
} as const satisfies Record<SizeStep['outcome'], OutcomeWords>

/** What became of a body, in a word. What Tabscope itself refused is no fault of the tunnel. */
export function outcomeOf({ outcome, ownLimit }: SizeStep): OutcomeWords {
  return ownLimit === null ? outcomeWords[outcome] : { word: 'own limit', tone: 'missing' }
}

/** What came of it: "Lets bodies up to 1 MiB through; 1.2 MiB was refused with 413." `bodyLimit`: Tabscope's own, in bytes. */
export function describeSizes(probe: SizeProbe): string {
  const { largest, stopsAt, steps, running } = probe
  if (steps.length === 0) return running ? 'Trying the first size.' : 'Stopped before the first.'
  const stop = steps.find(({ bytes, outcome }) => bytes === stopsAt && outcome !== 'passed')
  const so = running ? 'So far: lets' : 'Lets'
  if (stop === undefined) {
    if (largest === null) return 'Nothing came of it.'
    return `${so} bodies up to ${byteSize(largest)} through${running ? '.' : ', and nothing larger was tried.'}`
  }
  const [low, high] = sizesApart(largest ?? 0, stop.bytes)
  if (stop.ownLimit !== null) {
    return largest === null
      ? `${high} is over Tabscope’s own body limit of ${byteSize(stop.ownLimit)}, set under Settings. What the tunnel lets through is not known.`
      : `${so} bodies up to ${low} through. What is over ${byteSize(stop.ownLimit)} Tabscope refuses itself: that is its own body limit, under Settings.`
  }
  const end = `${high} ${endWords(stop)}`
  return largest === null
    ? `Lets no body through: already ${end}.`
    : `${so} bodies up to ${low} through; ${end}.`
}

function endWords({ outcome, status }: SizeStep): string {
  switch (outcome) {
    case 'passed':
      return 'passed'
    case 'refused':
      return status === null ? 'was refused' : `was refused with ${status}`
    case 'changed':
      return 'came with other bytes'
    case 'failed':
      return 'got no answer'
  }
}

/** Two sizes in words that differ: to the byte where units would make them the same. */
function sizesApart(one: number, other: number): readonly [string, string] {
  const words = [byteSize(one), byteSize(other)] as const
  return words[0] === words[1] ? [`${count(one)} bytes`, `${count(other)} bytes`] : words
}
