import { afterEach, expect, test } from 'vitest'
import type { ResponseRule } from '#contract/endpoint-rules.ts'
import type { HoldState } from '#contract/hold.ts'
import { sharedTestEngine } from '#test/support/engine.ts'
import { attemptsOf, deliver, forwardTo, notForwarded } from '#test/support/forwarding.ts'
import { rawTarget } from '#test/support/raw-target.ts'
import { post, sign } from '#test/support/requests.ts'
import { until } from '#test/support/until.ts'

const tab = sharedTestEngine()

const body = (n: number): string => `{"type":"OPEN_TAB","data":{"n":${n}}}`

async function save(name: string, source: string): Promise<string> {
  await tab().engine.call('scripts.save', { name, source, replace: true })
  return name
}

async function respondBy(script: string, onFailure: 'continue' | 'hold' = 'continue') {
  const rule = { type: null, delayMs: 0, when: { kind: 'always' }, enabled: true } as const
  const response = { kind: 'script', script, onFailure } as const
  const { endpointId } = tab()
  return tab().engine.call('responses.set', { endpointId, rules: [{ ...rule, response }] })
}

function held(): Promise<HoldState['held'][number]> {
  return until('one to be held', async () => {
    const state = await tab().engine.call('hold.state', {})
    return state.held[0]
  })
}

function statusOf(id: number) {
  return until('the recorded response', async () => {
    const { status, respondedBy } = await tab().engine.call('deliveries.get', { id })
    return status === null ? null : { status, respondedBy }
  })
}

afterEach(async () => {
  const { engine, endpointId } = tab()
  await engine.call('hold.stop', {})
  await engine.call('responses.set', { endpointId, rules: [] })
})

test('a forward target gets what its script returns, signed again; the state counts its deliveries', async () => {
  const script = await save(
    'Count',
    `export default (delivery: { body: any }, { state, log }: any) => {
       state.count = (state.count ?? 0) + 1
       log('number', state.count)
       if (state.count === 2) return { forward: false }
       return { headers: { 'X-Count': String(state.count) }, body: { ...delivery.body, count: state.count } }
     }`,
  )
  await using target = await rawTarget()
  await using _ = await forwardTo(tab(), target.origin, { script })
  await tab().receive(...[1, 2, 3].map((n) => post(tab().path, body(n))))
  const [first, second] = await tab().kept(3)
  await until('two forwards', () => target.received.length === 2)
  const sent = '{"type":"OPEN_TAB","data":{"n":1},"count":1}'
  expect(target.received.map((request) => request.body.toString())).toEqual([
    sent,
    '{"type":"OPEN_TAB","data":{"n":3},"count":3}',
  ])
  const lines = target.received[0]?.head ?? []
  expect(lines).toContain('X-Count: 1')
  expect(lines.join('\n').toLowerCase()).toContain(`x-service-signature: ${sign(sent)}`)
  const [attempt] = await attemptsOf(tab(), first?.id ?? 0, 1)
  expect(attempt).toMatchObject({ kind: 'forward', edited: true, signing: 'signed' })
  const { notes } = await tab().engine.call('attempts.get', { id: attempt?.id ?? 0 })
  expect(notes).toEqual(['The script “Count” changed it.', 'The script “Count” logged: “number 1”'])
  expect(await notForwarded(tab(), second?.id ?? 0)).toEqual([
    `Not forwarded to ${target.origin}: The script “Count” did not forward it.`,
  ])
  expect(first?.body.toString()).toBe(body(1))
})

test('a script that fails changes nothing, and the delivery gets a finding', async () => {
  const script = await save('Endless', 'export default () => {\n  for (;;);\n}')
  await using target = await rawTarget()
  await using _ = await forwardTo(tab(), target.origin, { script })
  await deliver(tab(), post(tab().path, body(1)))
  const { id } = await tab().one()
  const [attempt] = await attemptsOf(tab(), id, 1)
  expect(attempt).toMatchObject({ edited: false, status: 200, scriptFailed: true })
  expect(target.received[0]?.body.toString()).toBe(body(1))
  const found = await until('the finding', async () => {
    const { findings } = await tab().engine.call('deliveries.get', { id })
    return findings.find(({ code }) => code === 'script.failed')
  })
  expect(found).toMatchObject({ expected: 'Endless', actual: /50 ms/ })
  expect(await tab().engine.call('attempts.get', { id: attempt?.id ?? 0 })).toMatchObject({
    scriptFailed: true,
  })

  // The script shows it until it is saved again.
  await save('Fine', '() => {}')
  const failed = async () =>
    (await tab().engine.call('scripts.list', {})).map((each) => [each.name, each.failed])
  const one = { count: 1, deliveryId: id, reason: expect.stringContaining('50 ms') }
  const others = (await failed()).filter(([name]) => name === 'Endless' || name === 'Fine')
  expect(others).toEqual([
    ['Endless', one],
    ['Fine', undefined],
  ])
  await save('Endless', 'export default () => {\n  return null.a\n}')
  expect(Object.fromEntries(await failed())).toMatchObject({ Endless: undefined })
  await deliver(tab(), post(tab().path, body(2)))
  const again = await until(
    'it fails again',
    async () => Object.fromEntries(await failed()).Endless,
  )
  expect(again).toMatchObject({ count: 1, reason: expect.stringContaining('Line 2, column 14') })
})

test('a script that fails holds the delivery if its target says so; released, it is sent as captured', async () => {
  const script = await save('Throws', 'export default () => { throw new Error("no table") }')
  await using target = await rawTarget()
  await using _ = await forwardTo(tab(), target.origin, { script, onScriptFailure: 'hold' })
  await deliver(tab(), post(tab().path, body(1)))
  const { id } = await tab().one()
  expect(await held()).toMatchObject({ deliveryId: id, at: 'forward', reason: /no table/ })
  expect(target.received).toEqual([])
  await tab().engine.call('hold.release', {})
  expect(await attemptsOf(tab(), id, 1)).toMatchObject([{ edited: false, status: 200 }])
})

test('a held delivery shows what its script made of it, and is released as that', async () => {
  const script = await save('Mark', 'export default () => ({ headers: { "X-Mark": "1" } })')
  await using target = await rawTarget()
  await using _ = await forwardTo(tab(), target.origin, { script })
  await tab().engine.call('hold.add', { count: 1 })
  await deliver(tab(), post(tab().path, body(1)))
  const { deliveryId: id } = await held()
  const { headers } = await tab().engine.call('hold.edit', { id })
  expect(headers).toContainEqual({ name: 'X-Mark', value: '1', on: true, byHand: true })
  await tab().engine.call('hold.release', {})
  await attemptsOf(tab(), id, 1)
  expect(target.received[0]?.head).toContain('X-Mark: 1')
})

test('a response rule responds as its script says, and as usual if it returns nothing', async () => {
  await respondBy(
    await save(
      'By number',
      `({ body }) => body.data.n === 1
        ? { status: 422, headers: { 'X-By': 'script' }, body: { error: 'number 1' } }
        : body.data.n === 2 ? { drop: true } : undefined`,
    ),
  )
  const refused = await deliver(tab(), post(tab().path, body(1)))
  expect(refused).toMatchObject({ status: 422, body: '{"error":"number 1"}' })
  expect(refused.headers.get('x-by')).toBe('script')
  expect((await deliver(tab(), post(tab().path, body(3)))).status).toBe(200)
  const [first] = await tab().kept(2)
  expect(await statusOf(first?.id ?? 0)).toEqual({ status: 422, respondedBy: 'rule' })
  await expect(deliver(tab(), post(tab().path, body(2)))).rejects.toThrow(/connection ended/)
})

test('a response waits for the user if its script fails and the rule says so', async () => {
  const script = await save('Fails', 'export default () => 5')
  const [rule]: ResponseRule[] = await respondBy(script, 'hold')
  expect(rule?.response).toMatchObject({ kind: 'script', onFailure: 'hold' })
  const answering = deliver(tab(), post(tab().path, body(1)))
  expect(await held()).toMatchObject({ at: 'response', reason: /“Fails” failed/ })
  await tab().engine.call('hold.respond', { status: 500, body: 'held' })
  expect(await answering).toMatchObject({ status: 500, body: 'held' })
})

test('for a target whose response is returned, a script may respond itself', async () => {
  const script = await save('Instead', '({ body }) => body.data.n === 1 ? { status: 409 } : {}')
  await using target = await rawTarget()
  await using _ = await forwardTo(tab(), target.origin, { script, mode: 'return' })
  expect((await deliver(tab(), post(tab().path, body(1)))).status).toBe(409)
  expect((await deliver(tab(), post(tab().path, body(2)))).status).toBe(200)
  expect(target.received.map((request) => request.body.toString())).toEqual([body(2)])
})

test('a re-send and a job are changed by their script', async () => {
  const script = await save('Rename', '({ body }) => ({ body: { ...body, name: "re-sent" } })')
  await using target = await rawTarget()
  await deliver(tab(), post(tab().path, body(1)))
  const { id } = await tab().one()
  const { engine } = tab()
  const attempt = await engine.call('deliveries.resend', { id, url: target.origin, script })
  expect(attempt).toMatchObject({ edited: true, bodyEdited: true, signing: 'signed' })
  const sent = '{"type":"OPEN_TAB","data":{"n":1},"name":"re-sent"}'
  await engine.call('jobs.start', { ids: [id], url: target.origin, script })
  await until('both', () => target.received.length === 2)
  expect(target.received.map((request) => request.body.toString())).toEqual([sent, sent])
})

test('an attempt says what its script lost, or did not return', async () => {
  await using target = await rawTarget()
  const { engine } = tab()
  const forwarded = await save('Text', '({ body }) => ({ body: JSON.stringify(body) })')
  await using _ = await forwardTo(tab(), target.origin, { script: forwarded })
  await deliver(tab(), post(tab().path, '{"type":"OPEN_TAB","data":{"total":42.50}}'))
  const { id } = await tab().one()
  const script = await save('Changes', '({ body }) => { body.data.total = 1 }')
  const sent = await engine.call('deliveries.resend', { id, url: target.origin, script })
  const notesOf = async (attempt: { id: number } | undefined) =>
    (await engine.call('attempts.get', { id: attempt?.id ?? 0 })).notes
  expect(await notesOf(sent)).toEqual([expect.stringContaining('changed delivery.body, but only')])
  const attempts = await attemptsOf(tab(), id, 2)
  const lost = expect.stringContaining('written again: “42.50” became “42.5”')
  const first = attempts.find(({ kind }) => kind === 'forward')
  expect(await notesOf(first)).toEqual([lost, 'The script “Text” changed it.'])
})
