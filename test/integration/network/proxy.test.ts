import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { Network } from '#engine/platform/http/network.ts'
import { createProber } from '#engine/receiving/tunnel/probe/prober.ts'
import { openConnectProxy, type ConnectProxy } from '#test/support/connect-proxy.ts'
import { openConsole } from '#test/support/console.ts'
import { captured, deliver, forwardTo } from '#test/support/forwarding.ts'
import { openTestEngine } from '#test/support/engine.ts'
import { full } from '#test/support/full.ts'
import { goodBody, post } from '#test/support/requests.ts'
import { openingError, startTunnel, tunnelThread } from '#test/support/localtunnel.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'
import { listenOnLoopback } from '#test/support/listen.ts'
import { tlsFixture } from '#test/support/secure-server.ts'

// `service.test` does not resolve: only the proxy knows it, as in a network that reaches the internet through a proxy alone.
const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../support/fixtures/tls/${name}.pem`, import.meta.url))
const caFile = fixture('private-ca-cert')
const origin = 'https://service.test'

const received: string[] = []
const handle: RequestListener = (request, response) => {
  request.resume().on('end', () => {
    received.push(`${request.method} ${request.url} ${request.headers.host}`)
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ accessToken: 'a-new-token', expiresIn: 3600 }))
  })
}
const certificates = tlsFixture('private-ca-cert')
const tls = { cert: tlsFixture('private-cert'), key: tlsFixture('private-key') }
const secure = await listenOnLoopback(createServer(tls, handle))
const plain = await listenOnLoopback(createHttpServer(handle))
let proxy: ConnectProxy
let console: Awaited<ReturnType<typeof openConsole>>

beforeAll(async () => {
  for (const name of ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'NO_PROXY']) {
    vi.stubEnv(name, '')
    vi.stubEnv(name.toLowerCase(), '')
  }
  proxy = await openConnectProxy((authority) => {
    if (authority === 'service.test:443') return secure.port
    if (authority === 'plain.service.test:80') return plain.port
    return { status: authority.startsWith('down.') ? 503 : 403 }
  })
  console = await openConsole({ baseUrl: origin, proven: true })
  const { tab } = console
  await tab.engine.call('settings.update', { proxy: proxy.url, caFile })
  for (const url of [origin, 'http://plain.service.test'])
    await tab.engine.call('targets.set', { url, confirmed: true })
})
afterEach(() => {
  proxy.forget()
  received.splice(0)
})
afterAll(async () => {
  await console[Symbol.asyncDispose]()
  await proxy[Symbol.asyncDispose]()
  vi.unstubAllEnvs()
  await Promise.all([secure.close(), plain.close()])
})

/** Of a tunnel at `origin`. */
async function probe({ proxy = 'system', env }: { proxy?: string; env: Record<string, string> }) {
  const network = new Network({ proxy, certificates }, null, env)
  const { signal } = new AbortController()
  return createProber(Buffer.alloc(32), network).probe(origin, 5000, signal)
}

async function resend(url: string) {
  return console.tab.engine.call('deliveries.resend', { id: await captured(console.tab), url })
}

describe('a request goes through the proxy, with a certificate of the CA file', () => {
  test('of the API console, which names the proxy', async () => {
    const exchange = await console.send()
    expect(exchange.error).toBeNull()
    expect(exchange.hops).toMatchObject([{ response: { status: 200 }, proxy: proxy.name }])
    expect(proxy.seen).toEqual(['CONNECT service.test:443'])
    expect(received).toEqual(['GET /things service.test'])
  })

  test('for a token, and of the check of the service', async () => {
    const { tab, tokenId, integrationId } = console
    await tab.engine.call('tokens.refresh', { id: tokenId })
    expect(received).toMatchObject([expect.stringContaining('POST /')])
    expect(await tab.engine.call('integrations.probe', { id: integrationId })).toMatchObject({
      outcome: 'answers',
    })
    expect(proxy.seen).toEqual(['CONNECT service.test:443', 'CONNECT service.test:443'])
  })

  test('of a re-send over https and http, which notes the proxy', async () => {
    const attempt = await resend(`${origin}/hooks`)
    const note = `Sent through the proxy ${proxy.name}.`
    expect(attempt).toMatchObject({ status: 200, tlsVerified: true, notes: [note] })
    expect(attempt.remoteAddress).toBe(proxy.name)
    const overHttp = await resend('http://plain.service.test/hooks?a=1')
    expect(overHttp).toMatchObject({
      status: 200,
      request: { target: '/hooks?a=1' },
      notes: [note],
    })
    expect(proxy.seen).toEqual([
      'CONNECT service.test:443',
      'POST http://plain.service.test/hooks?a=1',
    ])
    expect(received).toEqual(['POST /hooks service.test', 'POST /hooks?a=1 plain.service.test'])
  })

  test('of a forward', async () => {
    const { tab } = console
    await using _forward = await forwardTo(tab, `${origin}/forwarded`)
    await deliver(tab, post(tab.path, goodBody))
    await until('the forward', () => received.length > 0)
    expect(received).toEqual(['POST /forwarded service.test'])
    expect(proxy.seen).toEqual(['CONNECT service.test:443'])
  })

  test('of a rehearsal', async () => {
    const { tab } = console
    await tab.engine.call('rehearsals.start', {
      url: `${origin}/rehearsed`,
      endpointId: tab.endpointId,
      seed: 1,
    })
    await until('the request', () => received.length > 0)
    for (const { id } of await tab.engine.call('rehearsals.list', {}))
      await tab.engine.call('rehearsals.cancel', { id })
    expect(proxy.seen).toContain('CONNECT service.test:443')
    expect(received).toContain('POST /rehearsed service.test')
  })

  test('of the check of a tunnel, unless its host is in NO_PROXY', async () => {
    expect(await probe({ proxy: proxy.url, env: {} })).toMatchObject({ code: 'other_answer' })
    expect(proxy.seen).toEqual(['CONNECT service.test:443'])
    const direct = await probe({ proxy: proxy.url, env: { NO_PROXY: 'a.test, .service.test' } })
    expect(direct.reason).toContain('The name “service.test” does not resolve.')
    expect(proxy.seen).toHaveLength(1)
  })

  test('of a proxy that is itself reached over TLS', async () => {
    const { cert, key } = tls
    await using secured = await openConnectProxy(() => secure.port, { tls: { cert, key } })
    expect(await probe({ proxy: secured.url, env: {} })).toMatchObject({ code: 'other_answer' })
    expect(secured.seen).toEqual(['CONNECT service.test:443'])
  })

  test.runIf(full)('of localtunnel, whose other connections do not, and say so', async () => {
    const assigned = createHttpServer((_, response) => {
      response.setHeader('Content-Type', 'application/json')
      response.end(JSON.stringify({ id: 'abcd', url: 'http://abcd.service.test', port: 9 }))
    })
    await using listening = await listenOnLoopback(assigned)
    await using way = await openConnectProxy(() => listening.port)
    const network = new Network({ proxy: way.url, certificates: null })
    const world = { tunnelThread, env: {}, network }
    await using tried = startTunnel({ options: { host: 'http://tunnel.service.test' } }, world)
    const { message } = await openingError(tried.opening)
    expect(message).toContain('The connections of localtunnel do not go through the proxy.')
    expect(way.seen).toEqual(['CONNECT tunnel.service.test:80'])
  })
})

describe('a proxy that refuses', () => {
  test.each([
    ['https://forbidden.test/', 'proxy', /refuses to connect to forbidden.test:443 \(status 403\)/],
    ['https://down.test/', 'unreachable', /cannot connect to down.test:443 \(status 503\)/],
  ])('is told from the target: %s', async (url, code, message) => {
    await console.tab.engine.call('targets.set', { url, confirmed: true })
    const { status, error } = await resend(url)
    expect(status).toBeNull()
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) })
  })

  test('may respond to http itself', async () => {
    const url = 'http://forbidden.test/'
    await console.tab.engine.call('targets.set', { url, confirmed: true })
    expect(await resend(url)).toMatchObject({
      status: 403,
      notes: [`Sent through the proxy ${proxy.name}, which may have responded itself.`],
    })
  })

  test('by a missing password, which the environment may have', async () => {
    const authorization = `Basic ${Buffer.from('me:se cret').toString('base64')}`
    await using guarded = await openConnectProxy(() => secure.port, { authorization })
    const without = await probe({ env: { HTTPS_PROXY: guarded.url } })
    expect(without.reason).toContain('requires a user name and password (status 407)')
    const wrong = await probe({ env: { https_proxy: guarded.url.replace('//', '//me:wrong@') } })
    expect(wrong.reason).toContain('rejects its user name or password')
    expect(wrong.reason).not.toContain('wrong')
    const right = await probe({
      env: { https_proxy: guarded.url.replace('//', '//me:se%20cret@') },
    })
    expect(right.code).toBe('other_answer')
    expect(guarded.seen.at(-1)).toBe(`CONNECT service.test:443 ${authorization}`)
  })

  test('because it is not running', async () => {
    await using closed = await openConnectProxy(() => 0)
    await closed[Symbol.asyncDispose]()
    const { reason } = await probe({ proxy: closed.url, env: {} })
    expect(reason).toContain(`The proxy cannot be used. Nothing listens at ${closed.name}.`)
  })
})

describe('the settings', () => {
  test('apply at once to every thread: without the CA file, the error says what to do', async () => {
    const { tab } = console
    await tab.engine.call('settings.update', { caFile: '' })
    const sentence = expect.stringContaining('add the CA file in Settings > Network')
    expect((await resend(origin)).error).toMatchObject({ code: 'tls', message: sentence })
    expect((await console.send()).error).toEqual(sentence)
    await tab.engine.call('settings.update', { proxy: 'none', caFile })
    expect((await resend(origin)).error).toMatchObject({ code: 'unresolved' })
    await tab.engine.call('settings.update', { proxy: proxy.url })
    expect((await resend(origin)).error).toBeNull()
  })

  test.each([
    [{ caFile: 'ca.pem' }, 'Enter its complete path'],
    [{ caFile: path.resolve('/nowhere/ca.pem') }, 'does not exist'],
    [{ caFile: path.dirname(caFile) }, 'It is a folder'],
    [{ caFile: fixture('key') }, 'no certificate in PEM format'],
    [{ proxy: 'http://me:secret@proxy.test:3128' }, 'user name or password'],
    [{ proxy: 'socks5://proxy.test' }, 'the URL of an HTTP proxy'],
  ])('are refused with a reason: %j', async (change, reason) => {
    const { tab } = console
    await expect(tab.engine.call('settings.update', change)).rejects.toMatchObject({
      code: 'bad_input',
      message: expect.stringContaining(reason),
    })
    expect((await tab.engine.call('app.snapshot', {})).settings).toMatchObject({ caFile })
  })

  test.runIf(full)('with a CA file that was removed later do not prevent the start', async () => {
    await using folder = ownedFolder()
    const file = path.join(folder.path, 'ca.pem')
    await writeFile(file, certificates)
    const dataDir = path.join(folder.path, 'data')
    {
      await using tab = await openTestEngine({ dataDir, listen: false })
      await tab.engine.call('settings.update', { caFile: file })
      expect((await tab.engine.call('app.snapshot', {})).caFileProblem).toBeNull()
    }
    await rm(file)
    await using tab = await openTestEngine({ dataDir, listen: false })
    const { caFileProblem } = await tab.engine.call('app.snapshot', {})
    expect(caFileProblem).toContain(`The CA file ${file} cannot be used. It does not exist.`)
    expect(tab.log).toContain(caFileProblem)
  })
})

test('the proxy of the system is asked of the host, by every thread', async () => {
  const asked: string[] = []
  const resolveProxy = async (url: string) => {
    asked.push(url)
    return `PROXY ${proxy.name};DIRECT`
  }
  await using other = await openConsole({ baseUrl: origin, ports: { resolveProxy } })
  const { tab } = other
  await tab.engine.call('settings.update', { caFile })
  expect((await other.send()).error).toBeNull()
  await tab.engine.call('targets.set', { url: origin, confirmed: true })
  await deliver(tab, post(tab.path, goodBody))
  const { id } = await tab.one()
  const { error } = await tab.engine.call('deliveries.resend', { id, url: origin })
  expect(error).toBeNull()
  // Once: the answer is kept for a while.
  expect(asked).toEqual([origin])
  expect(proxy.seen).toEqual(['CONNECT service.test:443', 'CONNECT service.test:443'])
})

test.runIf(full)(
  'a password in the environment is used by every thread, and neither stored nor logged',
  async () => {
    const authorization = `Basic ${Buffer.from('me:canary-pass').toString('base64')}`
    await using guarded = await openConnectProxy(() => secure.port, { authorization })
    vi.stubEnv('HTTPS_PROXY', guarded.url.replace('//', '//me:canary-pass@'))
    vi.stubEnv('https_proxy', undefined)
    await using other = await openConsole({ baseUrl: origin })
    const { tab } = other
    await tab.engine.call('settings.update', { caFile })
    await tab.engine.call('targets.set', { url: origin, confirmed: true })
    await deliver(tab, post(tab.path, goodBody))
    const { id } = await tab.one()
    const seen = JSON.stringify([
      await other.send(),
      await tab.engine.call('deliveries.resend', { id, url: origin }),
      await tab.engine.call('app.snapshot', {}),
      tab.log,
    ])
    expect(guarded.seen).toEqual([1, 2].map(() => `CONNECT service.test:443 ${authorization}`))
    expect(seen).toContain(guarded.name)
    expect(seen).not.toContain('canary-pass')
    expect(seen).not.toContain(authorization.slice(6))
  },
)

const linux = process.platform === 'linux'

test.runIf(linux)(
  'certificates of the system, and of NODE_EXTRA_CA_CERTS, are trusted',
  async () => {
    const script = `
    import { sendRequest } from '#engine/platform/http/request.ts'
    import { Network } from '#engine/platform/http/network.ts'
    const url = new URL('https://proxy.localhost:${secure.port}/')
    const request = { method: 'GET', url, headers: [], body: null, timeout: 9000, maxBytes: 9 }
    const { status, code } = await sendRequest(request, new Network()).catch((error) => error)
    process.stdout.write(String(status ?? code))`
    const answer = async (env: Record<string, string>): Promise<string> => {
      const args = ['--input-type=module', '--eval', script]
      const { stdout } = await promisify(execFile)(process.execPath, args, {
        env: { ...process.env, SSL_CERT_DIR: '/nowhere', ...env },
      })
      return stdout
    }
    expect(await answer({ SSL_CERT_FILE: fixture('cert') })).toBe('tls')
    expect(await answer({ SSL_CERT_FILE: caFile })).toBe('200')
    expect(await answer({ NODE_EXTRA_CA_CERTS: caFile })).toBe('200')
  },
)
