import { describe, expect, it } from 'vitest'
import { titleOf } from '#hosts/electron/authorization/pages.ts'

const OF = ' · Authorization'

describe('the title of an authorization window', () => {
  it.each([
    ['https://service.example/manager/oauth?a=1#b', 'https://service.example'],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080'],
    ['https://service.example:443/', 'https://service.example'],
    // The part before the `@` is not the host.
    ['https://service.example:x@attacker.invalid/', 'https://attacker.invalid'],
    ['https://service.example%2f@attacker.invalid/', 'https://attacker.invalid'],
    // Similar-looking letters and bidirectional marks are shown as requested.
    ['https://ѕervice.example/', 'https://xn--ervice-hvf.example'],
    ['https://attacker.invalid/\u202Emoc.ecivres', 'https://attacker.invalid'],
  ])('for %s is %s', (url, shown) => {
    expect(titleOf(url, 'https://other.invalid')).toBe(shown + OF)
  })

  it('keeps the end of a long host, which identifies its owner', () => {
    const host = `service.example.${'login.'.repeat(30)}attacker.invalid`
    const title = titleOf(`https://${host}:8443/`, 'null')
    expect(title).toMatch(/^https:\/\/…[a-z.]+\.attacker\.invalid:8443 · Authorization$/)
    expect(title.length).toBeLessThan(80)
  })

  it.each(['about:blank', '', 'about:srcdoc', 'blob:https://a.invalid/1', 'data:text/html,x'])(
    'at %j names the origin that wrote the page',
    (url) => {
      expect(titleOf(url, 'https://writer.invalid')).toBe(`https://writer.invalid${OF}`)
      for (const origin of ['null', '']) expect(titleOf(url, origin)).toBe('Authorization')
    },
  )
})
