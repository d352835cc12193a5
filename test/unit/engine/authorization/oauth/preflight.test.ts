import { describe, expect, it } from 'vitest'
import { preflight, type PreflightInput } from '#engine/authorization/oauth/preflight.ts'

const set = { set: true, ending: null, unavailable: false }
const unset = { set: false, ending: null, unavailable: false }
const redirectUrl = 'https://app.example/cb'

function look(given: Partial<PreflightInput> = {}) {
  return preflight({
    kind: 'service',
    baseUrl: 'https://service.example',
    accessId: 'id-1',
    accessSecret: set,
    redirectUrl,
    redirectUrls: [given.redirectUrl ?? redirectUrl],
    tunnels: [],
    ...given,
  })
}

/** `code outcome` of every check. */
const seen = (given: Partial<PreflightInput>) =>
  look(given).checks.map(({ code, outcome }) => `${code} ${outcome}`)

const suggested = (given: Partial<PreflightInput>, code: string) =>
  look(given).checks.find((check) => check.code === code)?.suggestion

describe('preflight', () => {
  it('reports nothing for a valid setup', () => {
    expect(look()).toEqual({
      ready: true,
      checks: [],
      redirectUrl,
      redirectMode: 'paste',
      authorizeUrl:
        'https://service.example/manager/oauth?response_type=code&access_id=id-1&redirect_url=https%3A%2F%2Fapp.example%2Fcb&state={state}',
      tokenUrl: 'https://service.example/api/oauth/token',
    })
  })

  it('reports everything that is missing', () => {
    const empty = { baseUrl: '', accessId: '', accessSecret: unset, redirectUrl: '' }
    expect(seen(empty)).toEqual([
      'base_url.missing error',
      'access_id.missing error',
      'access_secret.missing error',
      'redirect_url.missing error',
    ])
    expect(look(empty)).toMatchObject({ ready: false, authorizeUrl: null, tokenUrl: null })
  })

  it('does not require what the sandbox fills in', () => {
    const sandbox = look({
      kind: 'sandbox',
      baseUrl: '',
      accessId: '',
      accessSecret: unset,
      redirectUrl: '',
    })
    expect(sandbox.ready).toBe(true)
    expect(new Set(sandbox.checks.map(({ outcome }) => outcome))).toEqual(new Set(['ok']))
    expect(seen({ kind: 'sandbox', redirectUrl: 'nonsense' })).toContain(
      'redirect_url.not_url error',
    )
  })

  it.each<[string, string[], string | null | undefined]>([
    ['service.example', ['base_url.not_url error'], 'https://service.example'],
    ['/api', ['base_url.not_url error'], null],
    ['ftp://service.example', ['base_url.not_http error'], 'https://service.example'],
    ['service.example:8080', ['base_url.not_http error'], 'https://service.example:8080'],
    [
      'https://u:p@service.example/v2',
      ['base_url.credentials error'],
      'https://service.example/v2',
    ],
    [
      'https://service.example/v2?a=1',
      ['base_url.query_or_fragment error'],
      'https://service.example/v2',
    ],
    ['https://service.example#x', ['base_url.query_or_fragment error'], 'https://service.example'],
    ['http://service.example', ['base_url.http_not_loopback warning'], 'https://service.example'],
    ['http://127.0.0.1:4790', [], undefined],
    ['http://localhost:4790/x', [], undefined],
  ])('checks the base URL %s', (baseUrl, expected, suggestion) => {
    expect(seen({ baseUrl })).toEqual(expected)
    expect(look({ baseUrl }).checks[0]?.suggestion).toBe(suggestion)
  })

  it.each<[string, string[]]>([
    ['id 1', ['access_id.spaces warning']],
    ['id-1\n', ['access_id.spaces warning']],
  ])('checks the access ID %j', (accessId, expected) => {
    expect(seen({ accessId })).toEqual(expected)
    expect(look({ accessId }).checks[0]?.suggestion).toBe(accessId.replace(/\s/, ''))
  })

  it('warns about leading or trailing white space of the access secret', () => {
    const accessSecret = { ...set, whiteSpaceAtEnds: true as const }
    expect(seen({ accessSecret })).toEqual(['access_secret.white_space warning'])
  })

  it('asks for an access secret again when it cannot be decrypted', () => {
    expect(seen({ accessSecret: { set: true, ending: null, unavailable: true } })).toEqual([
      'access_secret.unavailable error',
    ])
  })

  it.each<[string, string[], 'served' | 'paste']>([
    ['https://app.example/cb', [], 'paste'],
    ['app.example/cb', ['redirect_url.not_url error'], 'paste'],
    ['javascript:alert(1)', ['redirect_url.not_url error'], 'paste'],
    ['com.example.app://back/cb', [], 'paste'],
    ['https://app.example/cb#x', ['redirect_url.fragment error'], 'paste'],
    ['https://app.example/cb#', ['redirect_url.fragment error'], 'paste'],
    ['https://app.example/cb?state=1', ['redirect_url.reserved_parameter error'], 'paste'],
    ['https://app.example/cb?tenant=7', [], 'paste'],
    ['http://app.example/cb', ['redirect_url.not_https warning'], 'paste'],
    ['http://127.0.0.1:4800/cb', ['redirect_url.loopback ok'], 'served'],
    ['http://[::1]:4800/cb', ['redirect_url.loopback ok'], 'served'],
    [
      'http://localhost:4800/cb',
      ['redirect_url.loopback ok', 'redirect_url.localhost warning'],
      'served',
    ],
    ['https://127.0.0.1:4800/cb', ['redirect_url.loopback_https warning'], 'paste'],
    ['http://127.0.0.1:0/cb', ['redirect_url.not_url error'], 'paste'],
    ['https://app.example/c b', ['redirect_url.spaces warning'], 'paste'],
  ])('checks the redirect URL %s', (redirectUrl, expected, comesBack) => {
    expect(seen({ redirectUrl })).toEqual(expected)
    expect(look({ redirectUrl }).redirectMode).toBe(comesBack)
  })

  it('compares the redirect URL with the list exactly', () => {
    expect(seen({ redirectUrls: ['https://app.example/cb/', 'https://APP.example/cb'] })).toEqual([
      'redirect_url.not_listed error',
    ])
  })

  it.each([
    ['https://app.example/cb#x', 'redirect_url.fragment', 'https://app.example/cb'],
    ['http://app.example/cb', 'redirect_url.not_https', 'https://app.example/cb'],
    ['http://localhost:4800/cb', 'redirect_url.localhost', 'http://127.0.0.1:4800/cb'],
    ['https://localhost:4800/cb', 'redirect_url.loopback_https', 'http://localhost:4800/cb'],
    ['https://app.example/a b ', 'redirect_url.spaces', 'https://app.example/a%20b'],
    ['app.example/cb', 'redirect_url.not_url', 'https://app.example/cb'],
  ])('suggests a correction of %s, for %s', (redirectUrl, code, suggestion) => {
    expect(suggested({ redirectUrl }, code)).toBe(suggestion)
  })

  const tunnels = [
    { origin: 'https://pier9.example', open: true },
    { origin: 'https://before.loca.lt', open: false },
    { origin: 'http://abcd.localhost:8080', open: false },
  ]

  it.each<[string, RegExp]>([
    [
      'https://pier9.example/cb',
      /^pier9\.example is the address of Tabscope’s tunnel.*only \/hooks\/ is/,
    ],
    ['https://pier9.example/hooks/sandbox', /an OAuth redirect cannot come through it/],
    ['https://before.loca.lt/cb', /was the address.*also shows browsers its own page first/],
    ['http://abcd.localhost:8080/cb', /was the address of Tabscope’s tunnel/],
    [
      'https://mine.loca.lt/cb',
      /^The public server of localtunnel probably shows browsers its own page/,
    ],
    ['https://mine.localtunnel.me/cb', /^The public server of localtunnel probably/],
    ['https://a-b-c.ngrok-free.app/cb', /^ngrok, at its free addresses, probably/],
  ])(
    'warns that a redirect to %s cannot come through a tunnel, and says what to do',
    (url, why) => {
      const found = look({ redirectUrl: url, tunnels }).checks.find(
        ({ code }) => code === 'redirect_url.tunnel',
      )
      expect(found).toMatchObject({
        field: 'redirectUrl',
        redirectUrl: url,
        outcome: 'warning',
        message: expect.stringMatching(why),
        suggestion: 'http://127.0.0.1:4781/callback',
      })
      expect(found?.message).toContain('paste the URL you land on')
      expect(look({ redirectUrl: url, tunnels }).ready).toBe(true)
    },
  )

  it.each([
    'https://app.example/cb',
    'https://pier9.example:8443/cb',
    'https://loca.lt.app.example/cb',
    'https://notloca.lt/cb',
    'http://localhost:8080/cb',
    'com.example.app://pier9.example/cb',
    'pier9.example',
    '',
  ])('reports nothing about a tunnel for %s', (url) => {
    expect(seen({ redirectUrl: url, tunnels }).join(' ')).not.toContain('tunnel')
  })

  it('suggests a listed URL that can be served, and warns about unused listed URLs', () => {
    const used = 'https://pier9.example/cb'
    const other = 'https://mine.loca.lt/cb'
    const served = 'http://127.0.0.1:4900/cb'
    const redirectUrls = [used, other, served]
    expect(suggested({ redirectUrl: used, redirectUrls, tunnels }, 'redirect_url.tunnel')).toBe(
      served,
    )
    const { checks, ready } = look({ redirectUrl: served, redirectUrls, tunnels })
    expect(ready).toBe(true)
    expect(checks.filter(({ code }) => code === 'redirect_url.tunnel')).toMatchObject([
      {
        redirectUrl: used,
        message: expect.stringMatching(/^Listed, but not in use: /),
        suggestion: null,
      },
      {
        redirectUrl: other,
        message: expect.stringMatching(/^Listed, but not in use: /),
        suggestion: null,
      },
    ])
  })
})
