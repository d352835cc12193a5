import { expect, it } from 'vitest'
import { latestOnly } from '#client/limit-calls.ts'

it('runs one request at a time, and only the last of those made in the meantime', async () => {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const want = latestOnly((text: string) => {
    begun.push(text)
    return new Promise<void>((resolve) => ends.push(resolve))
  })
  want('a')
  want('ab')
  want('abc')
  expect(begun).toEqual(['a'])
  ends[0]?.()
  await Promise.resolve()
  await Promise.resolve()
  expect(begun).toEqual(['a', 'abc'])
  ends[1]?.()
  await new Promise((resolve) => setImmediate(resolve))
  want('later')
  expect(begun).toEqual(['a', 'abc', 'later'])
})
