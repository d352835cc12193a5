import { describe, expect, it } from 'vitest'
import type { Header } from '#contract/models.ts'
import type { KnownSecret } from '#engine/api-console/masking.ts'
import { type Outgoing, redirectOf } from '#engine/api-console/request-runner.ts'

const bearer = { id: 1, integrationId: 1, value: 'the-token-value', version: 1, expires: null }
const known: KnownSecret[] = [
  { name: 'token_1', label: 'Token', value: bearer.value, origin: 'https://api.example' },
]

const from = (more: Partial<Outgoing> = {}): Outgoing => ({
  method: 'POST',
  url: new URL('https://api.example/a?b=1'),
  headers: [
    ['Content-Type', 'application/json'],
    ['Accept', 'text/plain'],
    ['X-Note', 'own'],
    ['Cookie', 's=1'],
    ['X-Api-Key', 'not known'],
    ['X-Copy', bearer.value],
    ['Host', 'api.example'],
  ],
  body: Buffer.from('{}'),
  bearer,
  ...more,
})

function follow(status: number, location: string, more: Partial<Outgoing> = {}): Outgoing {
  const step = redirectOf(from(more), { status, headers: [['location', location]] }, known)
  if (!step || !('next' in step)) throw new Error('not followed')
  return step.next
}

function stopped(location: string, more: Partial<Outgoing> = {}): string {
  const step = redirectOf(from(more), { status: 307, headers: [['Location', location]] }, known)
  if (!step || !('stopped' in step)) throw new Error('followed')
  return step.stopped
}

describe('a redirect', () => {
  it.each([
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [303, 'HEAD', 'HEAD'],
    [301, 'PUT', 'PUT'],
    [302, 'HEAD', 'HEAD'],
    [307, 'POST', 'POST'],
    [308, 'PATCH', 'PATCH'],
  ])('%i after %s is followed with %s', (status, method, then) => {
    const next = follow(status, '/next', { method })
    expect(next.method).toBe(then)
    const isSame = then === method
    expect(next.body === null).toBe(!isSame)
    expect(next.headers.some(([name]) => name === 'Content-Type')).toBe(isSame)
  })

  it.each([[200], [201], [300], [304], [305]])('is not followed at %i', (status) => {
    expect(redirectOf(from(), { status, headers: [['Location', '/x']] }, known)).toBeNull()
  })

  it('is not followed without a Location', () => {
    expect(redirectOf(from(), { status: 302, headers: [] }, known)).toBeNull()
  })

  it.each(['/next', '?c=2', 'https://api.example:443/next', '//api.example/next'])(
    'within the origin keeps headers and token: %s',
    (location) => {
      const next = follow(307, location)
      expect(next.bearer).toBe(bearer)
      expect(next.headers).toEqual(from().headers)
    },
  )

  it.each([
    'https://evil.example/',
    'http://api.example/next',
    'https://api.example:8443/next',
    'https://api.example.evil.example/',
    'https://www.api.example/',
    '//evil.example/',
    '\\\\evil.example/',
  ])(
    'to another origin drops the token and all headers but those of the content: %s',
    (location) => {
      const step = redirectOf(from(), { status: 303, headers: [['location', location]] }, known)
      expect(step).toMatchObject({
        next: { bearer: null, headers: [['Accept', 'text/plain']] },
        dropped: ['X-Note', 'Cookie', 'X-Api-Key', 'X-Copy', 'Host'],
      })
    },
  )

  it('to another origin sends on the headers of the content, unless one contains a secret', () => {
    const kept: Outgoing['headers'] = [
      ['Content-Type', 'text/plain'],
      ['content-encoding', 'identity'],
      ['Content-Language', 'de'],
      ['Content-Length', '2'],
      ['Content-Location', '/a'],
      ['Accept', '*/*'],
      ['Accept-Language', 'de'],
      ['User-Agent', 'mine'],
    ]
    const dropped: Outgoing['headers'] = [
      ['Accept-Version', `v1 ${bearer.value}`],
      ['Authorization', 'Bearer typed'],
      ['Content-Signature', 'x'],
      ['Accepted', 'x'],
      ['X-Tenant', 'x'],
      ['x-tenant', 'y'],
    ]
    const headers = [...kept, ...dropped]
    const location: Header = ['Location', 'https://evil.example/']
    expect(
      redirectOf(from({ headers }), { status: 307, headers: [location] }, known),
    ).toMatchObject({
      next: { headers: kept },
      dropped: dropped.map(([name]) => name),
    })
  })

  it('may have a Location that is not percent-encoded', () => {
    const location = Buffer.from('/spülen').toString('latin1')
    expect(follow(302, location).url.pathname).toBe('/sp%C3%BClen')
  })

  it('does not send the token again after a redirect back to the origin', () => {
    const away = follow(303, 'https://evil.example/')
    const home = redirectOf(
      away,
      { status: 302, headers: [['Location', 'https://api.example/']] },
      known,
    )
    expect(home).toMatchObject({ next: { bearer: null, headers: [['Accept', 'text/plain']] } })
  })

  it('is not followed to another origin with a secret in its body or URL', () => {
    const body = Buffer.from(JSON.stringify({ copy: bearer.value }))
    expect(stopped('https://evil.example/', { body })).toContain('https://evil.example')
    expect(stopped(`https://evil.example/?t=${bearer.value}`)).not.toContain(bearer.value)
    expect(follow(307, '/next', { body }).body).toBe(body)
  })

  it.each([
    'ftp://api.example/',
    'file:///etc/passwd',
    'data:text/plain,x',
    'https://u:p@api.example/',
    'http://',
  ])('is not followed to %s', (location) => {
    expect(stopped(location)).toContain('not followed')
  })
})
