import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engineOnFolder, openTabscope } from '#test/support/engine-on-folder.ts'
import { full } from '#test/support/full.ts'
import {
  loopbackService,
  type Arrived,
  type LoopbackService,
} from '#test/support/loopback-service.ts'
import {
  jsonLines,
  runCli,
  spawnCli,
  startCli,
  type CliOptions,
  type CliResult,
} from '#test/support/run-cli.ts'
import { ownedFolder, type OwnedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

const noText = Buffer.concat([Buffer.from([0, 255, 0x1b, 10]), randomBytes(5000)])
const large = randomBytes(9 * 1024 * 1024)
let folder: OwnedFolder
let service: LoopbackService

function answer({ url }: Arrived, response: ServerResponse): void {
  const { pathname } = new URL(url, 'http://a')
  switch (pathname) {
    case '/api/text':
      response.writeHead(200, 'All right', { 'X-Twice': ['a', 'b'] }).end('grüß\n')
      break
    case '/api/bytes':
      response.end(noText)
      break
    case '/api/large':
      response.end(large)
      break
    case '/api/gzip':
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('undone'))
      break
    case '/api/empty':
      response.writeHead(204).end()
      break
    case '/api/silent':
      break
    case '/api/hostile':
      response.writeHead(200, {
        'X-Hostile': Buffer.from('a\u009B31mb', 'latin1').toString('latin1'),
      })
      response.end('ok')
      break
    default:
      response.writeHead(Number(pathname.slice(1)) || 404).end(`{"path":"${pathname}"}`)
  }
}

beforeAll(async () => {
  folder = ownedFolder()
  service = await loopbackService(answer)
  const set = `integration set --name=Mine --base-url=${service.baseUrl}/api/`.split(' ')
  const { code } = await runCli([...set, `--data=${folder.path}`])
  expect(code).toBe(0)
})

afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

function call(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  return runCli(['call', ...args, '--data', folder.path], options)
}

async function sent(args: readonly string[], options: CliOptions = {}): Promise<Arrived> {
  await call(args, options)
  const last = service.arrived.at(-1)
  if (!last) throw new Error('nothing was received')
  return last
}

test('stdout has only the body; status and time are on stderr', async () => {
  const { code, stdout, stderr } = await call(['GET', '/text'])
  expect({ code, text: stdout.toString() }).toEqual({ code: 0, text: 'grüß\n' })
  expect(stderr).toMatch(/^200 All right in \d+ ms, without a token\n$/)
})

test.for([
  ['/bytes', noText],
  ['/large', large],
  ['/gzip', Buffer.from('undone')],
  ['/empty', Buffer.alloc(0)],
] as const)('%s is printed unchanged', async ([place, bytes]) => {
  const { code, stdout } = await call(['GET', place])
  expect(code).toBe(0)
  expect(stdout.equals(bytes)).toBe(true)
})

test.runIf(full)('Ctrl+C cancels the request, in this process and in another one', async () => {
  const cancelled = async (start: typeof startCli): Promise<void> => {
    const before = service.arrived.length
    await using running = start(['call', 'GET', '/silent', '--json', '--data', folder.path])
    await until('the request', () => service.arrived.length > before)
    running.kill('SIGINT')
    const { code, stdout } = await running.ended
    expect(code).toBe(130)
    expect(jsonLines(stdout)).toMatchObject([
      { event: 'response', status: null, error: 'The request was cancelled.' },
    ])
  }
  await cancelled(spawnCli)
  await using _ = await openTabscope(folder.path)
  await cancelled(startCli)
})

describe('while Tabscope runs', () => {
  engineOnFolder(() => folder.path)

  test('--include prints the head before the body, with control characters escaped', async () => {
    const { stdout } = await call(['GET', '/text', '--include'])
    expect(stdout.toString()).toMatch(
      /^HTTP\/1\.1 200 All right\nX-Twice: a\nX-Twice: b\n(.+\n)*\ngrüß\n$/,
    )
    const hostile = await call(['GET', '/hostile', '--include'])
    expect(hostile.stdout.toString()).toContain(String.raw`X-Hostile: a\u009b31mb`)
  })

  test('--json is one object with the complete response', async () => {
    const { code, stdout, stderr } = await call(['GET', '/text', '--json'])
    const [line, ...more] = jsonLines(stdout)
    expect({ code, stderr, more }).toEqual({ code: 0, stderr: '', more: [] })
    expect(line).toMatchObject({
      event: 'response',
      method: 'GET',
      url: `${service.baseUrl}/api/text`,
      status: 200,
      body: 'grüß\n',
      advice: null,
      error: null,
      hops: [
        {
          reason: 'sent',
          withToken: false,
          response: { headers: expect.arrayContaining([['X-Twice', 'b']]) },
        },
      ],
    })
    const [bytes] = jsonLines((await call(['GET', '/bytes', '--json'])).stdout)
    expect(bytes).toMatchObject({ bodyBase64: noText.toString('base64') })
  })

  test('sends query, headers and body as given, and the content type of a JSON body', async () => {
    const file = path.join(folder.path, 'body.txt')
    await writeFile(file, 'from a file, ü')
    const query = ['--query', 'a=1 2', '--query', 'b=x=y', '--query', 'e=']
    const more = ['--body', '{"a":1}', '--header', 'X-A: b: c']
    const posted = await sent(['post', '/text', ...query, ...more])
    expect(posted).toMatchObject({ method: 'POST', body: Buffer.from('{"a":1}') })
    expect([...new URL(posted.url, 'http://a').searchParams]).toEqual([
      ['a', '1 2'],
      ['b', 'x=y'],
      ['e', ''],
    ])
    expect(posted.url.split('?')[0]).toBe('/api/text')
    expect(posted.headers).toMatchObject({ 'x-a': 'b: c', 'content-type': 'application/json' })
    expect(posted.headers.authorization).toBeUndefined()
    const named = await sent(['PUT', '/text', '--body', '{}', '--header', 'content-type: text/x'])
    expect(named.headers['content-type']).toBe('text/x')
    const fromFile = await sent(['PUT', '/text', '--body', `@${file}`])
    expect(fromFile.body.toString()).toBe('from a file, ü')
    expect(fromFile.headers['content-type']).toBeUndefined()
    const piped = await sent(['PUT', '/text', '--body', '@-'], { stdin: '[1]' })
    expect(piped.body.toString()).toBe('[1]')
    expect(piped.headers['content-type']).toBe('application/json')
  })
})
