import { expect, it } from 'vitest'
import { differences, inOrder } from '#renderer/features/attempts/compare.ts'
import { attempt } from './samples.ts'

it('finds nothing between two that only took another time', () => {
  expect(differences(attempt, { ...attempt, id: 4, took: 900, at: attempt.at + 1 })).toEqual([])
})

it('tells each thing that differs, as it was and as it is', () => {
  const after = {
    ...attempt,
    id: 4,
    status: 500,
    url: 'https://127.0.0.1:3001/other',
    tlsVerified: false,
    requestBytes: 21,
    signing: 'none' as const,
  }
  expect(differences(attempt, after)).toEqual([
    { what: 'Outcome', before: '200 OK', after: '500 Internal Server Error' },
    {
      what: 'Address',
      before: 'http://127.0.0.1:3000/hook',
      after: 'https://127.0.0.1:3001/other',
    },
    { what: 'TLS', before: 'none', after: 'certificate not looked at' },
    {
      what: 'Signature',
      before: 'The signature is as captured.',
      after: 'There is no signature.',
    },
    { what: 'Request body', before: '20 B', after: '21 B' },
  ])
})

it('puts the older one first, whichever was chosen first', () => {
  const [one, other] = [{ id: 9 }, { id: 2 }]
  expect(inOrder(one, other)).toEqual([other, one])
  expect(inOrder(other, one)).toEqual([other, one])
})
