import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import type { CaseResult, Rehearsal } from '#contract/rehearsal.ts'
import type { Engine } from '#engine/app/engine.ts'
import { openTestEngine, sharedTestEngine } from '#test/support/engine.ts'
import { testSecret } from '#test/support/requests.ts'
import { jsonLines, runCli } from '#test/support/run-cli.ts'
import { full } from '#test/support/full.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = (): void => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(close)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/webhooks`, close }
}

async function ended(engine: Engine, id: number): Promise<Rehearsal> {
  return until('the run to end', async () => {
    const { rehearsal } = await engine.call('rehearsals.get', { id })
    return rehearsal.endedAt === null ? null : rehearsal
  })
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

test('the secret is in no record of a run', async () => {
  const { url } = await startHandler(correct)
  const secret = 'canary-of-a-rehearsal'
  const { rehearsal, results } = await run(url, { secret, only: ['P1', 'G*', 'S*', 'B*'] })
  const { engine, log } = tab()
  const requests = await engine.call('rehearsals.requests', { id: rehearsal.id, caseId: 'P1' })
  expect(inspect({ rehearsal, results, requests, log }, { depth: null })).not.toContain(secret)
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

test.for<[name: string, status: number, headers: Record<string, string>, cause: string]>([
  ['redirects', 308, { location: '/v2/webhooks?key=canary' }, 'The handler is at /v2/webhooks?….'],
  ['rejects everything', 401, {}, 'uses another secret'],
])('a handler that %s cannot be judged', async ([, status, headers, cause]) => {
  const { url } = await startHandler((_request, _body, response) =>
    response.writeHead(status, headers).end(),
  )
  const { rehearsal, results } = await run(`${url}?key=canary`)
  expect(results).toEqual([])
  expect(rehearsal.state).toBe('failed')
  expect(inspect(rehearsal.problem)).toContain(cause)
  expect(inspect(rehearsal.problem)).not.toContain('canary')
})

test('effects are the calls of the handler to the API of the sandbox', async () => {
  const reserved = createServer()
  await new Promise<void>((resolve) => reserved.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = reserved.address() as AddressInfo
  const { engine, endpointId } = tab()
  const seen = new Set<string>()
  let processes: 'once' | 'always' | 'never' = 'once'
  const statuses: number[] = []
  const { url } = await startHandler((request, body, response) => {
    correct(request, body, response)
    const { type, targetUuid, createdAt } = JSON.parse(body.toString())
    const key = JSON.stringify([type, targetUuid, createdAt])
    const isNew = processes === 'always' || !seen.has(key)
    if (!isAuthentic(request, body) || processes === 'never' || !isNew) return
    seen.add(key)
    const headers = { authorization: 'Bearer any' }
    void fetch(`http://127.0.0.1:${port}/api/orders/1`, { headers }).then(({ status }) =>
      statuses.push(status),
    )
  })
  const rehearse = async () => {
    const observer = { kind: 'sandbox' as const, port }
    const options = { url, seed: 7, endpointId, only: ['I1'], observer }
    const { id } = await engine.call('rehearsals.start', options)
    await ended(engine, id)
    return engine.call('rehearsals.get', { id })
  }
  const before = await engine.call('rehearsals.list', {})
  await expect(rehearse()).rejects.toMatchObject({
    code: 'port_in_use',
    message: expect.stringContaining(`port ${port}`),
  })
  expect(await engine.call('rehearsals.list', {})).toEqual(before)
  await new Promise((resolve) => reserved.close(resolve))
  const { results } = await rehearse()
  expect(results).toMatchObject([{ id: 'I1', result: 'pass' }])
  expect(results[0]?.repeat).toContain(` --observe-sandbox ${port}`)
  expect(new Set(statuses)).toEqual(new Set([200]))
  processes = 'always'
  expect((await rehearse()).results).toMatchObject([
    { id: 'I1', result: 'fail', reason: expect.stringContaining('2 effects instead of 1') },
  ])
  processes = 'never'
  expect((await rehearse()).rehearsal).toMatchObject({
    state: 'failed',
    problem: { causes: expect.arrayContaining([expect.stringContaining(`127.0.0.1:${port}`)]) },
  })
})

test('a run that waits for effects is cancelled at once, and not interrupted', async () => {
  const { url } = await startHandler(correct)
  let reads = 0
  const observer = await startHandler((_request, _body, response) => {
    // P1 is judged, and then nothing responds to the observer.
    reads += 1
    if (reads < 2) response.end('0')
  })
  const { engine, endpointId } = tab()
  const { id } = await engine.call('rehearsals.start', {
    url,
    seed: 7,
    endpointId,
    observer: { kind: 'url', url: observer.url },
  })
  await until('the observer to be read again', () => reads > 1)
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

test('a target or an observer outside this machine and its network needs a permission', async () => {
  const { engine } = tab()
  const near = 'http://127.0.0.1:9/'
  const start = (url: string, observed: string) =>
    engine.call('rehearsals.start', { url, seed: 7, observer: { kind: 'url', url: observed } })
  const [first, second] = ['http://198.51.100.7', 'http://203.0.113.7:8080']
  for (const [url, observed, origin] of [
    [`${first}/webhooks`, near, first],
    [near, `${first}/count`, first],
    [`${first}/webhooks`, `${second}/count`, `${first} and ${second}`],
  ] as const) {
    await expect(start(url, observed)).rejects.toMatchObject({
      code: 'target_unconfirmed',
      details: { origin },
    })
  }
  await expect(start(near, 'file:///etc/passwd')).rejects.toMatchObject({ code: 'bad_target' })
  await expect(
    engine.call('rehearsals.start', { url: near, seed: 7, only: ['S4', 'X9'] }),
  ).rejects.toMatchObject({ code: 'bad_input', message: expect.stringContaining('"X9"') })
  await expect(
    engine.call('rehearsals.start', { url: near, seed: 7, skip: ['*'] }),
  ).rejects.toMatchObject({ code: 'bad_input', message: expect.stringContaining('no test cases') })
})

test('the command repeats a case, and writes a report without the query of the URL for each format', async () => {
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
      ['--observe-command', `cat '${count}'`],
      ['--format', 'json', '--format', 'text', '-o', file('text')],
      ['--format', 'markdown,junit', '-o', file('markdown'), '-o', file('junit')],
    ),
    { env: { SECRET: testSecret, OLD_SECRET: 'an old secret' } },
  )
  const lines = jsonLines(stdout)
  expect(lines).toMatchObject([
    {
      id: 'S4',
      result: 'pass',
      repeat: String.raw`tabscope rehearse --to '${url}?…' --only S4 --seed 7 --secret-env SECRET --previous-secret-env OLD_SECRET --observe-command 'cat '\''${count}'\''' --timeout 20000ms`,
    },
    { id: 'T4', result: 'skipped' },
    { event: 'rehearsal', counts: { pass: 1, skipped: 1 }, options: { url: `${url}?…`, seed: 7 } },
  ])
  expect(stdout.toString()).not.toContain('canary')
  expect(code).toBe(0)
  expect(readFileSync(file('text'), 'utf8')).toMatch(
    /^S4 +pass +MUST +401\nT4 .*\n\n1 passed, .* Seed 7\.\n$/,
  )
  expect(readFileSync(file('markdown'), 'utf8')).toContain('\n| S4 ')
  expect(readFileSync(file('junit'), 'utf8')).toContain('<testcase name="S4"')
  for (const name of ['text', 'markdown', 'junit']) {
    expect(readFileSync(file(name), 'utf8'), name).not.toContain('canary')
  }
})

async function attempt(...args: string[]): Promise<unknown> {
  const { code, stderr } = await runCli(['rehearse', '--ephemeral', ...args])
  return [code, stderr.trim()]
}

test.runIf(full)('what prevents a run is no failure: the exit code is 2', async () => {
  const url = ['--to', 'http://127.0.0.1:9/']
  expect(await attempt('--to', 'http://198.51.100.7/', '--seed', '7')).toEqual([
    2,
    expect.stringContaining('--allow-target'),
  ])
  expect(await attempt(...url, '--observe', 'http://198.51.100.7/')).toEqual([
    2,
    expect.stringContaining('--allow-target'),
  ])
  expect(await attempt(...url, '--only', '')).toEqual([
    2,
    expect.stringContaining('at least one case'),
  ])
  expect(await attempt(...url, '--endpoint', 'none')).toEqual([
    2,
    expect.stringContaining('"none"'),
  ])
})
