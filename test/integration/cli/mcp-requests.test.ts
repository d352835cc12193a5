import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { AssistantCall } from '#contract/assistants.ts'
import { sharedTabscope } from '#test/support/engine-on-folder.ts'
import { full } from '#test/support/full.ts'
import { openSession, type Session } from '#hosts/node/session/session.ts'
import {
  startCountingHandler,
  type CountingHandler,
} from '#test/support/rehearsal/counting-handler.ts'
import { hasTerminal, jsonLines, runCli, startInTerminal } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'
import { mcpClient } from '#test/support/mcp-client.ts'

const secret = 'a secret of the endpoint'

const { folder: dataDir, tab } = sharedTabscope({ secret })
let session: Session
let handler: CountingHandler

beforeAll(async () => {
  session = await openSession(dataDir)
  handler = await startCountingHandler(secret)
  const added = await runCli(['mcp', 'target', 'add', 'handler', handler.url, '--data', dataDir])
  expect(added).toMatchObject({ code: 0, stderr: '' })
})

afterAll(async () => {
  await handler[Symbol.asyncDispose]()
  await session[Symbol.asyncDispose]()
})

const Answer = z.looseObject({
  content: z.array(z.looseObject({ text: z.string().default('') })),
  structuredContent: z.record(z.string(), z.unknown()).default({}),
  isError: z.boolean().default(false),
})

interface Assistant extends AsyncDisposable {
  call(
    name: string,
    args: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<z.infer<typeof Answer>>
}

async function assistant(...options: string[]): Promise<Assistant> {
  const client = await mcpClient(dataDir, options)
  return {
    call: async (name, given, signal) =>
      Answer.parse(await client.callTool({ name, arguments: given }, signal ? { signal } : {})),
    [Symbol.asyncDispose]: () => client.close(),
  }
}

function user(
  decide: (call: AssistantCall) => boolean | 'later',
): Disposable & { asked: AssistantCall[] } {
  const asked: AssistantCall[] = []
  const answer = async (call: AssistantCall): Promise<void> => {
    await session.call('assistants.shown', { id: call.id })
    const allowed = decide(call)
    if (allowed !== 'later') await session.call('assistants.decide', { id: call.id, allowed })
  }
  const unlisten = session.on('assistants.called', (call) => {
    if (call.outcome !== 'waiting') return
    asked.push(call)
    void answer(call)
  })
  return { asked, [Symbol.dispose]: unlisten }
}

async function failed(call: AssistantCall | undefined): Promise<void> {
  await until('the end of the request', async () => {
    const calls = await session.call('assistants.list', {})
    return calls.find(({ id }) => id === call?.id)?.outcome === 'failed'
  })
}

const order = { target: 'handler', type: 'ORDER_PLACED', fields: { data: { total: 12.5 } } }

describe('an assistant that may ask', () => {
  let helper: Assistant
  beforeAll(async () => {
    helper = await assistant('--allow-send')
  })
  afterAll(() => helper[Symbol.asyncDispose]())

  test('is refused if nobody is there to confirm', async () => {
    const answer = await helper.call('send', order)
    expect(answer).toMatchObject({ isError: true })
    expect(answer.content[0]?.text).toMatch(/^confirmation_required: Nobody can confirm/)
    expect(handler.received).toBe(0)
  })

  test('sends what the user has seen, signed, and nothing that the user declines', async () => {
    using person = user(({ request }) => request?.title === 'Send ORDER_PLACED')
    const declined = await helper.call('send', { ...order, type: 'OPEN_TAB' })
    expect(declined.content[0]?.text).toMatch(/^declined: /)
    expect(handler.received).toBe(0)
    const sent = await helper.call('send', order)
    expect(sent).toMatchObject({ isError: false, structuredContent: { status: 204, error: null } })
    expect(handler.received).toBe(1)
    expect(person.asked).toMatchObject([
      { request: { title: 'Send OPEN_TAB' } },
      { client: 'Helper', request: { target: { url: handler.url } } },
    ])
    const shown: unknown = JSON.parse(person.asked[1]?.request?.details ?? '')
    expect(shown).toMatchObject({ type: 'ORDER_PLACED', data: { total: 12.5 } })
    const [draft] = await session.call('compose.list', {})
    const { content } = await session.call('compose.get', { id: draft?.id ?? 0 })
    const { bytes } = z.object({ bytes: z.instanceof(Uint8Array) }).parse(content.body)
    expect(JSON.parse(Buffer.from(bytes).toString())).toEqual(shown)
    const { rows } = await session.call('attempts.list', { draftId: draft?.id })
    expect(rows).toMatchObject([{ status: 204, signing: 'signed', url: handler.url }])
  })

  test('knows targets by name only', async () => {
    for (const target of ['other', handler.url, 'constructor']) {
      const answer = await helper.call('send', { ...order, target })
      expect(answer.content[0]?.text).toMatch(/^not_found: .*Available: handler\./)
    }
    const type = await helper.call('send', { ...order, type: 'ORDER' })
    expect(type.content[0]?.text).toMatch(/^bad_input: .*ORDER_PLACED/)
    // The user could not see all of it.
    const long = await helper.call('send', { ...order, fields: { note: 'x'.repeat(4000) } })
    expect(long.content[0]?.text).toMatch(/^bad_input: .*at most 4000/)
  })

  test('gets nothing once the access ends, or it does not wait any longer', async () => {
    const before = handler.received
    using person = user(() => 'later')
    const waiting = helper.call('send', order)
    await until('the request', () => person.asked.length === 1)
    await session.call('settings.update', { assistantAccess: false })
    expect((await waiting).content[0]?.text).toMatch(/^access_off: /)
    await session.call('settings.update', { assistantAccess: true })
    const controller = new AbortController()
    const abandoned = helper.call('send', order, controller.signal)
    await until('the request', () => person.asked.length === 2)
    controller.abort()
    await expect(abandoned).rejects.toThrow()
    await failed(person.asked[1])
    const other = await assistant('--allow-send')
    const lost = other.call('send', order).catch(() => 'lost')
    await until('the request', () => person.asked.length === 3)
    await other[Symbol.asyncDispose]()
    expect(await lost).toBe('lost')
    await failed(person.asked[2])
    for (const { id } of person.asked)
      await session.call('assistants.decide', { id, allowed: true })
    expect(handler.received).toBe(before)
  })

  const rehearse = async () => {
    const started = await helper.call('rehearse', { target: 'handler', only: ['S4', 'G1'] })
    expect(started).toMatchObject({ structuredContent: { state: 'running', total: 2 } })
    const { id } = z.object({ id: z.number() }).parse(started.structuredContent)
    return until('the result', async () => {
      const run = await helper.call('get_rehearsal', { id })
      return run.structuredContent['state'] === 'done' && run
    })
  }

  test('finds a faulty handler, and the corrected one passes', async () => {
    using person = user(() => true)
    handler.acceptsEmptyKey = true
    const faulty = await rehearse()
    expect(faulty.structuredContent).toMatchObject({
      cases: [{ id: 'S4', result: 'fail' }],
      nextCursor: null,
      captured: expect.stringMatching(/^captured-.*\n\{"case":"S4",.*an empty key.*\nend-/),
    })
    expect(faulty.content[0]?.text).toContain(
      '1 case fails because the secret or the signature header is not required: S4.',
    )
    expect(JSON.stringify(faulty)).not.toContain(secret)
    const fix = await helper.call('explain', { name: 'S4', framework: 'express' })
    expect(fix.structuredContent['fix']).toContain('WEBHOOK_SECRET')
    handler.acceptsEmptyKey = false
    expect((await rehearse()).structuredContent).toMatchObject({ passed: 2, cases: [] })
    expect(person.asked).toMatchObject([
      { request: { title: 'Rehearse the handler', details: 'S4, G1' } },
      {},
    ])
  })

  test('asks one request after the other, and 20 in a session', async () => {
    using person = user(() => false)
    const waiting = new Set<number>()
    let most = 0
    const unlisten = session.on('assistants.called', ({ id, outcome }) => {
      if (outcome === 'waiting') waiting.add(id)
      else waiting.delete(id)
      most = Math.max(most, waiting.size)
    })
    await using other = await assistant('--allow-send')
    const answers = await Promise.all(Array.from({ length: 30 }, () => other.call('send', order)))
    unlisten()
    expect(person.asked).toHaveLength(20)
    expect(most).toBe(1)
    const texts = answers.map(({ content }) => content[0]?.text ?? '')
    expect(texts.filter((text) => text.includes('The user declined'))).toHaveLength(20)
    expect(texts.filter((text) => text.includes('Only 20 requests'))).toHaveLength(10)
  })

  test('drops a request that its client withdraws while it waits for another, without counting it', async () => {
    using person = user(() => 'later')
    await using other = await assistant('--allow-send')
    const first = other.call('send', order)
    const shown = await until('the first request', () => person.asked[0])
    const controller = new AbortController()
    const second = other.call('send', order, controller.signal)
    const queued = await until('the second request', async () => {
      const calls = await session.call('assistants.list', {})
      return calls.find(({ outcome }) => outcome === 'running')
    })
    controller.abort()
    await expect(second).rejects.toThrow()
    await failed(queued)
    await session.call('assistants.decide', { id: shown.id, allowed: true })
    expect((await first).content[0]?.text).toContain('19 requests are left')
    expect(person.asked).toHaveLength(1)
  })
})

const run = (...args: string[]) => runCli(['mcp', 'target', ...args, '--data', dataDir])

test('targets are added, listed and removed on the command line', async () => {
  expect(await run('add', 'handler', handler.url)).toMatchObject({ code: 2 })
  expect(await run('add', 'Not a name', handler.url)).toMatchObject({ code: 2 })
  expect(await run('add', 'far', 'https://203.0.113.7/')).toMatchObject({ code: 4 })
  const second = ['second', handler.url, '--endpoint']
  expect(await run('add', ...second, 'nothing')).toMatchObject({ code: 3 })
  expect(await run('add', ...second, path.basename(tab().path))).toMatchObject({ code: 0 })
  const targets = [
    { event: 'assistant_target', name: 'handler', url: handler.url, endpointId: 1 },
    { event: 'assistant_target', name: 'second' },
  ]
  expect(jsonLines((await run('list', '--json')).stdout)).toMatchObject(targets)
  expect(await run('remove', 'second')).toMatchObject({ code: 0 })
  expect(await run('remove', 'second')).toMatchObject({ code: 3 })
  expect(jsonLines((await run('list', '--json')).stdout)).toHaveLength(1)
})

test.runIf(full && hasTerminal())('listen asks in its terminal', async () => {
  await using handled = await startCountingHandler(secret)
  await using own = ownedFolder()
  const data = path.join(own.path, 'data')
  const command = ['listen', '--port', '0', '--secret', 'x', '--data', data]
  await using listening = startInTerminal(...command)
  await until('the listener', () => listening.shown().includes('Press Ctrl+C'))
  await runCli(['mcp', 'target', 'add', 'handler', handled.url, '--data', data])
  const client = await mcpClient(data, ['--allow-send'], 'Helper \u001B[2J')
  for (const [key, outcome] of [
    ['n', /^declined/],
    ['y', /^Sent: status 401/],
  ] as const) {
    const before = listening.shown().length
    const sending = client.callTool({ name: 'send', arguments: order })
    await until('the question', () => listening.shown().slice(before).includes('[y/N]'))
    listening.child.stdin?.write(`${key}\r`)
    expect(Answer.parse(await sending).content[0]?.text).toMatch(outcome)
  }
  expect(listening.shown()).toContain(handled.url)
  expect(listening.shown()).not.toContain('\u001B[2J')
  expect(handled.received).toBe(1)
  await client.close()
  listening.child.stdin?.write('\u0003')
  expect((await listening.ended).code).toBe(0)
})
