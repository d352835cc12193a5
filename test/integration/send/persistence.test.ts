import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PushName, PushPayload } from '#contract/pushes.ts'
import { openTestEngine, type TestEngine } from '#test/support/engine.ts'
import { loopbackService, type LoopbackService } from '#test/support/loopback-service.ts'
import { ownedFolder, type OwnedFolder } from '#test/support/temp-folder.ts'

/** A public address without a host (RFC 5737). Nothing is ever sent there. */
const elsewhere = 'http://192.0.2.1:8080/in'

let folder: OwnedFolder
let tab: TestEngine
let service: LoopbackService

const refusal = (code: string, ...fields: string[]) =>
  expect.objectContaining({ code, ...(fields.length > 0 ? { details: { fields } } : {}) })

async function pushed<N extends PushName>(
  name: N,
  work: () => Promise<unknown>,
): Promise<PushPayload<N>[]> {
  const all: PushPayload<N>[] = []
  const off = tab.engine.on(name, (payload) => void all.push(payload))
  await work()
  off()
  return all
}

beforeAll(async () => {
  folder = ownedFolder()
  service = await loopbackService((_, response) => void response.end('theirs'))
  tab = await openTestEngine({ dataDir: folder.path })
  await tab.engine.call('sandbox.send', {
    endpointId: tab.endpointId,
    types: ['OPEN_TAB', 'CLOSE_TAB', 'ORDER_PLACED'],
  })
  await tab.kept(3)
})
afterAll(async () => {
  await tab.close()
  await service[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

describe('forward targets', () => {
  it('are added with defaults, changed and removed, and every change is pushed', async () => {
    const { engine, endpointId } = tab
    const lists = await pushed('forwards.changed', async () => {
      const added = await engine.call('forwards.add', { endpointId, url: service.baseUrl })
      expect(added).toMatchObject({ mode: 'after', retries: 0, timeoutMs: 10_000, enabled: true })
      const off = await engine.call('forwards.update', {
        id: added.id,
        enabled: false,
        types: ['A'],
      })
      expect(off).toEqual({ ...added, enabled: false, types: ['A'] })
      await engine.call('forwards.remove', { id: added.id })
      await expect(engine.call('forwards.remove', { id: added.id })).rejects.toEqual(
        refusal('not_found'),
      )
      await expect(engine.call('forwards.update', { id: added.id })).rejects.toEqual(
        refusal('not_found'),
      )
    })
    expect(lists.map((list) => list.map(({ enabled }) => enabled))).toEqual([[true], [false], []])
  })

  it('refuse an invalid URL, and require one confirmation for a public one', async () => {
    const { engine, endpointId } = tab
    const add = (url: string) => engine.call('forwards.add', { endpointId, url, enabled: false })
    for (const url of ['file:///etc/passwd', 'http://a:b@127.0.0.1/', 'nonsense'])
      await expect(add(url)).rejects.toEqual(refusal('bad_target'))
    await expect(add(elsewhere)).rejects.toEqual(
      expect.objectContaining({
        code: 'target_unconfirmed',
        details: { origin: 'http://192.0.2.1:8080' },
      }),
    )
    const near = await add(service.baseUrl)
    await expect(engine.call('forwards.update', { id: near.id, url: elsewhere })).rejects.toEqual(
      refusal('target_unconfirmed'),
    )
    await expect(
      engine.call('forwards.add', { endpointId: 99, url: service.baseUrl }),
    ).rejects.toEqual(refusal('not_found'))
    await engine.call('targets.set', { url: elsewhere, confirmed: true })
    const far = await add(elsewhere)
    await engine.call('targets.set', { url: elsewhere, confirmed: false })
    for (const { id } of [near, far]) await engine.call('forwards.remove', { id })
  })

  it('are unique where their response is passed through', async () => {
    const { engine, endpointId } = tab
    const add = (path: string, enabled: boolean) =>
      engine.call('forwards.add', {
        endpointId,
        url: service.baseUrl + path,
        mode: 'return',
        enabled,
      })
    const first = await add('/first', true)
    await expect(add('/second', true)).rejects.toEqual(refusal('bad_input', 'mode'))
    const second = await add('/second', false)
    await expect(engine.call('forwards.update', { id: second.id, enabled: true })).rejects.toEqual(
      refusal('bad_input', 'mode'),
    )
    // Also for two simultaneous calls.
    const other = (path: string) =>
      ({ endpointId, url: service.baseUrl + path, mode: 'return' }) as const
    await engine.call('forwards.update', { id: first.id, enabled: false })
    const both = await Promise.allSettled(
      [other('/third'), other('/fourth')].map((input) => engine.call('forwards.add', input)),
    )
    expect(both.map((one) => one.status)).toEqual(['fulfilled', 'rejected'])
    for (const one of both) {
      if (one.status === 'fulfilled') await engine.call('forwards.remove', { id: one.value.id })
    }
    await engine.call('forwards.update', { id: first.id, enabled: true })
    // The target whose response is returned can be changed.
    await engine.call('forwards.update', { id: first.id, timeoutMs: 1000 })
    await engine.call('forwards.update', { id: first.id, mode: 'after' })
    await engine.call('forwards.update', { id: second.id, enabled: true })
    for (const { id } of [first, second]) await engine.call('forwards.remove', { id })
  })

  it('are limited to twenty per endpoint', async () => {
    const { engine, endpointId } = tab
    const add = (n: number) =>
      engine.call('forwards.add', {
        endpointId,
        url: `${service.baseUrl}/${n}`,
        enabled: false,
        temporary: true,
      })
    const ids: number[] = []
    for (let n = 0; n < 20; n += 1) ids.push((await add(n)).id)
    await expect(add(20)).rejects.toEqual(refusal('bad_input', 'endpointId'))
    for (const id of ids) await engine.call('forwards.remove', { id })
  })
})

it('targets are listed with their attempts, until deleted', async () => {
  const { engine } = tab
  expect(await engine.call('targets.resolve', { url: elsewhere })).toMatchObject({
    location: 'public',
    confirmed: false,
  })
  const confirmed = {
    origin: 'http://192.0.2.1:8080',
    location: 'public',
    confirmed: true,
  } as const
  expect(await engine.call('targets.set', { url: elsewhere, confirmed: true })).toEqual({
    ...confirmed,
    verifyTls: true,
  })
  expect(await engine.call('targets.set', { url: elsewhere, verifyTls: false })).toEqual({
    ...confirmed,
    verifyTls: false,
  })
  expect(await engine.call('targets.resolve', { url: `${elsewhere}/other` })).toEqual({
    ...confirmed,
    verifyTls: false,
  })
  expect(await engine.call('targets.list', {})).toEqual([{ ...confirmed, verifyTls: false }])
  await engine.call('targets.set', { url: elsewhere, confirmed: false, verifyTls: true })
  expect(await engine.call('targets.list', {})).toEqual([])
  await expect(engine.call('targets.set', { url: 'data:,x' })).rejects.toEqual(
    refusal('bad_target'),
  )
  // Local targets require no confirmation, and are not stored.
  const near = await engine.call('targets.set', { url: service.baseUrl, confirmed: false })
  expect(near).toMatchObject({ location: 'loopback', confirmed: true })
  expect(await engine.call('targets.list', {})).toEqual([])
})

describe('response rules', () => {
  const rule = {
    type: null,
    response: { kind: 'status', status: 418, headers: [], body: '' },
    delayMs: 0,
    when: { kind: 'always' },
    enabled: true,
  } as const

  it('and forward targets are removed with their endpoint, and this is pushed', async () => {
    const { engine } = tab
    const { endpoints } = await engine.call('app.snapshot', {})
    const { id: endpointId } = await engine.call('endpoints.create', {
      integrationId: endpoints[0]?.integrationId ?? 0,
      name: 'Gone',
      slug: 'gone',
      applicationId: '',
      customHeaders: [],
    })
    const response = { ...rule.response, headers: [] }
    await engine.call('responses.set', { endpointId, rules: [{ ...rule, response }] })
    await engine.call('forwards.add', { endpointId, url: service.baseUrl })
    await engine.call('forwards.add', { endpointId, url: service.baseUrl, temporary: true })
    const forwards = await pushed('forwards.changed', async () => {
      const rules = await pushed('responses.changed', () =>
        engine.call('endpoints.remove', { id: endpointId }),
      )
      expect(rules).toEqual([[]])
    })
    expect(forwards).toEqual([[]])
  })
})

it('a restart keeps everything except what belongs to a single run', async () => {
  const { engine, endpointId } = tab
  const rule = {
    type: 'OPEN_TAB',
    response: { kind: 'drop' },
    delayMs: 5,
    when: { kind: 'first', count: 3 },
    enabled: true,
  } as const
  await engine.call('responses.set', { endpointId, rules: [rule] })
  const off = { endpointId, url: service.baseUrl, enabled: false }
  const forward = await engine.call('forwards.add', off)
  await engine.call('forwards.add', { ...off, temporary: true })
  await engine.call('targets.set', { url: elsewhere, confirmed: true })
  const content = await engine.call('compose.start', { from: { kind: 'empty' } })
  await engine.call('compose.save', { content })
  await engine.call('deliveries.resend', { id: 1, url: service.baseUrl })
  const before = await engine.call('app.snapshot', {})
  const drafts = await engine.call('compose.list', {})
  const attempts = await engine.call('attempts.list', { deliveryId: 1 })
  expect([before.forwards.length, drafts.length, attempts.total]).toEqual([2, 1, 1])
  await tab.close()
  tab = await openTestEngine({ dataDir: folder.path, secret: null })
  const after = await tab.engine.call('app.snapshot', {})
  expect(after.forwards).toEqual([forward])
  expect(after.responses).toEqual(before.responses)
  expect(after.responses).toMatchObject([rule])
  expect(await tab.engine.call('compose.list', {})).toEqual(drafts)
  expect(await tab.engine.call('attempts.list', { deliveryId: 1 })).toEqual(attempts)
  expect((await tab.engine.call('targets.resolve', { url: elsewhere })).confirmed).toBe(true)
})
