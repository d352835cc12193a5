import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import type { CallInput } from '#contract/calls.ts'
import { AppError } from '#engine/platform/errors.ts'
import { sharedTestEngine } from '#test/support/engine.ts'
import {
  startClient,
  type Changes,
  type RunningClient,
} from '#test/support/rehearsal/oauth-client.ts'
import { freePort } from '#test/support/free-port.ts'
import { full } from '#test/support/full.ts'
import { jsonLines, runCli } from '#test/support/run-cli.ts'
import { until } from '#test/support/until.ts'
import { listenOnLoopback } from '#test/support/listen.ts'
import { ended } from '#test/support/rehearsal/ended.ts'

const tab = sharedTestEngine()
const accessSecret = 'access/secret+of="an" engine'

type Input = CallInput<'rehearsals.startOauth'>

async function start(client: RunningClient, options: Input = {}) {
  const { rehearsal, client: config } = await tab().engine.call('rehearsals.startOauth', {
    accessSecret,
    watchTime: 500,
    flowTimeout: 60_000,
    ...options,
  })
  client.configure({ ...config, accessSecret: config.accessSecret ?? accessSecret })
  return { id: rehearsal.id, rehearsal, config }
}

async function client(changes: Changes = {}): Promise<RunningClient> {
  const running = await startClient(changes)
  onTestFinished(() => running[Symbol.asyncDispose]())
  return running
}

const urls = ({ startUrl, callUrl, redirectUrl }: RunningClient) => ({
  startUrl,
  callUrl,
  redirectUrl,
})

test('a run is stored with its requests, and the access secret is nowhere', async () => {
  const app = await client()
  const { id, config } = await start(app, { ...urls(app), only: ['O7', 'O3'] })
  expect(config).toMatchObject({ accessSecret: null })
  const rehearsal = await ended(tab().engine, id)
  expect(rehearsal).toMatchObject({
    state: 'done',
    total: 2,
    grade: null,
    problem: null,
    step: null,
    options: { url: app.startUrl, oauth: { redirectUrl: app.redirectUrl } },
  })
  expect(rehearsal.counts).toMatchObject({ pass: 2 })
  const { engine, log } = tab()
  const { results } = await engine.call('rehearsals.get', { id })
  expect(results.map(({ id: of, result }) => [of, result])).toEqual([
    ['O3', 'pass'],
    ['O7', 'pass'],
  ])
  expect(results[0]?.repeat).toContain(
    `tabscope rehearse oauth --only O3 --start-url ${app.startUrl} `,
  )
  expect(results[0]?.repeat).toMatch(/ --flow-timeout 60000ms --watch-time 500ms$/)
  const requests = await engine.call('rehearsals.requests', { id, caseId: 'O3' })
  const token = requests.find(({ url }) => url.endsWith('/api/oauth/token'))
  expect(Buffer.from(token?.body ?? []).toString()).toContain(
    '"api_access_secret":"<API_ACCESS_SECRET>"',
  )
  const stored = JSON.stringify([
    rehearsal,
    results,
    requests.map(({ body, ...rest }) => [Buffer.from(body).toString(), rest]),
    log,
  ])
  expect(stored).not.toContain('access/secret')
})

test('in a manual run, each step is shown, and the user begins the flow in a browser', async () => {
  const app = await client()
  const { id } = await start(app, { redirectUrl: app.redirectUrl, only: ['O3'] })
  const { engine } = tab()
  const steps: string[] = []
  const phases = new Set<string>()
  const begin = async (step: string): Promise<void> => {
    steps.push(step)
    // A browser: it keeps the session cookie while it follows the redirects.
    const first = await fetch(app.startUrl, { redirect: 'manual' })
    const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? ''
    const approved = await fetch(first.headers.get('location') ?? '', { redirect: 'manual' })
    await fetch(approved.headers.get('location') ?? '', { headers: { cookie } })
    await fetch(app.callUrl, { headers: { cookie }, redirect: 'manual' })
  }
  const rehearsal = await until('the run to end', async () => {
    const { rehearsal: current } = await engine.call('rehearsals.get', { id })
    const { step = null, progress, endedAt } = current
    if (progress) phases.add(`${progress.phase} ${progress.received.authorize}`)
    if (step?.includes('start the authorization') && !steps.includes(step)) await begin(step)
    return endedAt === null ? null : current
  })
  expect(rehearsal).toMatchObject({ state: 'done', counts: { pass: 1 } })
  expect(steps.map((step) => step.split(':')[0])).toEqual([
    'First flow',
    'O3, a wrong state',
    'O3, no state',
    'O3, a second state',
  ])
  expect(phases).toContain('act 0')
  // The authorization request of a variant is received before its redirect is watched.
  expect(phases).toContain('watch 1')
})

test.runIf(full)('a client with another access secret cannot be judged', async () => {
  const app = await client()
  const { config, id } = await start(app, { ...urls(app), flowTimeout: 4000, only: ['O1'] })
  app.configure({ ...config, accessSecret: 'another secret' })
  expect(await ended(tab().engine, id)).toMatchObject({
    state: 'failed',
    problem: { message: expect.stringContaining('another access ID or access secret') },
  })
})

test('a run shows what its user has to do, and can be cancelled', async () => {
  const app = await client()
  const { id, config } = await start(app, { only: ['O1'], accessSecret: undefined })
  const { engine } = tab()
  const { client: shown } = await engine.call('rehearsals.get', { id })
  // Made up for this run, so that the user has to be able to copy it.
  expect(shown).toEqual(config)
  expect(shown?.accessSecret).toMatch(/^[\w-]{43}$/)
  const progress = await until('the first step', async () => {
    const { rehearsal } = await engine.call('rehearsals.get', { id })
    return rehearsal.progress?.phase === 'act' ? rehearsal.progress : null
  })
  expect(progress).toMatchObject({
    caseId: null,
    action: 'Start the authorization in your app now.',
    until: expect.any(Number),
    received: { authorize: 0, token: 0 },
  })
  expect(await engine.call('rehearsals.cancel', { id })).toMatchObject({
    state: 'cancelled',
    progress: null,
  })
  expect(await engine.call('rehearsals.get', { id })).toMatchObject({ client: null })
})

test.runIf(full)('a port in use, a public app and an empty selection are refused', async () => {
  const { engine } = tab()
  await using occupied = await listenOnLoopback(createServer())
  const { port } = occupied
  const before = await engine.call('rehearsals.list', {})
  const refused = async (input: Input) =>
    engine.call('rehearsals.startOauth', input).then(
      () => 'started',
      (error: unknown) => (error instanceof AppError ? error.code : error),
    )
  expect(await refused({ port })).toBe('port_in_use')
  expect(await refused({ startUrl: 'https://8.8.8.8/login' })).toBe('target_unconfirmed')
  expect(await refused({ only: ['S4'] })).toBe('bad_input')
  expect(await engine.call('rehearsals.list', {})).toEqual(before)
})

test.runIf(full)('the command prints the client, each result and the end', async () => {
  const app = await client()
  const port = String(await freePort())
  const secret = 'access/secret+of="a" command'
  app.configure({ baseUrl: `http://127.0.0.1:${port}`, accessId: 'ci', accessSecret: secret })
  const options = ['--port', port, '--access-id', 'ci', '--access-secret-env', 'ACCESS_SECRET']
  const run = (...more: string[]) =>
    runCli(
      ['rehearse', 'oauth', '--ephemeral', '--json', '--watch-time', '500ms', ...options, ...more],
      { env: { ACCESS_SECRET: secret } },
    )
  const passed = await run('--start-url', app.startUrl, '--only', 'O3')
  expect(jsonLines(passed.stdout)).toMatchObject([
    { event: 'client', baseUrl: `http://127.0.0.1:${port}`, accessId: 'ci', accessSecret: null },
    { event: 'case', id: 'O3', result: 'pass' },
    { event: 'rehearsal', state: 'done', counts: { pass: 1, fail: 0 }, grade: null },
  ])
  expect(passed.code).toBe(0)
  const other = ['--redirect-url', `${app.redirectUrl}/`]
  const failed = await run('--start-url', app.startUrl, ...other, '--only', 'O2')
  expect(failed.code).toBe(1)
  const unjudged = await run('--flow-timeout', '50ms', '--only', 'O1')
  expect(unjudged.code).toBe(2)
  expect(await run('--only', 'S1')).toMatchObject({ code: 2 })
  for (const { stdout, stderr } of [passed, failed, unjudged]) {
    expect(stdout.toString('utf8') + stderr).not.toContain('access/secret')
  }
})
