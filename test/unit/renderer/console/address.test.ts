import { describe, expect, it } from 'vitest'
import { isWhole, prefixOf, shortAddress, targetOf } from '#client/addresses/console.ts'

const url = (base: string, path: string): string | null => {
  const target = targetOf(base, path)
  return target.ok ? target.url : null
}

const refused = (base: string, path: string): string | null => {
  const target = targetOf(base, path)
  return target.ok ? null : target.message
}

describe('an address', () => {
  it('joins the base URL and the path, with or without slashes', () => {
    for (const base of ['https://api.example/v1', 'https://api.example/v1/']) {
      expect(url(base, 'locations')).toBe('https://api.example/v1/locations')
      expect(url(base, '/locations?a=1')).toBe('https://api.example/v1/locations?a=1')
      expect(prefixOf(base, 'locations')).toBe('https://api.example/v1/')
      expect(prefixOf(base, '/locations')).toBe('https://api.example/v1')
    }
    expect(url('https://api.example', 'x')).toBe('https://api.example/x')
  })

  it('never leaves the origin, whatever the path', () => {
    for (const path of [
      '//evil.example/x',
      '\\\\evil.example',
      '@evil.example',
      '..//evil',
      ':80',
    ]) {
      expect(targetOf('https://api.example', path), path).toMatchObject({ foreign: false })
    }
  })

  it('may be absolute, and then belongs to another origin if scheme, host or port differ', () => {
    const base = 'https://api.example/v1'
    expect(targetOf(base, 'https://api.example/other')).toMatchObject({
      whole: true,
      foreign: false,
    })
    for (const path of [
      'http://api.example/',
      'https://api.example:8443/',
      'https://api.example.evil/',
      'HTTPS://evil.example',
    ]) {
      expect(targetOf(base, path), path).toMatchObject({ whole: true, foreign: true })
    }
    expect(isWhole(' https://x')).toBe(true)
    expect(isWhole('https')).toBe(false)
  })

  it('is rejected with a message', () => {
    expect(refused('https://api.example', '  ')).toBe('Enter a path.')
    expect(refused('', 'x')).toMatch(/no base URL/)
    expect(refused('https://api.example', 'ftp://x/')).toMatch(/http or https/)
    expect(refused('https://api.example', 'https://')).toMatch(/valid path or URL/)
    expect(refused('https://api.example', 'https://me:secret@api.example/')).toMatch(/password/)
  })

  it('is short in a list', () => {
    expect(shortAddress('https://api.example/v1/x?y=«token»')).toBe('/v1/x?y=«token»')
    expect(shortAddress('https://api.example')).toBe('/')
    expect(shortAddress('none')).toBe('none')
  })
})
