import { expect, it } from 'vitest'
import { commandGroups, groupsEverywhere } from '#contract/command.ts'
import { actionsOf, entries } from '#contract/commands.ts'
import { isWithAlt, keyNotation } from '#client/keys.ts'

it('assigns each key to one action of a page', () => {
  const keys = entries().flatMap(([, { keys, group }]) => keys.map((key) => `${group}: ${key}`))
  expect(keys.length).toBeGreaterThan(60)
  expect(new Set(keys).size).toBe(keys.length)
})

function of(...groups: string[]): string[] {
  return entries().flatMap(([, { keys, group }]) => (groups.includes(group) ? keys : []))
}

it('does not reuse global keys on a page, nor keys of the list in the open delivery', () => {
  const others = commandGroups.filter((group) => !groupsEverywhere.includes(group))
  for (const key of of(...groupsEverywhere)) expect(of(...others)).not.toContain(key)
  for (const together of [groupsEverywhere, ['Deliveries', 'One delivery']]) {
    const keys = of(...together)
    expect(new Set(keys).size).toBe(keys.length)
  }
})

it('has short labels, unique within their group', () => {
  const labels = entries().map(([, { label, group }]) => `${group}: ${label}`)
  expect(new Set(labels).size).toBe(labels.length)
  for (const [, { label }] of entries()) expect(label.length, label).toBeLessThanOrEqual(42)
})

it('finds the action of every key that the list of keys shows', () => {
  for (const [name, { keys, label }] of entries()) {
    expect(label).not.toBe('')
    for (const key of keys) expect(actionsOf(key), key).toContain(name)
  }
})

it('distinguishes capital letters, and ignores other keys', () => {
  expect(actionsOf('r')).toEqual(['resend'])
  expect(actionsOf('R')).toEqual(['resend-to'])
  for (const key of ['', 'X', 'Tab', ' ', 'toString', '__proto__', 'F5']) {
    expect(actionsOf(key), key).toEqual([])
  }
})

it('names Shift only if it does not produce another character', () => {
  const plain = { code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
  expect(keyNotation({ ...plain, key: 'R', shiftKey: true })).toBe('R')
  expect(keyNotation({ ...plain, key: 'ArrowDown', shiftKey: true })).toBe('Shift+ArrowDown')
  expect(keyNotation({ ...plain, key: 'ArrowDown' })).toBe('ArrowDown')
  expect(keyNotation({ ...plain, key: 'a', ctrlKey: true })).toBe('Mod+a')
  expect(keyNotation({ ...plain, key: 'Enter', metaKey: true })).toBe('Mod+Enter')
})

const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }

it.each([
  ['a Cyrillic keyboard', { key: 'л', code: 'KeyK', ctrlKey: true }, 'Mod+k'],
  ['a Cyrillic keyboard', { key: 'о', code: 'KeyJ' }, 'j'],
  ['a Greek keyboard', { key: 'Γ', code: 'KeyG', shiftKey: true }, 'G'],
  ['Caps Lock', { key: 'K', code: 'KeyK', metaKey: true }, 'Mod+k'],
  ['Caps Lock', { key: 'A', code: 'KeyA', ctrlKey: true }, 'Mod+a'],
  ['Shift with Ctrl', { key: 'K', code: 'KeyK', ctrlKey: true, shiftKey: true }, 'Mod+K'],
  // Where a letter stands decides nothing on a keyboard that has it.
  ['a Dvorak keyboard', { key: 'k', code: 'KeyV' }, 'k'],
  ['a Turkish keyboard', { key: 'ı', code: 'KeyI' }, 'ı'],
  ['a Polish keyboard', { key: 'ś', code: 'KeyS' }, 'ś'],
  ['a French keyboard', { key: '1', code: 'Digit1', shiftKey: true }, '1'],
  ['Option on a Mac', { key: 'ø', code: 'KeyO', altKey: true }, 'ø'],
])('reads the key of %s: %j is %s', (_of, event, key) => {
  expect(keyNotation({ ...none, ...event })).toBe(key)
})

it('accepts a bracket typed with Option on a Mac, and nothing else with Alt', () => {
  const bracket = { ...none, key: '[', code: 'Digit5', altKey: true }
  expect(isWithAlt(bracket, true)).toBe(false)
  expect(isWithAlt(bracket, false)).toBe(true)
  expect(isWithAlt({ ...bracket, key: 'j' }, true)).toBe(true)
  expect(isWithAlt({ ...bracket, metaKey: true }, true)).toBe(true)
  expect(isWithAlt({ ...bracket, altKey: false }, false)).toBe(false)
})

it('reads a letter as without Caps Lock', () => {
  expect(keyNotation({ ...none, key: 'J', code: 'KeyJ' }, true)).toBe('j')
  expect(keyNotation({ ...none, key: 'j', code: 'KeyJ', shiftKey: true }, true)).toBe('J')
  expect(keyNotation({ ...none, key: 'J', code: 'KeyJ', shiftKey: true }, true)).toBe('J')
})
