import { expect, test } from 'vitest'
import { upgradeFrom, type Upgrade } from '#engine/event-logs/import/native.ts'

/** Made-up versions: version 1 called the title `line`, version 2 had a kind of line that was removed. */
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

test('a later version gets only the remaining upgrades, and each log starts with fresh state', () => {
  const upgrade = upgradeFrom(2, chain, 3)
  expect(upgrade({ kind: 'mood' })).toBeNull()
  expect(upgradeFrom(2, chain, 3)({ title: 'c' })).toEqual({ title: 'c', dropped: 0 })
  expect(upgradeFrom(3, chain, 3)({ title: 'd' })).toEqual({ title: 'd' })
})

test('each published version except the newest has one upgrade', () => {
  expect(upgradeFrom(1)({ kind: 'head' })).toEqual({ kind: 'head' })
})
