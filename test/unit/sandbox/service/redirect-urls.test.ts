import { describe, expect, it } from 'vitest'
import { checkRedirectUrls, describeDifference } from '#sandbox/service/redirect-urls.ts'

describe('describeDifference', () => {
  const configured = 'http://127.0.0.1:5000/callback'
  it.each([
    ['http://127.0.0.1:5000/callback/', 'The trailing slash differs.'],
    ['http://127.0.0.1:5000/Callback', 'The letter case of the path differs.'],
    ['http://127.0.0.1:5000/callback?a=1', 'The query differs.'],
    ['http://127.0.0.1:5001/callback', 'The port differs.'],
    ['http://localhost:5000/callback', 'The host is localhost instead of 127.0.0.1.'],
    ['https://127.0.0.1:5000/callback', 'It begins with https:// instead of http://.'],
    ['http://127.0.0.1:5000/callback#', 'The spelling differs'],
    ['http://127.0.0.1:5000/callback#x', 'It has a fragment.'],
    ['HTTP://127.0.0.1:5000/callback', 'The spelling differs'],
  ])('describes the difference of %s', (given, message) => {
    expect(describeDifference(given, configured)).toContain(message)
  })

  it.each(['https://client.example/callback', 'http://127.0.0.1:5000/other', 'callback', ''])(
    'returns null for %s',
    (given) => {
      expect(describeDifference(given, configured)).toBeNull()
    },
  )
})

describe('checkRedirectUrls', () => {
  it('keeps URLs exactly, without duplicates', () => {
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
  ])('rejects “%s”', (url) => {
    expect(() => checkRedirectUrls([url])).toThrow(
      expect.objectContaining({ code: 'bad_redirect_url' }),
    )
  })
})
