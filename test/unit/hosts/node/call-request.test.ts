import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { headersOf, queryOf, splitData, withType } from '#hosts/node/call-request.ts'
import { UsageError } from '#hosts/node/usage.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

describe('splitData', () => {
  it('takes a body for a body, whatever it looks like', () => {
    for (const text of ['', '{}', '/', '/no/such/folder', 'relative', '.', '@file', '@-']) {
      expect(splitData([text], undefined)).toEqual({ folder: undefined, data: text })
    }
  })

  it('takes the absolute path of a data folder, or of an empty one, for the folder', () => {
    const folder = tempFolder()
    expect(splitData([folder], undefined)).toEqual({ folder, data: undefined })
    writeFileSync(path.join(folder, 'tabscope.db'), '')
    expect(splitData(['{}', folder], undefined)).toEqual({ folder, data: '{}' })
    const other = tempFolder()
    writeFileSync(path.join(other, 'something'), '')
    expect(splitData([other], undefined)).toEqual({ folder: undefined, data: other })
  })

  it('looks at nothing where --data-dir names the folder', () => {
    const folder = tempFolder()
    expect(splitData([folder], '/elsewhere')).toEqual({ folder: '/elsewhere', data: folder })
  })

  it('refuses two of either', () => {
    expect(() => splitData(['a', 'b'], undefined)).toThrow(UsageError)
    expect(() => splitData([tempFolder(), tempFolder()], undefined)).toThrow(UsageError)
  })
})

it('takes names and values apart at the first mark', () => {
  expect(queryOf(['a=b=c', 'e='])).toEqual([
    { name: 'a', value: 'b=c', on: true },
    { name: 'e', value: '', on: true },
  ])
  expect(headersOf(['X-A: b: c ', 'X-B:'])).toEqual([
    { name: 'X-A', value: 'b: c', on: true },
    { name: 'X-B', value: '', on: true },
  ])
  for (const text of ['', '=a', 'a']) expect(() => queryOf([text])).toThrow(UsageError)
  for (const text of ['', ': a', 'a']) expect(() => headersOf([text])).toThrow(UsageError)
})

it('names the type of a JSON body alone, and only where none is named', () => {
  const json = { name: 'Content-Type', value: 'application/json', on: true }
  for (const body of ['{}', '[1]', '"a"', ' 1 ']) expect(withType([], body)).toEqual([json])
  for (const body of ['', 'a=b', '{']) expect(withType([], body)).toEqual([])
  const own = [{ name: 'content-TYPE', value: 'text/plain', on: true }]
  expect(withType(own, '{}')).toEqual(own)
})
