import { expect, it } from 'vitest'
import { actionOf, entries } from '#renderer/features/shell/keys.ts'

it('gives each key to one action', () => {
  const keys = entries().flatMap(([, action]) => action.keys)
  expect(keys.length).toBeGreaterThan(entries().length)
  expect(new Set(keys).size).toBe(keys.length)
})

it('finds the action of every key that the list of keys shows', () => {
  for (const [name, { keys, label }] of entries()) {
    expect(label).not.toBe('')
    for (const key of keys) expect(actionOf(key), key).toBe(name)
  }
})

it('tells letters in capitals apart, and knows no other key', () => {
  expect(actionOf('g')).toBe('top')
  expect(actionOf('G')).toBe('bottom')
  for (const key of ['', 'J', 'Tab', ' ', 'toString', '__proto__', 'F5']) {
    expect(actionOf(key), key).toBeNull()
  }
})
