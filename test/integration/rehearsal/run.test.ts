import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createConnectionServer } from 'node:net'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import type { CaseResult, Rehearsal } from '#contract/rehearsal.ts'
import { openTestEngine, sharedTestEngine } from '#test/support/engine.ts'
import { testSecret } from '#test/support/requests.ts'
import { jsonLines, runCli } from '#test/support/run-cli.ts'
import { full } from '#test/support/full.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'
import { listenOnLoopback } from '#test/support/listen.ts'
import { ended } from '#test/support/rehearsal/ended.ts'

const tab = sharedTestEngine()

type Handle = (request: IncomingMessage, body: Buffer, response: ServerResponse) => void

function isAuthentic(request: IncomingMessage, body: Buffer): boolean {
  const expected = Buffer.from(createHmac('sha256', testSecret).update(body).digest('hex'))
  const given = Buffer.from(String(request.headers['x-service-signature'] ?? ''))
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Responds with 204 to authentic deliveries, and with 401 to all others. */
const correct: Handle = (request, body, response) => {
  response.writeHead(isAuthentic(request, body) ? 204 : 401).end()
}

async function startHandler(handle: Handle): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => handle(request, Buffer.concat(pieces), response))
  })
  const { port, close } = await listenOnLoopback(server)
  onTestFinished(close)
  return { url: `http://127.0.0.1:${port}/webhooks`, close: () => void close() }
}

async function run(
  url: string,
  options: { only?: string[]; secret?: string } = {},
): Promise<{ rehearsal: Rehearsal; results: CaseResult[] }> {
  const { engine, endpointId } = tab()
  const { id } = await engine.call('rehearsals.start', { url, seed: 7, endpointId, ...options })
  await ended(engine, id)
  return engine.call('rehearsals.get', { id })
}

test('a run stores its results and its requests, with the difference from a valid delivery', async () => {
  const { url } = await startHandler(correct)
  const { rehearsal, results } = await run(url, { only: ['s4'] })
  expect(rehearsal).toMatchObject({ state: 'done', total: 1, problem: null, grade: null })
  expect(rehearsal.counts).toMatchObject({ pass: 1, fail: 0 })
  expect(results).toMatchObject([
    { id: 'S4', result: 'pass', level: 'MUST', received: '401', reason: null },
  ])
  expect(results[0]?.repeat).toBe(`tabscope rehearse --to ${url} --only S4 --seed 7`)
  const { engine } = tab()
  const requests = await engine.call('rehearsals.requests', { id: rehearsal.id, caseId: 'S4' })
  expect(requests.map(({ variant }) => variant)).toEqual(
    results[0]?.variants.map(({ name }) => name),
  )
  for (const request of requests) {
    expect(request).toMatchObject({ status: 401, bodyChange: null, url })
    expect(request.changedHeaders.map((index) => request.headers[index]?.[0])).toEqual([
      'X-Service-Signature',
    ])
    expect(request.missingHeaders.map(([name]) => name)).toEqual(['X-Service-Signature'])
  }
  const listed = await engine.call('rehearsals.list', {})
  expect(listed[0]).toEqual(rehearsal)
  await engine.call('rehearsals.remove', { id: rehearsal.id })
  await expect(engine.call('rehearsals.get', { id: rehearsal.id })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('a failed case is repeated on new connections, and is flaky if the results differ', async () => {
  let accepted = 0
  const { url } = await startHandler((request, body, response) => {
    const forged = createHmac('sha256', '').update(body).digest('hex')
    const isForged = request.headers['x-service-signature'] === forged
    if (isForged) accepted += 1
    response.writeHead((isForged && accepted === 1) || isAuthentic(request, body) ? 204 : 401).end()
  })
  const { results } = await run(url, { only: ['S4'] })
  expect(results).toMatchObject([{ id: 'S4', result: 'flaky' }])
  expect(results[0]?.reason).toContain('an empty key')
})

test.for<
  [name: string, status: number, headers: Record<string, string>, cause: string, page?: string]
>([
  [
    'redirects',
    308,
    { location: '/v2/webhooks?key=canary' },
    'The handler is at “/v2/webhooks?…”.',
  ],
  ['rejects everything', 401, {}, 'uses another secret'],
  ['checks for CSRF', 403, {}, 'Exempt the view', '<p>CSRF verification failed. Request aborted.'],
  ['is closed', 403, {}, 'got 403: “Closed.”', 'Closed.'],
])('a handler that %s cannot be judged', async ([, status, headers, cause, page = '']) => {
  const { url } = await startHandler((_request, _body, response) =>
    response.writeHead(status, headers).end(page),
  )
  const { rehearsal, results } = await run(`${url}?key=canary`)
  expect(results).toEqual([])
  expect(rehearsal.state).toBe('failed')
  expect(inspect(rehearsal.problem)).toContain(cause)
  expect(inspect(rehearsal.problem)).not.toContain('canary')
  if (page !== '') expect(inspect(rehearsal.problem)).not.toMatch(/another secret|parsed body/)
})

/** Reads no chunks, no request line in two packets as `php -S`, no more than 200 KiB, and nothing but POST. */
async function startLimited(): Promise<string> {
  const server = createConnectionServer((socket) => {
    let text = ''
    socket.on('error', () => socket.destroy())
    socket.on('data', (piece) => {
      const isFirst = text === ''
      text += piece.toString('latin1')
      const end = text.indexOf('\r\n\r\n') + 4
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
      const respond = (status: number) =>
        socket.end(`HTTP/1.1 ${status} X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
      if (isFirst && !text.includes('\r\n')) socket.destroy()
      else if (end < 4) return
      else if (!text.startsWith('POST')) respond(405)
      else if (/\r\ntransfer-encoding: chunked/i.test(text.slice(0, end))) respond(400)
      else if (text.length - end < length) return
      else if (length > 200 * 1024) respond(413)
      else respond(isSigned(text, end) ? 204 : 401)
    })
  })
  const { port, close } = await listenOnLoopback(server)
  onTestFinished(close)
  return `http://127.0.0.1:${port}/webhooks`
}

function isSigned(text: string, end: number): boolean {
  const expected = createHmac('sha256', testSecret).update(text.slice(end), 'latin1').digest('hex')
  return text.slice(0, end).includes(expected)
}

test('a case of the transport says which part was refused, and a refused method needs no observer', async () => {
  const { results } = await run(await startLimited(), { only: ['T1', 'T2', 'T3', 'T9'] })
  const of = (id: string) => results.find((result) => result.id === id)
  expect(of('T1')?.reason).toMatch(/^It responded with 400 .* It refuses chunks outright/)
  expect(of('T2')?.reason).toMatch(/^headers a byte at a time: .* not the body: .*`php -S`/)
  expect(of('T2')?.variants.map(({ result }) => result)).toEqual(['fail', 'pass', 'pass'])
  expect(of('T3')).toMatchObject({
    result: 'fail',
    received: 'largest accepted: 128 KiB, largest not accepted: 10 MiB (413)',
  })
  expect(of('T9')).toMatchObject({ result: 'pass', received: '405' })
})

test('a run that waits for its observer is cancelled at once, and not interrupted', async () => {
  const { url } = await startHandler(correct)
  const { engine, endpointId } = tab()
  const asked: { id: number; key: number }[] = []
  const stop = engine.on('rehearsals.observe', (push) => void asked.push(push))
  onTestFinished(stop)
  const observer = { kind: 'command', command: 'count' } as const
  const { id } = await engine.call('rehearsals.start', { url, seed: 7, endpointId, observer })
  await until('the observer to be asked', () => asked[0])
  await engine.call('rehearsals.observed', { id, key: asked[0]?.key ?? 0, value: 0, error: null })
  // P1 is judged, and then nobody responds.
  await until('the observer to be asked again', () => asked.length > 1)
  expect(await engine.call('rehearsals.cancel', { id })).toMatchObject({
    state: 'cancelled',
    endedAt: expect.any(Number),
  })
})

test.runIf(full)(
  'a run that Tabscope did not finish is interrupted, and keeps its results',
  async () => {
    const { url } = await startHandler((request, body, response) => {
      setTimeout(() => correct(request, body, response), 30)
    })
    await using folder = ownedFolder()
    const first = await openTestEngine({ dataDir: folder.path, secret: null })
    const { id } = await first.engine.call('rehearsals.start', { url, seed: 7, secret: testSecret })
    await until('a result', async () => {
      const { results } = await first.engine.call('rehearsals.get', { id })
      return results.length > 1
    })
    await first.close()
    await using second = await openTestEngine({ dataDir: folder.path, secret: null })
    const { rehearsal, results } = await second.engine.call('rehearsals.get', { id })
    expect(rehearsal).toMatchObject({ state: 'interrupted', grade: null, endedAt: null })
    expect(results.length).toBeGreaterThan(1)
  },
)

test('a target outside this machine and its network needs a permission, and cases must exist', async () => {
  const { engine } = tab()
  const near = 'http://127.0.0.1:9/'
  const far = 'http://198.51.100.7'
  await expect(
    engine.call('rehearsals.start', { url: `${far}/webhooks`, seed: 7 }),
  ).rejects.toMatchObject({ code: 'target_unconfirmed', details: { origin: far } })
  await expect(
    engine.call('rehearsals.start', { url: near, seed: 7, only: ['S4', 'X9'] }),
  ).rejects.toMatchObject({ code: 'bad_input', message: expect.stringContaining('"X9"') })
  await expect(
    engine.call('rehearsals.start', { url: near, seed: 7, skip: ['*'] }),
  ).rejects.toMatchObject({ code: 'bad_input', message: expect.stringContaining('no test cases') })
})

test('the command repeats a case, and writes a report without the query of the URL', async () => {
  await using folder = ownedFolder()
  const count = join(folder.path, 'count')
  writeFileSync(count, '0')
  let effects = 0
  const { url } = await startHandler((request, body, response) => {
    if (isAuthentic(request, body)) {
      // Replaced at once: the command may read at any time.
      writeFileSync(`${count}.new`, String((effects += 1)))
      renameSync(`${count}.new`, count)
    }
    correct(request, body, response)
  })
  const file = (name: string) => join(folder.path, name)
  const { code, stdout } = await runCli(
    ['rehearse', '--ephemeral', '--to', `${url}?key=canary`, '--only', 'S4,T4'].concat(
      ['--seed', '7'],
      ['--secret-env', 'SECRET', '--previous-secret-env', 'OLD_SECRET', '--timeout', '20s'],
      // As `grep -c` does for 0.
      ['--observe-command', `cat '${count}'; exit 1`],
      ['--json', '--format', 'markdown', '-o', file('markdown')],
    ),
    { env: { SECRET: testSecret, OLD_SECRET: 'an old secret' } },
  )
  const lines = jsonLines(stdout)
  expect(lines).toMatchObject([
    {
      id: 'S4',
      result: 'pass',
      repeat: String.raw`tabscope rehearse --to '${url}?…' --only S4 --seed 7 --secret-env SECRET --previous-secret-env OLD_SECRET --observe-command 'cat '\''${count}'\''; exit 1' --timeout 20000ms`,
    },
    { id: 'T4', result: 'skipped' },
    { event: 'rehearsal', counts: { pass: 1, skipped: 1 }, options: { url: `${url}?…`, seed: 7 } },
  ])
  expect(stdout.toString()).not.toContain('canary')
  expect(code).toBe(0)
  expect(readFileSync(file('markdown'), 'utf8')).toContain('\n| S4 ')
  expect(readFileSync(file('markdown'), 'utf8')).not.toContain('canary')
})
