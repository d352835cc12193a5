import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { developmentServer, serveFile, serveFrom } from '#hosts/electron/protocol.ts'
import { contentSecurityPolicy } from '#hosts/static-files.ts'
import { listenOnLoopback } from '#test/support/listen.ts'

vi.mock('electron', () => ({ protocol: {} }))

const dir = mkdtempSync(path.join(tmpdir(), 'tabscope-app-'))
const folder = path.join(dir, 'renderer')
beforeAll(() => {
  mkdirSync(path.join(folder, 'assets'), { recursive: true })
  // Next to the folder, and in a folder whose name starts with its name.
  mkdirSync(path.join(dir, 'renderer-2'))
  for (const file of ['secret.txt', 'renderer-2/secret.txt', 'renderer/index.html'])
    writeFileSync(path.join(dir, file), file)
  for (const file of ['assets/a b.js', 'program.exe', 'noend'])
    writeFileSync(path.join(folder, file), file)
})
afterAll(() => rmSync(dir, { recursive: true }))

/** As Electron passes it: Node's `Request` does not normalize unknown schemes. */
const ask = async (url: string, method = 'GET') => serveFile(folder, new Request(url, { method }))

describe('app://tabscope', () => {
  it.each([
    ['app://tabscope/', 'renderer/index.html'],
    ['app://tabscope/index.html?x=1#y', 'renderer/index.html'],
    ['app://tabscope/assets/a%20b.js', 'assets/a b.js'],
    ['app://tabscope/assets/../index.html', 'renderer/index.html'],
  ])('serves %s', async (url, text) => {
    const answer = await ask(url)
    expect([answer.status, await answer.text()]).toEqual([200, text])
    expect(await (await ask(url, 'HEAD')).text()).toBe('')
  })

  it.each([
    ['..'],
    ['%2e%2e'],
    ['..%2f'],
    ['%2e%2e%2f'],
    ['..%5c'],
    ['..\\'],
    ['assets/..%2f..%2f'],
    ['%2f..%2f'],
    ['/../'],
    ['..%2frenderer-2%2f'],
    ['..%252f'],
  ])('serves nothing outside of its folder by %s', async (way) => {
    for (const url of [`app://tabscope/${way}/secret.txt`, `app://tabscope/${way}secret.txt`])
      expect((await ask(url)).status).toBe(404)
  })

  it.each([
    ['another host', 'app://tabscope.example/index.html'],
    ['a port', 'app://tabscope:1/index.html'],
    ['a user', 'app://user@tabscope/index.html'],
    ['no host', 'app:/index.html'],
    ['a folder', 'app://tabscope/assets/'],
    ['a file type that is not served', 'app://tabscope/program.exe'],
    ['no type', 'app://tabscope/noend'],
    ['a stream of a file', 'app://tabscope/index.html::$DATA'],
    ['a NUL', 'app://tabscope/index.html%00.txt'],
    ['an invalid encoding', 'app://tabscope/%ff%fe.txt'],
    ['a missing file', 'app://tabscope/nothing.js'],
    ['an endless name', `app://tabscope/${'x'.repeat(10_000)}.js`],
  ])('responds to %s with 404', async (_name, url) => {
    // Node's `Request` rejects a URL with a user, but Electron's may contain one, so only the URL is passed.
    const requests = Object.defineProperty(new Request('app://tabscope/'), 'url', { value: url })
    expect((await serveFile(folder, requests)).status).toBe(404)
  })

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('rejects %s', async (method) => {
    expect((await ask('app://tabscope/index.html', method)).status).toBe(405)
  })

  it.each(['/index.html', '/nothing.js'])('sends its policy with %s, found or not', async (at) => {
    const { headers } = await ask(`app://tabscope${at}`)
    expect(headers.get('content-security-policy')).toBe(contentSecurityPolicy)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(contentSecurityPolicy).not.toMatch(/unsafe|\*|https?:/)
  })
})

const at = (address?: string): NodeJS.ProcessEnv => ({ ELECTRON_RENDERER_URL: address })

describe('under development', () => {
  it('comes from the development server in the environment, and never when packaged', () => {
    expect(developmentServer(false, at('http://127.0.0.1:5173'))?.host).toBe('127.0.0.1:5173')
    expect(developmentServer(true, at('http://127.0.0.1:5173'))).toBeNull()
    expect(developmentServer(false, at())).toBeNull()
    expect(developmentServer(false, at(''))).toBeNull()
  })

  it.each([
    'http://example.com',
    'https://127.0.0.1',
    'file:///tmp',
    'http://127.0.0.1.example',
    'x',
  ])('rejects any other server: %s', (address) => {
    expect(() => developmentServer(false, at(address))).toThrow('ELECTRON_RENDERER_URL must be')
  })

  it('returns the response of the server in the same origin, and lets its page connect only there', async () => {
    const requests: string[] = []
    const server = http.createServer((request, response) => {
      requests.push(
        `${request.method} ${request.headers.host} ${request.url} ${request.headers.accept}`,
      )
      response.writeHead(203, { 'content-type': 'text/css', 'set-cookie': 'a=b' }).end('p{}')
    })
    const { port, close } = await listenOnLoopback(server)
    const host = `127.0.0.1:${port}`
    const from = new URL(`http://${host}`)
    const fetched = async (url: string, init?: RequestInit) =>
      serveFrom(from, new Request(url, init))

    const answer = await fetched('app://tabscope/@fs/a%20b.css?t=1', {
      headers: { accept: 'text/css' },
    })
    expect([answer.status, await answer.text()]).toEqual([203, 'p{}'])
    expect(answer.headers.get('content-type')).toBe('text/css')
    expect(answer.headers.get('set-cookie')).toBeNull()
    const policy = answer.headers.get('content-security-policy')
    expect(policy).toContain(`connect-src 'self' ws://${host};`)
    expect(policy).not.toMatch(/\*|https?:|unsafe-eval/)
    await fetched('app://tabscope//example.com/x')
    expect(requests).toEqual([
      `GET ${host} /@fs/a%20b.css?t=1 text/css`,
      `GET ${host} //example.com/x */*`,
    ])

    expect((await fetched('app://tabscope.example/')).status).toBe(404)
    expect((await fetched('app://tabscope/', { method: 'POST' })).status).toBe(405)
    expect(requests).toHaveLength(2)
    await close()
    expect((await fetched('app://tabscope/')).status).toBe(502)
  })
})
