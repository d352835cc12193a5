import { describe, expect, it } from 'vitest'
import { originOf, targetOf } from '#engine/authorization/api-console/target.ts'
import { AppError } from '#engine/platform/errors.ts'

const on = (name: string, value: string) => ({ name, value, on: true })
const to = (base: string, path: string): string => targetOf(base, path, []).href

describe('a target', () => {
  it.each([
    ['https://api.example', '/things', 'https://api.example/things'],
    ['https://api.example/', 'things', 'https://api.example/things'],
    ['https://api.example/v1', '/things/7', 'https://api.example/v1/things/7'],
    ['https://api.example/v1//', 'things', 'https://api.example/v1/things'],
    ['https://api.example/v1/', '/', 'https://api.example/v1/'],
    ['https://api.example/v1', '?q=1', 'https://api.example/v1?q=1'],
    ['https://api.example', '?q=1', 'https://api.example/?q=1'],
    ['https://api.example:8443/v1?a=1#b', 'things#part', 'https://api.example:8443/v1/things'],
    ['https://api.example', 'a b/%2F', 'https://api.example/a%20b/%2F'],
    ['http://127.0.0.1:4000', 'HTTPS://Other.example/x', 'https://other.example/x'],
  ])('of %s and %s', (base, path, target) => {
    expect(to(base, path)).toBe(target)
  })

  it.each([
    '//evil.example/x',
    '///evil.example/x',
    '/\\evil.example/x',
    '\\\\evil.example/x',
    '@evil.example/x',
    ':9999@evil.example/x',
    '.evil.example/x',
    '/../../evil.example/x',
    '%2e%2e/%2e%2e/x',
    'ht\ntps://evil.example/x',
    ' //evil.example/x',
    '/@evil.example:80/',
    'evil.example:80/x',
    'javascript:alert(1)',
  ])('keeps the origin of the integration for the path %j', (path) => {
    for (const base of ['https://api.example', 'https://api.example/v1/'])
      expect(new URL(to(base, path)).origin).toBe('https://api.example')
  })

  it.each([
    'ftp://evil.example/',
    'file:///etc/passwd',
    'http:evil.example',
    'https:/evil.example',
  ])('rejects other schemes and malformed URLs: %s', (path) => {
    expect(() => to('https://api.example', path)).toThrow(AppError)
  })

  it('rejects user names, invalid ports and a missing base URL', () => {
    expect(() => to('https://api.example', 'https://user:secret@api.example/')).toThrow('user name')
    expect(() => to('https://api.example', 'https://api.example:99999/')).toThrow('not a valid URL')
    expect(() => to('', '/things')).toThrow('no base URL')
    expect(to('', 'https://api.example/things')).toBe('https://api.example/things')
  })

  it('keeps the query as written, followed by the enabled parameters', () => {
    const query = [on('a&b', 'c=d ü'), { name: 'off', value: '1', on: false }, on('e', '')]
    expect(targetOf('https://api.example', '/x?q=1+2%20', query).href).toBe(
      'https://api.example/x?q=1+2%20&a%26b=c%3Dd%20%C3%BC&e=',
    )
    expect(targetOf('https://api.example', '/x', query.slice(1, 2)).href).toBe(
      'https://api.example/x',
    )
  })
})

it('originOf returns the origin of an http or https URL only', () => {
  expect(originOf('https://api.example:443/v1')).toBe('https://api.example')
  expect(originOf('ftp://api.example')).toBeNull()
  expect(originOf('')).toBeNull()
})
