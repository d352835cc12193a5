import type { Attempt } from '#contract/sending.ts'
import { byteSize } from '../../components/text/numbers.ts'
import { attemptKindLabels, outcomeOf, signingSentence } from './labels.ts'

/** One thing that two attempts differ in, headers and bodies aside. */
export interface Difference {
  readonly what: string
  readonly before: string
  readonly after: string
}

/** What differs between two attempts, apart from their headers and bodies. Times always differ, and are not told. */
export function differences(before: Attempt, after: Attempt): Difference[] {
  const both = (what: string, of: (attempt: Attempt) => string): Difference => ({
    what,
    before: of(before),
    after: of(after),
  })
  return [
    both('Outcome', (attempt) => outcomeOf(attempt).word),
    both('How', ({ kind }) => attemptKindLabels[kind]),
    both('Method', ({ method }) => method),
    both('Address', ({ url }) => url),
    both('Request line', ({ request }) => request.target),
    both('Connected to', ({ remoteAddress }) => remoteAddress ?? 'nothing'),
    both('TLS', ({ tlsVerified }) => tlsWord(tlsVerified)),
    both('Signature', signingSentence),
    both('HTTP version', ({ answer }) => answer?.httpVersion ?? 'no answer'),
    both('Request body', ({ requestBytes }) => byteSize(requestBytes)),
    both('Answer body', ({ answerBytes }) => byteSize(answerBytes)),
  ].filter(({ before, after }) => before !== after)
}

/** What TLS said of who answers. */
export function tlsWord(verified: boolean | null): string {
  if (verified === null) return 'none'
  return verified ? 'certificate verified' : 'certificate not looked at'
}

/** The one that came first, then the other: so "before" and "after" are what they say. */
export function inOrder<T extends { readonly id: number }>(one: T, other: T): readonly [T, T] {
  return one.id < other.id ? [one, other] : [other, one]
}
