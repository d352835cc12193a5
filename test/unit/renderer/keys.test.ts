import { expect, it } from 'vitest'
import { actionsOf, entries } from '#contract/commands.ts'
import { written } from '#renderer/features/shell/keys.ts'

it('gives each key to one action of a page', () => {
  const keys = entries().flatMap(([, { keys, group }]) => keys.map((key) => `${group}: ${key}`))
  expect(keys.length).toBeGreaterThan(entries().length)
  expect(new Set(keys).size).toBe(keys.length)
})

function of(...groups: string[]): string[] {
  return entries().flatMap(([, { keys, group }]) => (groups.includes(group) ? keys : []))
}

it('gives no key of all pages to one of them, nor one of the list to what is open beside it', () => {
  const others = [...new Set(entries().map(([, { group }]) => group))].filter(
    (group) => group !== 'Everywhere',
  )
  for (const key of of('Everywhere')) expect(of(...others)).not.toContain(key)
  const beside = of('Deliveries', 'One delivery')
  expect(new Set(beside).size).toBe(beside.length)
})

it('finds the action of every key that the list of keys shows', () => {
  for (const [name, { keys, label }] of entries()) {
    expect(label).not.toBe('')
    for (const key of keys) expect(actionsOf(key), key).toContain(name)
  }
})

it('tells letters in capitals apart, and knows no other key', () => {
  expect(actionsOf('g')).toEqual(['top'])
  expect(actionsOf('G')).toEqual(['bottom'])
  for (const key of ['', 'J', 'Tab', ' ', 'toString', '__proto__', 'F5']) {
    expect(actionsOf(key), key).toEqual([])
  }
})

it('names Shift only where it makes no other character', () => {
  const plain = { ctrlKey: false, metaKey: false, shiftKey: false }
  expect(written({ ...plain, key: 'R', shiftKey: true })).toBe('R')
  expect(written({ ...plain, key: 'ArrowDown', shiftKey: true })).toBe('Shift+ArrowDown')
  expect(written({ ...plain, key: 'ArrowDown' })).toBe('ArrowDown')
  expect(written({ ...plain, key: 'a', ctrlKey: true })).toBe('Mod+a')
  expect(written({ ...plain, key: 'Enter', metaKey: true })).toBe('Mod+Enter')
})
