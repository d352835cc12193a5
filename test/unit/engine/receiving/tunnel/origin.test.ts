import { describe, expect, it } from 'vitest'
import { originOf } from '#engine/receiving/tunnel/options.ts'

describe('An origin', () => {
  it.each([
    ['https://hooks.example.test', 'https://hooks.example.test'],
    ['HTTPS://Hooks.example.test:443/', 'https://hooks.example.test'],
    ['http://abcd.localhost:4000', 'http://abcd.localhost:4000'],
    ['http://[::1]:80', 'http://[::1]'],
    ['https://žofie.example', 'https://xn--ofie-kbb.example'],
  ])('is %s', (text, origin) => {
    expect(originOf(text)).toBe(origin)
  })

  it.each([
    '',
    'hooks.example.test',
    'ftp://hooks.example.test',
    'javascript:alert(1)',
    'https://',
    'https:///hooks',
    'https:\\\\hooks.example.test',
    'https://user@hooks.example.test',
    'https://hooks.example.test/hooks',
    'https://hooks.example.test//',
    'https://hooks.example.test?',
    'https://hooks.example.test#',
    'https://hooks.example.test:0x50',
    'https://hooks.\texample.test',
    'https://hooks.example.test\u202e',
    ' https://hooks.example.test',
    `https://${'a'.repeat(2000)}.test`,
  ])('is not %j', (text) => {
    expect(originOf(text)).toBeNull()
  })
})
