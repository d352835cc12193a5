import { expect, it } from 'vitest'
import { filterFault } from '#renderer/features/deliveries/filter/reading.ts'
import { filterOf, meansOne, numberIn } from '#renderer/features/palette/look-for.ts'

const uuid = '5f3b1c52-8a70-4f0e-9c39-7a4c19f1d7e2'

it('reads the number of a delivery, with and without its sign', () => {
  expect(numberIn('#12')).toBe(12)
  expect(numberIn(' 12 ')).toBe(12)
  for (const other of ['', '#', '0', '#0', '-1', '1.5', '12a', '9'.repeat(16)]) {
    expect(numberIn(other), other).toBeNull()
  }
  expect(meansOne('#12')).toBe(true)
  expect(meansOne(` ${uuid.toUpperCase()} `)).toBe(true)
  expect(meansOne('12')).toBe(false)
})

it('makes a filter of words, verdicts and ids, and leaves one that is written in the language', () => {
  expect(filterOf('  ')).toBe('')
  expect(filterOf('pale ale')).toBe('pale ale')
  expect(filterOf('Invalid')).toBe('verdict:invalid')
  expect(filterOf(`invalid ${uuid}`)).toBe(`verdict:invalid ref:${uuid}`)
  expect(filterOf('type:OPEN_TAB since:2h')).toBe('type:OPEN_TAB since:2h')
  expect(filterOf('-pale')).toBe('-pale')
  expect(filterOf('( pale')).toBe('pale')
  expect(filterOf('(')).toBe('')
})

it('makes a filter that can be read of whatever is typed', () => {
  const typed = ['(', 'a or', '"', 'or and not', 'type:', '-', 'x:y', '\\', '"a b', '*', 'nosuch:1']
  for (const text of [...typed, 'ä'.repeat(200), '( '.repeat(100)]) {
    expect(filterFault(filterOf(text)), text).toBeNull()
  }
})
