import { expect, it } from 'vitest'
import type { ApiRequest } from '#contract/api.ts'
import type { Run } from '#contract/authorization.ts'
import { calls, type CallInput, type CallName, type CallOutput } from '#contract/calls.ts'
import { revealingCalls, suggestedFields } from '#contract/constants.ts'
import { AppError } from '#engine/platform/errors.ts'
import { pushes } from '#contract/pushes.ts'
import { freePort } from '#test/support/free-port.ts'
import { openTestEngine } from '#test/support/engine.ts'
import { sign } from '#test/support/requests.ts'
import { until } from '#test/support/until.ts'
import { openEchoService } from './echo-service.ts'
import { readSentData } from './canary-stored.ts'
import { assistantsWithSecrets } from './canary-assistants.ts'
import { composeWithSecrets, holdWithSecrets } from './canary-compose.ts'
import { logsWithSecrets } from './canary-logs.ts'
import { rehearsalsWithSecrets } from './canary-rehearsals.ts'
import { relaysWithSecrets } from './canary-relays.ts'
import { tunnelWithSecrets } from './canary-tunnel.ts'
import { storedFiles } from '#test/support/stored-files.ts'

// Long enough that they cannot occur by chance, with characters that are escaped in URLs and in JSON.
const canary = {
  accessSecret: 'canary/access+secret="0001"-aaaa',
  otherSecret: 'canary/other+secret-0002-bbbb',
  webhookSecret: 'canary-webhook-secret-0003-cccc',
  code: 'canary/code+0004-dddd',
  refusedCode: 'canary/refused+code-0005-eeee',
  token: 'canary/token+0006-ffff',
  refreshToken: 'canary/refresh+0007-gggg',
  refreshedToken: 'canary/refreshed+0008-hhhh',
  refreshedRefreshToken: 'canary/refreshed-refresh+0009-iiii',
  secondToken: 'canary/second+0010-jjjj',
  secondRefreshToken: 'canary/second-refresh+0011-kkkk',
  snakeToken: 'canary/snake+0012-llll',
  truncatedToken: 'canary/truncated+0013-mmmm',
  typed: 'canary/typed+0014-nnnn',
  keptToken: 'canary/kept+0015-oooo',
  keptRefreshToken: 'canary/kept-refresh+0016-pppp',
  candidate: 'canary/candidate+0017-qqqq',
  relaySeed: 'SUAAJKGZOGIG7PCY5NZ7K4Q5QOFCYLFYMLFOCLWUEJ5KVNVTPORU3YFD7U',
  // How every invitation starts after its prefix.
  relayInvitation: Buffer.from('{"tabscope":"relay invitation"').toString('base64url'),
} as const

/** Stored as it is, and shown nowhere. */
const relayCa = 'canary/relay+ca-0018-rrrr'

/** All encodings in which a value could leak. */
function formsOf(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1)
  return [
    value,
    json,
    JSON.stringify(json).slice(1, -1),
    encodeURIComponent(value),
    Buffer.from(value).toString('base64'),
    Buffer.from(value).toString('hex'),
  ]
}

function findSecrets(where: string, bytes: Buffer): string[] {
  return Object.entries(canary).flatMap(([name, value]) =>
    formsOf(value).some((form) => bytes.includes(form)) ? [`${name} in ${where}`] : [],
  )
}

const refused = async (work: Promise<unknown>): Promise<void> => {
  await expect(work).rejects.toBeInstanceOf(Error)
}

const echoes = (body: string): string => `${body} ${encodeURIComponent(body)}`

it('no call reveals a secret, code or token outside its sealed row', async () => {
  const hour = Math.floor(Date.now() / 1000) + 3600
  await using service = await openEchoService([
    { token: canary.token, refreshToken: canary.refreshToken, expires: hour },
    { token: canary.refreshedToken, refreshToken: canary.refreshedRefreshToken, expires: hour },
    { token: canary.secondToken, refreshToken: canary.secondRefreshToken, expires: hour },
  ])
  await using tab = await openTestEngine({ secret: null })
  const { engine } = tab

  const called = new Set<CallName>()
  const outputs: { where: string; text: string }[] = []
  const note = (where: string, value: unknown): void => {
    const text = JSON.stringify(value, (_key, part: unknown) =>
      part instanceof Uint8Array ? Buffer.from(part).toString('latin1') : part,
    )
    outputs.push({ where, text })
  }
  for (const name of Object.keys(pushes)) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names of the contract themselves
    engine.on(name as keyof typeof pushes, (payload) => note(`the push ${name}`, payload))
  }
  const call = async <N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>> => {
    called.add(name)
    try {
      const output = await engine.call(name, input)
      if (!revealingCalls.has(name)) note(`the reply of ${name}`, output)
      return output
    } catch (error) {
      note(`the error of ${name}`, error instanceof AppError ? error.toWire() : String(error))
      throw error
    }
  }
  const redirectUrl = `http://127.0.0.1:${await freePort()}/callback?kept=1`
  const { id } = await call('integrations.create', {
    name: 'Canary',
    baseUrl: service.baseUrl,
    accessId: 'canary-id',
    accessSecret: canary.otherSecret,
    redirectUrls: [redirectUrl],
  })
  await call('integrations.setAccessSecret', { id, secret: canary.accessSecret })
  expect(await call('integrations.revealAccessSecret', { id })).toEqual({
    secret: canary.accessSecret,
  })
  await call('integrations.update', { id, brand: 'Canary' })
  await call('integrations.set', { name: 'canary', brand: 'Canary' })
  await call('integrations.preflight', { id })
  await call('integrations.probe', { id })

  // Runs: one that succeeds, and some whose responses echo the complete request.
  const over = (runId: number): Promise<Run> =>
    until('the run to end', async () => {
      const run = await call('authorization.run', { id: runId })
      return run.endedAt === null ? null : run
    })
  const authorize = async (code: string, more: { replaces?: number } = {}): Promise<Run> => {
    const { id: runId } = await call('authorization.start', {
      integrationId: id,
      agent: 'none',
      ...more,
    })
    const waiting = await until('the run to wait', async () => {
      const run = await call('authorization.run', { id: runId })
      return run.state === 'waiting' ? run : null
    })
    const state = new URL(waiting.authorizeUrl ?? '').searchParams.get('state') ?? ''
    await fetch(`${redirectUrl}&${new URLSearchParams({ code, state }).toString()}`)
    return over(runId)
  }
  const good = await authorize(canary.code)
  expect(good.failure).toBeNull()
  const tokenId = good.tokenId ?? 0
  for (const { name } of good.maskedValues) {
    const { value } = await call('authorization.reveal', { runId: good.id, name })
    expect(value.length).toBeGreaterThan(0)
  }
  expect((await call('authorization.reveal', { runId: good.id, name: 'code' })).value).toBe(
    canary.code,
  )
  await refused(call('authorization.reveal', { runId: good.id, name: 'nothing' }))
  const failing: [number, string, (body: string) => string][] = [
    [400, 'text/plain', echoes],
    [500, 'text/html', (body) => `<html>${body}</html>`],
    [200, 'text/html', (body) => `<html>${body}</html>`],
    [200, 'application/json', () => JSON.stringify({ access_token: canary.snakeToken })],
    [200, 'application/json', () => `{"tokenType":"Bearer","token":"${canary.truncatedToken}`],
  ]
  for (const [index, [status, type, body]] of failing.entries()) {
    service.answerNext(status, type, body)
    const run = await authorize(`${canary.refusedCode}${index}`)
    expect(run.failure).not.toBeNull()
  }
  service.answerNext(200, 'application/json', () =>
    JSON.stringify({
      tokenType: 'MAC',
      token: canary.keptToken,
      refreshToken: canary.keptRefreshToken,
      expires: hour,
    }),
  )
  const unusual = await authorize(`${canary.refusedCode}-kept`)
  expect(unusual).toMatchObject({ state: 'failed', tokenId: null })
  const cancelled = await call('authorization.start', { integrationId: id, agent: 'none' })
  await refused(
    call('authorization.paste', { runId: cancelled.id, address: `${canary.code} is no address` }),
  )
  await call('authorization.cancel', { runId: cancelled.id })
  await call('authorization.runs', { integrationId: id })

  expect(await call('tokens.reveal', { id: tokenId, which: 'access' })).toEqual({
    value: canary.token,
  })
  expect(await call('tokens.copy', { id: tokenId, which: 'access' })).toEqual({ copied: false })
  const refreshed = await call('tokens.refresh', { id: tokenId })
  expect(refreshed.failure).toBeNull()
  await call('tokens.label', { id: tokenId, label: 'Mara' })
  service.answerNext(401, 'text/plain', echoes)
  expect((await call('tokens.refresh', { id: tokenId })).failure).not.toBeNull()
  const replaced = await authorize(`${canary.code}-2`, { replaces: tokenId })
  expect(replaced.tokenId).toBe(tokenId)
  await call('tokens.list', {})

  const request = (change: Partial<ApiRequest>): ApiRequest => ({
    integrationId: id,
    tokenId,
    method: 'POST',
    path: '/echo',
    query: [],
    headers: [],
    body: '',
    ...change,
  })
  const typed = [{ name: 'Authorization', value: `Bearer ${canary.typed}`, on: true }]
  for (const input of [
    request({ body: JSON.stringify({ secret: canary.accessSecret, nested: canary.secondToken }) }),
    request({ path: '/gzip' }),
    request({ path: '/elsewhere' }),
    request({ path: '/401' }),
    request({ path: '/403' }),
    request({ headers: typed, tokenId: null }),
    request({ query: [{ name: 'q', value: canary.secondRefreshToken, on: true }] }),
  ]) {
    const exchange = await call('api.send', input)
    expect(exchange.error).toBeNull()
    await call('api.exchange', { id: exchange.id })
    await call('api.body', { id: exchange.id, offset: 0, length: 1_000_000 })
    for (const { name } of exchange.maskedValues)
      await call('api.reveal', { id: exchange.id, name })
  }
  await refused(call('api.send', request({ path: 'http://127.0.0.1:1/' })))
  const nobody = await call('api.send', {
    ...request({ path: 'http://127.0.0.1:1/' }),
    allowOtherOrigin: true,
    key: 'a key',
  })
  expect(nobody.error).not.toBeNull()
  await call('api.cancel', { key: 'a key' })
  await call('api.history', {})
  const saved = await call('api.save', {
    name: 'Saved',
    request: request({ headers: typed, body: canary.accessSecret }),
  })
  await call('api.saved', {})
  await call('api.curl', { request: request({ body: canary.secondToken }) })
  const withToken = await engine.call('api.curl', { request: request({}), withToken: true })
  expect(withToken.command).toContain(canary.secondToken)

  // The remaining calls, so that every call of the contract is made.
  const { endpoints } = await call('app.snapshot', {})
  const endpointId = endpoints[0]?.id ?? 0
  await call('endpoints.rotateSecret', { id: endpointId, secret: canary.webhookSecret })
  await call('endpoints.revealSecret', { id: endpointId, which: 'current' })
  await call('endpoints.activity', {})
  await call('endpoints.update', { id: endpointId, name: 'Canary' })
  const other = await call('endpoints.create', {
    integrationId: id,
    name: 'Other',
    slug: 'other',
    applicationId: '',
    customHeaders: [],
    secret: canary.otherSecret,
  })
  const forward = await call('forwards.add', {
    endpointId,
    url: new URL('/echo', service.baseUrl).href,
  })
  await refused(call('forwards.add', { endpointId, url: 'file:///etc/hosts' }))
  await call('sandbox.send', { endpointId, types: ['OPEN_TAB'] })
  await call('sandbox.startTraffic', { endpointId, rate: 50 })
  await call('sandbox.stop', {})
  await engine.catchUp()
  const { rows } = await call('deliveries.page', { upTo: null, offset: 0, limit: 10 })
  const delivery = rows[0]?.id ?? 0
  await until('the forward', async () => {
    const { forwardHealth } = await call('app.snapshot', {})
    return (forwardHealth[0]?.ok ?? 0) > 0
  })
  await call('forwards.update', { id: forward.id, retries: 1 })
  await call('forwards.drop', { id: forward.id })
  await call('forwards.remove', { id: forward.id })
  await call('deliveries.since', { after: 0, limit: 10 })
  await call('deliveries.stored', {})
  await call('deliveries.newer', { filter: 'verdict:valid', after: 0, limit: 10 })
  await call('deliveries.get', { id: delivery })
  await call('deliveries.body', { id: delivery, offset: 0, length: 1000 })
  await call('deliveries.signature', { id: delivery })
  await call('deliveries.headers', { id: delivery })
  await call('deliveries.diagnose', { id: delivery, candidate: canary.candidate })
  // Signed with each existing secret: the diagnosis finds it, and names its owner.
  for (const secret of [canary.accessSecret, canary.otherSecret, canary.candidate]) {
    const sent = await fetch(`http://127.0.0.1:${tab.port}${tab.path}`, {
      method: 'POST',
      headers: { 'X-Canary-Signature': sign(`{"by":${secret.length}}`, `${secret}\n`) },
      body: `{"by":${secret.length}}`,
    })
    expect(sent.status).toBe(200)
    await engine.catchUp()
    const newest = await call('deliveries.page', { upTo: null, offset: 0, limit: 1 })
    const input = { id: newest.rows[0]?.id ?? 0, candidate: canary.candidate }
    const diagnosis = await call('deliveries.diagnose', input)
    expect(diagnosis.causes.filter(({ outcome }) => outcome === 'matches')).not.toEqual([])
  }
  await fetch(`http://127.0.0.1:${tab.port}${tab.path}`, {
    method: 'POST',
    headers: { 'X-Service-Signature': sign('{}', `${canary.otherSecret}\n`) },
    body: '{}',
  })
  await engine.catchUp()
  const { rows: corrected } = await call('deliveries.page', { upTo: null, offset: 0, limit: 1 })
  const deliveryId = corrected[0]?.id ?? 0
  const { secret: view } = await call('endpoints.correctSecret', { id: endpointId, deliveryId })
  expect(view.whiteSpaceAtEnds).toBe(true)
  await call('endpoints.undoSecret', { id: endpointId })
  const long = { id: delivery, candidate: canary.candidate.repeat(50) }
  await refused(call('deliveries.diagnose', long))
  await refused(call('deliveries.diagnose', { id: 999_999, candidate: canary.candidate }))
  await call('deliveries.recheck', { filter: '' })
  await call('deliveries.trace', { id: delivery })
  await call('deliveries.related', { id: delivery })
  await call('deliveries.values', { ids: [delivery], paths: ['type'] })
  await call('deliveries.groups', { filter: '', by: 'problem' })
  await composeWithSecrets(call, { deliveryId: delivery, endpointId })
  await call('deliveries.annotate', { id: delivery, pinned: true })
  await call('deliveries.annotate', { id: delivery, note: 'mine', tags: ['mine'] })
  const url = new URL('/echo', service.baseUrl).href
  await readSentData(call, { deliveryId: delivery, endpointId, url })
  await holdWithSecrets(call, { endpointId, url })
  await call('deliveries.conformance', { since: null, before: null })
  await call('deliveries.fields', {})
  await call('deliveries.dismissNotices', {})
  const savedFilter = await call('filters.save', { name: 'Mine', filter: 'tag:mine' })
  await call('filters.saved', {})
  for (const field of suggestedFields) await call('filters.suggest', { field, prefix: '' })
  await call('filters.remove', { id: savedFilter.id })
  await call('targets.resolve', { url: 'http://localhost:1/hook' })
  const typedInto = `http://ada:${encodeURIComponent(canary.typed)}@localhost:1/`
  await refused(call('targets.resolve', { url: typedInto }))
  await tunnelWithSecrets(call, { listenerPort: tab.port, typed: canary.typed })
  await using stack = new AsyncDisposableStack()
  const relaySecrets = { seed: canary.relaySeed, ca: relayCa }
  const forgetRelay = await relaysWithSecrets(call, relaySecrets, stack)
  await rehearsalsWithSecrets(call, { secret: canary.webhookSecret, deliveryId: delivery })
  await logsWithSecrets(call, { deliveryId: delivery, dataDir: tab.dataDir })
  await call('deliveries.mark', { ids: [delivery], pinned: true, tag: 'several' })
  await call('deliveries.delete', { ids: [delivery] })
  await call('deliveries.clear', {})
  await call('settings.update', { theme: 'dark' })
  await assistantsWithSecrets(call, { endpointId, url })
  await call('app.about', {})
  await call('app.showLogs', {})
  await call('app.backUp', {})
  // Not available in Node.
  await refused(call('updates.check', {}))
  await refused(call('updates.download', {}))
  await call('listener.start', { port: 0 })
  await call('sandboxService.start', {})
  await call('sandboxService.configure', { tokenLifetime: 60 })
  await call('sandboxService.revokeTokens', {})
  await call('sandboxService.expireTokens', {})
  await call('sandboxService.stop', {})

  // The stored data before anything is deleted, including the WAL.
  const inFiles = (): string[] =>
    storedFiles(tab.dataDir).flatMap(({ name, bytes }) => findSecrets(`the file ${name}`, bytes))
  expect(inFiles()).toEqual([])

  await forgetRelay()
  await call('api.removeSaved', { id: saved.id })
  await call('api.clearHistory', {})
  await call('authorization.clearRuns', { integrationId: id })
  await call('tokens.forget', { id: tokenId })
  await call('tokens.remove', { id: tokenId })
  await call('endpoints.correctSecret', { id: endpointId, secret: canary.webhookSecret })
  await call('endpoints.undoSecret', { id: endpointId })
  await call('endpoints.clearSecret', { id: endpointId })
  await call('endpoints.remove', { id: other.id })
  await call('integrations.clearAccessSecret', { id })
  await call('integrations.remove', { id })
  expect([...called].sort()).toEqual(Object.keys(calls).sort())

  // The check is only meaningful if the service received the secrets and echoed them.
  const sent = service.seen.join('\n')
  for (const name of [
    'code',
    'refreshToken',
    'secondToken',
    'secondRefreshToken',
    'typed',
  ] as const) {
    expect(
      formsOf(canary[name]).some((form) => sent.includes(form)),
      name,
    ).toBe(true)
  }
  expect(sent).toContain(JSON.stringify(canary.accessSecret).slice(1, -1))

  await tab.close()
  expect(inFiles()).toEqual([])
  expect(findSecrets('the log', Buffer.from(tab.log.join('\n')))).toEqual([])
  expect(tab.log.join('\n')).not.toContain(relayCa)
  expect(outputs.filter(({ text }) => text.includes(relayCa)).map(({ where }) => where)).toEqual([])
  const leaks = outputs.flatMap(({ where, text }) => findSecrets(where, Buffer.from(text)))
  expect([...new Set(leaks)]).toEqual([])
})
