import { expect, it } from 'vitest'
import { inOrder } from '#renderer/features/attempts/AttemptsPanel.tsx'

it('puts the older one first, whichever was selected first', () => {
  const [one, other] = [{ id: 9 }, { id: 2 }]
  expect(inOrder(one, other)).toEqual([other, one])
  expect(inOrder(other, one)).toEqual([other, one])
})
