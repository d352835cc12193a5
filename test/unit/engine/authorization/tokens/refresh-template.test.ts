import { describe, expect, it } from 'vitest'
import { defaultRefreshTemplate } from '#contract/default-refresh.ts'
import type { RefreshTemplate } from '#contract/integrations.ts'
import { renderRefresh } from '#engine/authorization/tokens/refresh-template.ts'

const values = { refresh_token: 'r/1 "é"\\+&=', access_id: 'acc-7', access_secret: 's"ecret\n&' }
const base = 'https://api.example.com/v1/'

function rendered(change: Partial<RefreshTemplate>, baseUrl = base) {
  const result = renderRefresh({ ...defaultRefreshTemplate, ...change }, values, baseUrl)
  if ('problem' in result) throw new Error(result.problem)
  return result.request
}

function problem(change: Partial<RefreshTemplate>, baseUrl = base, given = values): string {
  const result = renderRefresh({ ...defaultRefreshTemplate, ...change }, given, baseUrl)
  if (!('problem' in result)) throw new Error('it was rendered')
  return result.problem
}

describe('renderRefresh', () => {
  it('renders the default, escaped so that the JSON has exactly these values', () => {
    const { method, url, headers, body } = rendered({})
    expect([method, url.href]).toEqual(['POST', 'https://api.example.com/v1/api/oauth/token'])
    expect(headers).toEqual(defaultRefreshTemplate.headers)
    expect(JSON.parse(body ?? '')).toEqual({
      grant_type: 'refresh_token',
      api_access_id: values.access_id,
      api_access_secret: values.access_secret,
      refresh_token: values.refresh_token,
    })
  })

  it.each(['https://api.example.com', 'https://api.example.com/', 'https://api.example.com//'])(
    'puts the path under %s with one slash between',
    (baseUrl) => {
      expect(rendered({ path: '/t' }, baseUrl).url.href).toBe('https://api.example.com/t')
      expect(rendered({ path: 't?a=1#b' }, baseUrl).url.href).toBe('https://api.example.com/t?a=1')
    },
  )

  it('URL-encodes values in the path', () => {
    expect(rendered({ path: '/t/{{ refresh_token }}?id={{access_id}}' }).url.href).toBe(
      'https://api.example.com/v1/t/r%2F1%20%22%C3%A9%22%5C%2B%26%3D?id=acc-7',
    )
  })

  it('inserts values into headers unchanged, and refuses line breaks', () => {
    const bearer: RefreshTemplate['headers'] = [['Authorization', 'Bearer {{refresh_token}}']]
    expect(rendered({ headers: bearer, body: '' }).headers).toEqual([
      ['Authorization', `Bearer ${values.refresh_token}`],
    ])
    const message = problem({ headers: [['X-Secret', '{{access_secret}}']], body: '' })
    expect(message).toContain('X-Secret')
    expect(message).not.toContain(values.access_secret)
    expect(problem({ headers: [['X\r\nEvil', 'a']], body: '' })).toContain('invalid name')
  })

  it('encodes a form body as a form', () => {
    const { body } = rendered({
      headers: [['content-type', 'application/x-www-form-urlencoded; charset=utf-8']],
      body: 'a=b&refresh_token={{refresh_token}}&s={{access_secret}}',
    })
    expect(Object.fromEntries(new URLSearchParams(body ?? ''))).toEqual({
      a: 'b',
      refresh_token: values.refresh_token,
      s: values.access_secret,
    })
  })

  it('escapes for JSON by default, and leaves other text raw', () => {
    const { body } = rendered({ headers: [], body: '["{{refresh_token}}"]' })
    expect(JSON.parse(body ?? '')).toEqual([values.refresh_token])
    expect(
      rendered({ headers: [['Content-Type', 'text/plain']], body: 'token {{refresh_token}}' }).body,
    ).toBe(`token ${values.refresh_token}`)
  })

  it('sends no body if the template has none', () => {
    expect(rendered({ method: 'GET', body: '' }).body).toBeNull()
  })

  it('rejects an unknown placeholder by name, wherever it is', () => {
    expect(problem({ path: '/{{code}}' })).toContain('{{code}}')
    expect(problem({ headers: [['X-A', '{{toString}}']] })).toContain('{{toString}}')
    expect(problem({ body: '{"a":"{{refreshToken}}"}' })).toContain('{{refreshToken}}')
    expect(problem({ body: '{"a":"{{}}"}' })).toContain('unknown placeholder')
  })

  it('does not replace placeholders within inserted values', () => {
    const given = { ...values, refresh_token: '{{access_secret}}' }
    const result = renderRefresh(defaultRefreshTemplate, given, base)
    expect(result).toMatchObject({
      request: { body: expect.stringContaining('{{access_secret}}') },
    })
  })

  it('rejects a body that is not JSON although its type is', () => {
    const message = problem({ body: '{"a": {{refresh_token}} }' })
    expect(message).toContain('is not JSON')
    expect(message).not.toContain(values.refresh_token)
    expect(problem({ headers: [['Content-Type', 'application/vnd.x+json']], body: 'a' })).toContain(
      'is not JSON',
    )
  })

  it.each([
    'https://evil.example/t',
    '//evil.example/t',
    '/\\evil.example/t',
    '\\\\evil.example/t',
    'http://api.example.com/t',
    'https://api.example.com:444/t',
    'javascript:alert(1)',
    'https://user:pw@api.example.com/',
  ])('never leaves the origin of the base URL: %s', (path) => {
    expect(problem({ path })).toContain('https://api.example.com')
  })

  it.each(['@evil.example/', ':444/', '.evil.example/'])('treats %s as a path', (path) => {
    expect(rendered({ path }, 'https://api.example.com').url.origin).toBe('https://api.example.com')
  })

  it('refuses without a base URL, and a GET with a body', () => {
    expect(problem({}, '')).toContain('base URL')
    expect(problem({}, 'ftp://api.example.com')).toContain('base URL')
    expect(problem({ method: 'GET' })).toContain('GET')
  })
})
