import { expect, it } from 'vitest'
import { differences, inOrder } from '#renderer/features/attempts/AttemptsPanel.tsx'
import { attempt } from './samples.ts'

it('finds no difference if only the time differs', () => {
  expect(differences(attempt, { ...attempt, id: 4, took: 900, at: attempt.at + 1 })).toEqual([])
})

it('lists each difference, before and after', () => {
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
    { what: 'Result', before: '200 OK', after: '500 Internal Server Error' },
    {
      what: 'Address',
      before: 'http://127.0.0.1:3000/hook',
      after: 'https://127.0.0.1:3001/other',
    },
    { what: 'TLS', before: 'none', after: 'certificate not verified' },
    {
      what: 'Signature',
      before: 'The signature is as captured.',
      after: 'No signature.',
    },
    { what: 'Request body', before: '20 B', after: '21 B' },
  ])
})

it('puts the older one first, whichever was selected first', () => {
  const [one, other] = [{ id: 9 }, { id: 2 }]
  expect(inOrder(one, other)).toEqual([other, one])
  expect(inOrder(other, one)).toEqual([other, one])
})
