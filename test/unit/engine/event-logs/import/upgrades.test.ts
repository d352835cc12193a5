import { expect, test } from 'vitest'
import { upgradeFrom, type Upgrade } from '#engine/event-logs/import/native.ts'

/** A made-up past: version 1 called the title `line`, version 2 had a line that is no more. */
const chain: readonly Upgrade[] = [
  {
    from: 2,
    begin: () => {
      let dropped = 0
      return (line) => {
        if (line['kind'] === 'mood') {
          dropped += 1
          return null
        }
        return { ...line, dropped }
      }
    },
  },
  {
    from: 1,
    begin:
      () =>
      ({ line, ...rest }) => ({ ...rest, title: line }),
  },
]

test('a line of version 1 goes through every step, in order', () => {
  const upgrade = upgradeFrom(1, chain, 3)
  expect(upgrade({ kind: 'delivery', line: 'a' })).toEqual({
    kind: 'delivery',
    title: 'a',
    dropped: 0,
  })
  expect(upgrade({ kind: 'mood', line: 'sad' })).toBeNull()
  expect(upgrade({ kind: 'delivery', line: 'b' })).toMatchObject({ title: 'b', dropped: 1 })
})

test('a later version upgrades what is left, and each log restarts', () => {
  const upgrade = upgradeFrom(2, chain, 3)
  expect(upgrade({ kind: 'mood' })).toBeNull()
  expect(upgradeFrom(2, chain, 3)({ title: 'c' })).toEqual({ title: 'c', dropped: 0 })
  expect(upgradeFrom(3, chain, 3)({ title: 'd' })).toEqual({ title: 'd' })
})

test('of the versions that were published each but the newest has one step', () => {
  expect(upgradeFrom(1)({ kind: 'head' })).toEqual({ kind: 'head' })
})
