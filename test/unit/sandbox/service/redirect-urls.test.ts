import { describe, expect, it } from 'vitest'
import { checkRedirectUrls, slipBetween } from '#sandbox/service/redirect-urls.ts'

describe('slipBetween', () => {
  const configured = 'http://127.0.0.1:5000/callback'
  it.each([
    ['http://127.0.0.1:5000/callback/', 'The slash at the end differs.'],
    ['http://127.0.0.1:5000/Callback', 'Upper and lower case of the path differ.'],
    ['http://127.0.0.1:5000/callback?a=1', 'The query differs.'],
    ['http://127.0.0.1:5001/callback', 'The port differs.'],
    ['http://localhost:5000/callback', 'The host is localhost and not 127.0.0.1.'],
    ['https://127.0.0.1:5000/callback', 'It begins with https:// and not http://.'],
    ['http://127.0.0.1:5000/callback#', 'It is written in another way'],
    ['http://127.0.0.1:5000/callback#x', 'It has a fragment.'],
    ['HTTP://127.0.0.1:5000/callback', 'It is written in another way'],
  ])('knows the slip in %s', (given, words) => {
    expect(slipBetween(given, configured)).toContain(words)
  })

  it.each(['https://client.example/callback', 'http://127.0.0.1:5000/other', 'callback', ''])(
    'has no name for %s',
    (given) => {
      expect(slipBetween(given, configured)).toBeNull()
    },
  )
})

describe('checkRedirectUrls', () => {
  it('keeps addresses to the byte, each once', () => {
    const urls = ['HTTP://LocalHost:80/%7e?', 'https://tabscope.invalid/callback']
    expect(checkRedirectUrls([...urls, ...urls])).toEqual(urls)
  })

  it.each([
    '',
    'callback',
    '/callback',
    'http:/a.example',
    'https://',
    'com.example.app:/cb',
    'https://a.example/ü',
    'https://a.example/a b',
    `https://a.example/${'x'.repeat(2000)}`,
  ])('refuses “%s”', (url) => {
    expect(() => checkRedirectUrls([url])).toThrow(
      expect.objectContaining({ code: 'bad_redirect_url' }),
    )
  })
})
