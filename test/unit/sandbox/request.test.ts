import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { SandboxError } from '#sandbox/errors.ts'
import { compose, type Target } from '#sandbox/request.ts'

const target: Target = {
  url: 'http://127.0.0.1:4780/hooks/main?x=1',
  secret: 'whsec-ü',
  brand: 'Acme',
  applicationId: 'app-7',
  customHeaders: [
    ['X-Env', 'test'],
    ['x-env', 'again'],
  ],
}
const payload = { type: 'OPEN_TAB', targetUuid: 'tab-1', data: { name: 'Núñez “🍔”' } }

const names = (secret: string | null, body: object) =>
  compose({ ...target, secret, customHeaders: [] }, body).headers.map(([name]) => name)

describe('compose', () => {
  it('sends the documented headers with the brand name, in a fixed order', () => {
    const { headers, body, sha256 } = compose(target, { ...payload, targetId: '9' })
    expect(headers).toEqual([
      ['Host', '127.0.0.1:4780'],
      ['User-Agent', 'Acme-WebhookAgent/1.0'],
      ['Content-Type', 'application/json'],
      ['Content-Length', String(body.length)],
      ['X-Acme-Event-Type', 'OPEN_TAB'],
      ['X-Acme-Event-Target-UUID', 'tab-1'],
      ['X-Acme-Event-Target-ID', '9'],
      ['X-Acme-Application-ID', 'app-7'],
      ['X-Acme-Signature', createHmac('sha256', 'whsec-ü').update(body).digest('hex')],
      ['X-Env', 'test'],
      ['x-env', 'again'],
    ])
    expect(sha256).toBe(createHash('sha256').update(body).digest('hex'))
    expect(JSON.parse(body.toString('utf8'))).toEqual({ ...payload, targetId: '9' })
  })

  // Independent reference: openssl dgst -sha256 -hmac key
  it('signs as openssl does', () => {
    const { headers, body } = compose({ ...target, secret: 'key' }, { type: 'A' })
    expect(body.toString()).toBe('{"type":"A"}')
    expect(headers.find(([name]) => name === 'X-Acme-Signature')?.[1]).toBe(
      '67bfba839bbcabf29caa6b4184403d672920d66d62dcfb0f966a90576019f4e2',
    )
  })

  it.each([null, ''])('sends no signature with the secret %j', (secret) => {
    expect(names(secret, payload)).not.toContain('X-Acme-Signature')
  })

  it('sends target headers only for existing targets', () => {
    const category = { type: 'CATEGORY_UPDATED', targetUuid: null, targetId: '118', data: {} }
    expect(names('s', category)).not.toContain('X-Acme-Event-Target-UUID')
    expect(names('s', category)).toContain('X-Acme-Event-Target-ID')
    expect(compose(target, category).body.toString()).toContain('"targetUuid":null')
    expect(names('s', payload)).not.toContain('X-Acme-Event-Target-ID')
  })

  it('uses the default application ID when none is given', () => {
    const { headers } = compose({ ...target, applicationId: '' }, payload)
    expect(headers).toContainEqual(['X-Acme-Application-ID', 'app-pier-9'])
  })

  it('sends non-ASCII identifiers as UTF-8', () => {
    const { headers } = compose(target, { ...payload, targetUuid: 'é🍔' })
    const value = headers.find(([name]) => name.endsWith('UUID'))?.[1] ?? ''
    expect(Buffer.from(value, 'latin1').toString('utf8')).toBe('é🍔')
  })

  it.each([
    ['an invalid URL', { url: 'nowhere' }, 'This is not a valid URL'],
    ['a password in an invalid URL', { url: 'http://ada:hush@:x/' }, 'This is not a valid URL'],
    ['another protocol', { url: 'ftp://host/' }, 'begins with http://'],
    ['a password without a protocol', { url: 'ada:hush@host' }, 'begins with http://'],
    ['a password', { url: 'http://ada:hush@host/' }, 'Remove the user name and password'],
    ['a framing header', { customHeaders: [['content-length', '3']] }, 'is set automatically'],
    [
      'a header with a line break',
      { customHeaders: [['X-A', 'b\r\nX-C: d']] },
      '“X-A” has an invalid',
    ],
    ['a header without a name', { customHeaders: [['', 'b']] }, 'has an invalid name'],
  ] as const)('rejects %s', (_, change, message) => {
    const act = () => compose({ ...target, ...change }, payload)
    expect(act).toThrow(SandboxError)
    expect(act).toThrow(message)
    expect(act).not.toThrow('hush')
  })

  it('rejects an identifier with a line break, which would inject a header', () => {
    expect(() => compose(target, { ...payload, targetUuid: 'a\r\nX-Forged: 1' })).toThrow(
      'X-Acme-Event-Target-UUID',
    )
  })
})
