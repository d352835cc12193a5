import { describe, expect, it } from 'vitest'
import { APP_URL, isAppUrl } from '#hosts/electron/app-url.ts'

describe('the origin of the interface', () => {
  it.each([APP_URL, 'app://tabscope/', 'app://tabscope/assets/x.js?y#z'])('owns %s', (url) => {
    expect(isAppUrl(url)).toBe(true)
  })

  it.each([
    'app://tabscope.example/',
    'app://tabscope@example/',
    'app://x@tabscope/',
    'app://tabscope:1/',
    'app:tabscope/',
    'https://tabscope/',
    'file:///tabscope/index.html',
    'about:blank',
    '',
  ])('does not own %j', (url) => {
    expect(isAppUrl(url)).toBe(false)
  })
})
