import { describe, expect, it } from 'vitest'
import { checkRedirectUrls } from '#sandbox/service/context.ts'

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
