import { describe, expect, it } from 'vitest'
import { authorizeUrl, tokenUrl } from '#engine/authorization/oauth/authorize-url.ts'

const parts = {
  baseUrl: 'https://service.example',
  accessId: 'id-1',
  redirectUrl: 'https://app.example/cb',
  state: 's',
}

describe('authorizeUrl', () => {
  it('has the parameters in the order of the API documentation', () => {
    expect(authorizeUrl(parts)).toBe(
      'https://service.example/manager/oauth?response_type=code&access_id=id-1&redirect_url=https%3A%2F%2Fapp.example%2Fcb&state=s',
    )
  })

  it('encodes values so that every server decodes the same value', () => {
    const values = {
      accessId: 'a b+c&d=e%20f#g/ü',
      redirectUrl: 'https://app.example/c b?x=1&y=a+b%20c#f',
      state: '«{state}» \u{1f600}',
    }
    const url = authorizeUrl({ ...parts, ...values })
    const query = new URL(url).searchParams
    expect([query.get('access_id'), query.get('redirect_url'), query.get('state')]).toEqual([
      values.accessId,
      values.redirectUrl,
      values.state,
    ])
    expect(url).not.toContain('+')
    expect(url).toContain('a%20b%2Bc')
  })

  it('accepts a lone surrogate', () => {
    expect(authorizeUrl({ ...parts, state: 'a\ud800' })).toMatch(/state=a%EF%BF%BD$/)
  })

  it('shows a placeholder for the state', () => {
    expect(authorizeUrl({ ...parts, state: null })).toMatch(/&state=\{state\}$/)
  })

  it.each([
    ['https://service.example', ''],
    ['https://service.example/', ''],
    ['https://service.example//', ''],
    ['https://service.example/v2/eu', '/v2/eu'],
    ['https://service.example/v2/eu/', '/v2/eu'],
    ['https://service.example/v2/eu//', '/v2/eu'],
    ['https://service.example/a%2Fb', '/a%2Fb'],
    ['https://SERVICE.example:443/V2', '/V2'],
    ['https://service.example/?x=1#y', ''],
  ])('works under %s', (baseUrl, path) => {
    expect(authorizeUrl({ ...parts, baseUrl }).split('?')[0]).toBe(
      `https://service.example${path}/manager/oauth`,
    )
    expect(tokenUrl(baseUrl).href).toBe(`https://service.example${path}/api/oauth/token`)
  })
})
