import { expect, it } from 'vitest'
import { headersOf, queryOf, withType } from '#hosts/node/command-line/call-request.ts'
import { UsageError } from '#hosts/node/command-line/errors.ts'

it('splits names and values at the first separator', () => {
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

it('adds a content type only for a JSON body, and only if none is given', () => {
  const json = { name: 'Content-Type', value: 'application/json', on: true }
  for (const body of ['{}', '[1]', '"a"', ' 1 ']) expect(withType([], body)).toEqual([json])
  for (const body of ['', 'a=b', '{']) expect(withType([], body)).toEqual([])
  const own = [{ name: 'content-TYPE', value: 'text/plain', on: true }]
  expect(withType(own, '{}')).toEqual(own)
})
