import { execFile } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openInterfaceServer, type InterfaceServer } from '#hosts/node/serve/interface-server.ts'
import { sharedTestEngine } from '#test/support/engine.ts'
import { interfaceClient } from '#test/support/interface-client.ts'
import { rawClient } from '#test/support/raw-client.ts'
import { head } from '#test/support/requests.ts'
import { ownedFolder, type OwnedFolder } from '#test/support/temp-folder.ts'

const shared = sharedTestEngine()
let folder: OwnedFolder
let server: InterfaceServer
let host: string
let port: number
let token: string

beforeAll(async () => {
  folder = ownedFolder()
  const files = path.join(folder.path, 'renderer')
  await mkdir(path.join(files, 'assets'), { recursive: true })
  await writeFile(path.join(files, 'index.html'), '<!doctype html><title>inside</title>')
  await writeFile(path.join(files, 'assets/app-1234.js'), 'export {}')
  await writeFile(path.join(folder.path, 'secret.js'), 'outside')
  await mkdir(path.join(folder.path, 'renderer-beside'))
  await writeFile(path.join(folder.path, 'renderer-beside/secret.js'), 'outside')
  server = await openInterfaceServer(shared().engine, files, 0)
  const address = new URL(server.address)
  host = address.host
  port = Number(address.port)
  token = address.hash.replace('#token=', '')
})

afterAll(async () => {
  await server.close()
  await folder[Symbol.asyncDispose]()
})

async function ask(line: string, headers: readonly string[]) {
  await using client = await rawClient(port)
  await client.send(head(line, headers))
  return await client.answer()
}

const upgrade = (changes: Readonly<Record<string, string | null>> = {}): string[] =>
  Object.entries({
    Host: host,
    Origin: `http://${host}`,
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    'Sec-WebSocket-Protocol': `tabscope, token.${token}`,
    ...changes,
  }).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]))

test('a valid client is accepted', async () => {
  const answer = await ask('GET /wire HTTP/1.1', upgrade())
  expect(answer.status).toBe(101)
  expect(answer.headers.get('sec-websocket-protocol')).toBe('tabscope')
})

test.for([
  ['no token', { 'Sec-WebSocket-Protocol': 'tabscope' }, 401],
  ['no subprotocol at all', { 'Sec-WebSocket-Protocol': null }, 401],
  ['an empty token', { 'Sec-WebSocket-Protocol': 'tabscope, token.' }, 401],
  ['a wrong token', { 'Sec-WebSocket-Protocol': `tabscope, token.${'A'.repeat(43)}` }, 401],
  [
    'a token that is too long',
    { 'Sec-WebSocket-Protocol': `tabscope, token.${'A'.repeat(9000)}` },
    401,
  ],
  ['a foreign Host, as after DNS rebinding', { Host: 'evil.test' }, 421],
  ['a foreign Host with our port', { Host: 'evil.test:PORT' }, 421],
  ['localhost as Host', { Host: 'localhost:PORT' }, 421],
  ['no Host', { Host: null }, 421],
  ['a foreign Origin', { Origin: 'http://evil.test' }, 403],
  ['the Origin of another port', { Origin: 'http://127.0.0.1:1' }, 403],
  ['our Origin over https', { Origin: 'https://127.0.0.1:PORT' }, 403],
  ['the Origin null', { Origin: 'null' }, 403],
  ['no Origin', { Origin: null }, 403],
] as const)('an upgrade with %s is refused', async ([, changes, status]) => {
  const filled = Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [
      name,
      value?.replace('PORT', String(port)) ?? null,
    ]),
  )
  expect((await ask('GET /wire HTTP/1.1', upgrade(filled))).status).toBe(status)
})

test.for(['/', '/wire/', '/wire?x', '/WIRE', '//wire', '/other'])(
  'an upgrade at %s is refused',
  async (target) => {
    expect((await ask(`GET ${target} HTTP/1.1`, upgrade())).status).toBe(404)
  },
)

test('a client that aborts a refused upgrade does no harm', async () => {
  for (let i = 0; i < 30; i += 1) {
    await using client = await rawClient(port)
    await client.send(head('GET /wire HTTP/1.1', upgrade({ Origin: null })))
    client.reset()
  }
  expect((await ask('GET / HTTP/1.1', [`Host: ${host}`])).status).toBe(200)
})

test.for(['evil.test', 'localhost:PORT', '127.0.0.1', '[::1]:PORT'])(
  'a file for Host %s is refused',
  async (name) => {
    const answer = await ask('GET / HTTP/1.1', [`Host: ${name.replace('PORT', String(port))}`])
    expect(answer.status).toBe(421)
    expect(answer.body).not.toContain('inside')
  },
)

test('files have a policy without inline code, and forbid framing and content sniffing', async () => {
  const answer = await ask('GET / HTTP/1.1', [`Host: ${host}`])
  expect(answer).toMatchObject({ status: 200, body: '<!doctype html><title>inside</title>' })
  const policy = answer.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain('unsafe')
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const asset = await ask('GET /assets/app-1234.js HTTP/1.1', [`Host: ${host}`])
  expect(asset.headers.get('cache-control')).toContain('immutable')
  expect(
    (await ask('GET /none HTTP/1.1', [`Host: ${host}`])).headers.get('content-security-policy'),
  ).toBe(policy)
})

test.for([
  '/../secret.js',
  '/..%2fsecret.js',
  '/%2e%2e/secret.js',
  '/%2e%2e%2fsecret.js',
  '/assets/..%2f..%2fsecret.js',
  '/assets/%2e%2e/%2e%2e/secret.js',
  '/..%5csecret.js',
  '/../renderer-beside/secret.js',
  '/..%2frenderer-beside/secret.js',
  '/%2fetc/passwd',
  '//etc/passwd',
  '//',
  '//[',
  'http://',
  '/index.html%00.js',
  '/%00',
  '/%',
  '/assets',
  '/assets/',
  'http://evil.test/../secret.js',
  '*',
])('%s is not a file', async (target) => {
  const answer = await ask(`GET ${target} HTTP/1.1`, [`Host: ${host}`])
  expect(answer.status).toBe(404)
  expect(answer.body).not.toContain('outside')
})

test('plain HTTP only allows reading', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
    expect((await ask(`${method} / HTTP/1.1`, [`Host: ${host}`])).status).toBe(405)
})

const exchange = (ticket: string, changes: Readonly<Record<string, string | null>> = {}) => {
  const headers = {
    Host: host,
    Origin: `http://${host}`,
    Authorization: `Bearer ${ticket}`,
    'Content-Length': '0',
    ...changes,
  }
  return ask(
    'POST /session HTTP/1.1',
    Object.entries(headers).flatMap(([name, value]) =>
      value === null ? [] : [`${name}: ${value}`],
    ),
  )
}
const freshTicket = () => new URL(server.addressToOpen()).hash.replace('#ticket=', '')

describe('a launch ticket', () => {
  test('returns the token only once', async () => {
    const ticket = freshTicket()
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => exchange(ticket)))
    expect(
      [first, ...others].map((answer) => answer?.status).toSorted((a, b) => (a ?? 0) - (b ?? 0)),
    ).toEqual([200, 401, 401])
    const given = [first, ...others].find((answer) => answer?.status === 200)
    expect(JSON.parse(given?.body ?? '')).toEqual({ token })
    expect(given?.headers.get('cache-control')).toBe('no-store')
    expect(given?.headers.has('access-control-allow-origin')).toBe(false)
  })

  test('is not the token, and the token is never in the printed address', async () => {
    const ticket = freshTicket()
    expect(server.address).toBe(`http://${host}/#token=${token}`)
    expect(ticket).not.toBe(token)
    const wire = upgrade({ 'Sec-WebSocket-Protocol': `tabscope, token.${ticket}` })
    expect((await ask('GET /wire HTTP/1.1', wire)).status).toBe(401)
    expect((await exchange(token)).status).toBe(401)
    expect((await exchange(ticket)).status).toBe(200)
  })

  test('is refused for others, and is not used up by failed attempts', async () => {
    const ticket = freshTicket()
    for (const [changes, status] of [
      [{ Host: 'evil.test' }, 421],
      [{ Host: `localhost:${port}` }, 421],
      [{ Origin: 'http://evil.test' }, 403],
      [{ Origin: 'http://127.0.0.1:1' }, 403],
      [{ Origin: 'null' }, 403],
      [{ Origin: null }, 403],
      [{ Authorization: null }, 401],
      [{ Authorization: 'Bearer ' }, 401],
      [{ Authorization: `Bearer ${'A'.repeat(43)}` }, 401],
      [{ Authorization: `Bearer ${'A'.repeat(9000)}` }, 401],
      [{ Authorization: ticket }, 401],
    ] as const) {
      const answer = await exchange(ticket, changes)
      expect(answer.status).toBe(status)
      expect(answer.body).not.toContain(token)
    }
    expect((await ask('GET /session HTTP/1.1', [`Host: ${host}`])).status).toBe(405)
    expect((await exchange(ticket)).status).toBe(200)
  })

  // Only root may start a process of another user.
  test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
    'is refused to another user of this machine, and not used up by them',
    async () => {
      const ticket = freshTicket()
      const attack = `fetch('http://${host}/session', {
        method: 'POST',
        headers: { Origin: 'http://${host}', Authorization: 'Bearer ${ticket}' },
      }).then(async (response) => console.log(response.status, await response.text()))`
      const { stdout } = await promisify(execFile)(process.execPath, ['-e', attack], {
        uid: 65_534,
        cwd: '/',
        timeout: 20_000,
      })
      expect(stdout).toMatch(/^403 /)
      expect(stdout).not.toContain(token)
      expect((await exchange(ticket)).status).toBe(200)
    },
  )
})

const hmac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('hex')

const prove = (query: string, changes: readonly string[] = [`Origin: http://${host}`]) =>
  ask(`POST /session/proof${query} HTTP/1.1`, [`Host: ${host}`, 'Content-Length: 0', ...changes])

test('proves to a page that it has the token, using a nonce of the page, without sending the token', async () => {
  const nonce = randomBytes(32).toString('base64url')
  const answer = await prove(`?nonce=${nonce}`)
  expect(answer.status).toBe(200)
  const proof = hmac(token, `tabscope-server:${host}:${nonce}`)
  expect(JSON.parse(answer.body)).toEqual({ proof })
  for (const query of ['', '?nonce=', '?nonce=short', `?nonce=${nonce}x`, `?other=${nonce}`])
    expect((await prove(query)).status).toBe(400)
  for (const origin of [[], ['Origin: null'], ['Origin: http://evil.test']])
    expect((await prove(`?nonce=${nonce}`, origin)).status).toBe(403)
})

test('invalid frames end their own connection, and no other', async () => {
  await using good = await interfaceClient(server.address)
  for (const [bytes, code] of [
    ['{"kind":"hello","session":null,"lastSeq":0}', 1003],
    [Buffer.from([0xc1]), 1007],
    [Buffer.from([0x93, 1]), 1007],
    [Buffer.alloc(0), 1007],
    [Buffer.alloc(8 * 1024 * 1024 + 1), 1009],
  ] as const) {
    await using client = await interfaceClient(server.address)
    client.socket.send(bytes)
    expect(await client.closed()).toBe(code)
    expect(client.frames).toEqual([])
  }
  expect(await good.hello()).toMatchObject({ kind: 'welcome' })
})
