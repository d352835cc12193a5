import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { Header } from '#contract/models.ts'

/** Kinds of canary secrets. Each is recognized in a different way. */
export type CanaryKind = 'email' | 'phone' | 'handle' | 'secret'

export interface CanaryLocation {
  readonly name: string
  readonly kind: CanaryKind
  readonly put: (value: string) => {
    readonly query?: string
    readonly headers?: readonly Header[]
    readonly body?: string | Uint8Array
  }
}

const json = (data: unknown): string =>
  JSON.stringify({ type: 'ORDER_PLACED', createdAt: '2026-01-31T19:05:07.123Z', data })
const b64 = (text: string): string => Buffer.from(text).toString('base64')
const form = 'application/x-www-form-urlencoded'

const inHeader = (
  name: string,
  kind: CanaryKind,
  write: (value: string) => string,
): CanaryLocation => ({
  name: `header ${name}`,
  kind,
  put: (value) => ({ headers: [[name, write(value)]] }),
})
const inBody = (
  name: string,
  kind: CanaryKind,
  write: (value: string) => string | Uint8Array,
  headers: readonly Header[] = [],
): CanaryLocation => ({
  name: `body ${name}`,
  kind,
  put: (value) => ({ body: write(value), headers }),
})

export const canaryLocations: readonly CanaryLocation[] = [
  inHeader('Authorization', 'secret', (value) => `Bearer ${value}`),
  inHeader('Proxy-Authorization', 'secret', (value) => `Basic ${b64(`user:${value}`)}`),
  inHeader('Cookie', 'secret', (value) => `lang=en; sid=${value}`),
  inHeader('X-Api-Key', 'secret', (value) => value),
  inHeader('X-Auth-Token', 'secret', (value) => value),
  inHeader('X-CSRF-Token', 'secret', (value) => value),
  inHeader('X-Tenant-Key', 'secret', (value) => value),
  inHeader('X-Hub-Signature-256', 'secret', (value) => `sha256=${value}`),
  inHeader('Referer', 'email', (value) => `https://a.example/?mail=${encodeURIComponent(value)}`),
  inHeader('From', 'email', (value) => `Guest <${value}>`),
  inHeader('X-Forwarded-Uri', 'phone', (value) => `/x?tel=${encodeURIComponent(value)}`),
  inHeader('X-Trace', 'email', (value) => b64(`for ${value}`)),
  { name: 'query', kind: 'email', put: (value) => ({ query: `?to=${encodeURIComponent(value)}` }) },
  {
    name: 'query twice',
    kind: 'email',
    put: (value) => ({
      query: `?next=${encodeURIComponent(`/a?to=${encodeURIComponent(value)}`)}`,
    }),
  },
  {
    name: 'query phone',
    kind: 'phone',
    put: (value) => ({ query: `?${new URLSearchParams({ to: value }).toString()}` }),
  },
  { name: 'query token', kind: 'secret', put: (value) => ({ query: `?access_token=${value}` }) },
  {
    name: 'query handle',
    kind: 'handle',
    put: (value) => ({ query: `?guest%5Bhandle%5D=${value}` }),
  },
  inBody('handle', 'handle', (value) => json({ handle: value })),
  inBody('handles in a list', 'handle', (value) => json({ guests: [{ handle: [value] }] })),
  inBody('nested', 'email', (value) => json({ a: { b: [[{ c: `to ${value}!` }]] } })),
  inBody('key', 'email', (value) => json({ byGuest: { [value]: 3 } })),
  inBody('phone in text', 'phone', (value) => json({ note: `call ${value} at 9` })),
  inBody('phone without signs', 'phone', (value) =>
    json({ note: `call 00${value.replaceAll(/\D/g, '')}` }),
  ),
  inBody('JSON in JSON', 'handle', (value) =>
    json({ raw: JSON.stringify({ deep: JSON.stringify({ handle: value }) }) }),
  ),
  inBody('escapes', 'email', (value) => json({ a: value }).replace('@', String.raw`\u0040`)),
  inBody('entities', 'email', (value) => json({ html: `<b>${value.replace('@', '&#64;')}</b>` })),
  inBody('Base64', 'email', (value) => json({ blob: b64(`guest ${value} came`) })),
  inBody('hex', 'email', (value) => json({ blob: Buffer.from(value).toString('hex') })),
  inBody('Base64 of gzip', 'email', (value) =>
    json({ blob: gzipSync(`guest ${value}`).toString('base64') }),
  ),
  inBody('password', 'secret', (value) => json({ password: value, again: [value] })),
  inBody('address', 'secret', (value) => json({ url: `https://user:${value}@a.example/` })),
  inBody('cut off', 'secret', (value) => json({ token: value }).slice(0, -3)),
  inBody('gzip', 'handle', (value) => gzipSync(json({ handle: value })), [
    ['Content-Encoding', 'gzip'],
  ]),
  inBody('brotli', 'email', (value) => brotliCompressSync(json({ a: value })), [
    ['Content-Encoding', 'br'],
  ]),
  inBody('deflate', 'phone', (value) => deflateSync(json({ a: value })), [
    ['Content-Encoding', 'deflate'],
  ]),
  inBody(
    'gzip that is cut off',
    'email',
    (value) => gzipSync(`${json({ a: value })}${'.'.repeat(20)}`).subarray(0, -9),
    [['Content-Encoding', 'gzip']],
  ),
  inBody('no UTF-8', 'email', (value) =>
    Buffer.concat([Buffer.from([0xff, 0x80]), Buffer.from(` ${value} `), Buffer.from([0xe4])]),
  ),
  inBody('UTF-16', 'email', (value) => Buffer.from(`\uFEFF${json({ a: value })}`, 'utf16le')),
  inBody('form', 'handle', (value) => `x=1&handle=${value}&y=2`, [['Content-Type', form]]),
  inBody(
    'multipart',
    'handle',
    (value) => `--b\r\nContent-Disposition: form-data; name="handle"\r\n\r\n${value}\r\n--b--\r\n`,
    [['Content-Type', 'multipart/form-data; boundary=b']],
  ),
  inBody('XML', 'handle', (value) => `<g><handle>${value}</handle></g>`, [
    ['Content-Type', 'text/xml'],
  ]),
  inBody('name of the place', 'email', (value) =>
    JSON.stringify({ type: 'MENU_UPDATED', locationName: `Bar of ${value}`, createdAt: 'x' }),
  ),
  inBody('name of the tab', 'phone', (value) =>
    JSON.stringify({ type: 'OPEN_TAB', data: { name: `Tab ${value}`, spotName: 'T1', total: 1 } }),
  ),
  inBody('type', 'email', (value) => JSON.stringify({ type: value, targetUuid: value })),
]

/** Returns the n-th value of a kind. No value contains another one. */
export function canaryValue(kind: CanaryKind, number: number): string {
  const digits = String(number).padStart(4, '0')
  switch (kind) {
    case 'email':
      return `guest${digits}.canary@mail${digits}.example`
    case 'phone':
      return `+49 30 7${digits}43`
    case 'handle':
      return `canary-guest-${digits}-x`
    case 'secret':
      return `canarySecret${digits}xQ7zK9`
  }
}
