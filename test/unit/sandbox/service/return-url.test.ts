import { describe, expect, it } from 'vitest'
import type { Fault } from '#sandbox/service/faults.ts'
import { returnUrl } from '#sandbox/service/router.ts'

const options = (...faults: Fault[]) => ({
  faults: new Set(faults),
  otherState: 'other-state',
  otherCode: 'other-code',
})

describe('returnUrl', () => {
  it.each([
    ['https://a.example', 'https://a.example?code=c%20d&state=s'],
    ['https://a.example/', 'https://a.example/?code=c%20d&state=s'],
    ['HTTPS://A.example:443/%7E', 'HTTPS://A.example:443/%7E?code=c%20d&state=s'],
    ['http://a.example/?', 'http://a.example/?code=c%20d&state=s'],
    ['http://a.example/?x=1', 'http://a.example/?x=1&code=c%20d&state=s'],
    ['http://a.example/?x=1&', 'http://a.example/?x=1&code=c%20d&state=s'],
    ['http://a.example/?code=mine', 'http://a.example/?code=mine&code=c%20d&state=s'],
  ])('keeps %s unchanged', (redirectUrl, expected) => {
    const back = returnUrl({ redirectUrl, rawState: 's' }, { code: 'c d' }, options())
    expect(back).toBe(expected)
  })

  it('returns the state exactly, and encodes characters that are not allowed in a URL', () => {
    const redirectUrl = 'https://a.example/'
    const back = (rawState: string | null) =>
      returnUrl({ redirectUrl, rawState }, { code: 'c' }, options())
    expect(back('%ff+%2f')).toBe('https://a.example/?code=c&state=%ff+%2f')
    expect(back('a\r\nb\u00e9')).toBe('https://a.example/?code=c&state=a%0D%0Ab%C3%A9')
    expect(back('')).toBe('https://a.example/?code=c&state=')
    expect(back(null)).toBe('https://a.example/?code=c')
  })

  it('sends no code with a denial, even with faults of the code', () => {
    const back = returnUrl(
      { redirectUrl: 'https://a.example/', rawState: null },
      { error: 'access_denied' },
      options('code_twice', 'empty_code'),
    )
    expect(back).toBe('https://a.example/?error=access_denied')
  })

  it('returns a wrong state even if none was sent', () => {
    const back = returnUrl(
      { redirectUrl: 'https://a.example/cb/', rawState: null },
      { code: 'c' },
      options('wrong_state', 'wrong_path', 'state_twice'),
    )
    expect(back).toBe('https://a.example/cb/elsewhere?code=c&state=other-state&state=other-state')
  })
})
