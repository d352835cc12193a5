import { describe, expect, it } from 'vitest'
import {
  isDirect,
  parseProxy,
  proxyOfEnvironment,
  proxyOfList,
} from '#engine/platform/http/proxy.ts'

describe('NO_PROXY', () => {
  it.each([
    ['https://api.example.test/', 'example.test', true],
    ['https://api.example.test/', ' other.test,.EXAMPLE.test', true],
    ['https://api.example.test/', '*.example.test', true],
    ['https://example.test/', '.example.test', true],
    ['https://notexample.test/', 'example.test', false],
    ['https://example.test/', 'api.example.test', false],
    ['https://example.test/', '*', true],
    ['https://example.test/', '', false],
    ['https://example.test/', 'example.test:443', true],
    ['http://example.test/', 'example.test:443', false],
    ['http://example.test:8080/', 'example.test:8080', true],
    ['http://10.0.0.8/', '10.0.0.8', true],
    ['http://10.0.0.8/', '10.0.0.0/8', false],
    ['http://[2001:db8::1]/', '2001:db8::1', true],
    ['http://[2001:db8::1]:81/', '[2001:db8::1]:81', true],
    ['http://[2001:db8::1]:81/', '[2001:db8::1]:82', false],
  ])('for %s: %j is %s', (url, list, direct) => {
    expect(isDirect(new URL(url), { NO_PROXY: list })).toBe(direct)
    expect(isDirect(new URL(url), { no_proxy: list, NO_PROXY: '*' })).toBe(direct)
  })

  it('always has this machine', () => {
    for (const host of ['localhost', 'a.localhost', '127.0.0.1', '127.9.9.9', '[::1]', '0.0.0.0'])
      expect(isDirect(new URL(`https://${host}:4000/`), {})).toBe(true)
  })
})

describe('the proxy of the environment', () => {
  it('is that of the scheme, else ALL_PROXY, and lower case comes first', () => {
    const env = { HTTPS_PROXY: 'proxy.test:3128', https_proxy: '', ALL_PROXY: 'http://all.test' }
    expect(
      proxyOfEnvironment(new URL('https://a.test'), { ...env, https_proxy: undefined }),
    ).toEqual({
      url: new URL('http://proxy.test:3128'),
      name: 'proxy.test:3128',
      authorization: null,
    })
    expect(proxyOfEnvironment(new URL('https://a.test'), env)?.name).toBe('all.test:80')
    expect(proxyOfEnvironment(new URL('http://a.test'), env)?.name).toBe('all.test:80')
    expect(proxyOfEnvironment(new URL('http://a.test'), {})).toBeNull()
  })

  it('has its credentials apart, and an invalid one is not quoted', () => {
    expect(parseProxy('http://m%20e:p%40ss@proxy.test')).toMatchObject({
      url: new URL('http://proxy.test'),
      authorization: `Basic ${Buffer.from('m e:p@ss').toString('base64')}`,
    })
    expect(() =>
      proxyOfEnvironment(new URL('https://a.test'), { HTTPS_PROXY: 'socks5://me:secret@b.test' }),
    ).toThrow(/^The variable HTTPS_PROXY is not the URL of an HTTP proxy\. (?!.*secret)/)
  })
})

describe('a list of the system', () => {
  it.each([
    ['PROXY a.test:3128;DIRECT', 'http://a.test:3128/'],
    ['HTTPS a.test:443', 'https://a.test/'],
    ['SOCKS5 b.test:1080; PROXY a.test:3128', 'http://a.test:3128/'],
    ['DIRECT', undefined],
    ['', undefined],
  ])('%j is %s', (list, url) => {
    expect(proxyOfList(list)?.url.href).toBe(url)
  })

  it('of other proxies is an error', () => {
    expect(() => proxyOfList('SOCKS5 b.test:1080')).toThrow('not an HTTP proxy (SOCKS5)')
  })
})
