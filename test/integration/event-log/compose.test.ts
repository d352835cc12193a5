import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { draftBodyLimit } from '#contract/constants.ts'
import { sharedTestEngine } from '#test/support/engine.ts'
import { importBytes, logBytes, logDelivery, logHead } from '#test/support/event-log.ts'

const tab = sharedTestEngine({ background: false })

async function imported(name: string, ...lines: ReturnType<typeof logDelivery>[]): Promise<number> {
  const { logId } = await importBytes(
    tab().engine,
    logBytes([logHead(lines.length), ...lines]),
    `${name}.ndjson`,
  )
  if (logId === null) throw new Error('It was not imported.')
  return logId
}

const text = '{"type":"OPEN_TAB","targetUuid":"tab-of-theirs","data":{"n":1}}'
const signature = createHmac('sha256', 'theirs').update(text).digest('hex')
const headers: [string, string][] = [
  ['Host', 'hooks.example.test'],
  ['X-Own', 'first'],
  ['x-own', 'second'],
  ['X-Service-Signature', signature],
]

test('a draft from a log has its own copy of the body, is signed with our secret, and outlives the log', async () => {
  const { engine } = tab()
  const log = await imported('drafts', logDelivery(5, text, { headers, path: '/theirs?a=1' }))
  const content = await engine.call('compose.start', { from: { kind: 'delivery', id: 5, log } })
  expect(content).toMatchObject({
    origin: { kind: 'log', log: 'drafts.ndjson', logId: log, deliveryId: 5 },
    method: 'POST',
    sign: { how: 'auto' },
  })
  expect(new URL(content.url).search).toBe('?a=1')
  expect(content.headers.map(({ name, value }) => [name, value])).toEqual(headers)
  expect(content.body).toEqual({ kind: 'bytes', bytes: new Uint8Array(Buffer.from(text)) })

  const kept = await engine.call('compose.preview', {
    content: { ...content, sign: { how: 'keep' } },
  })
  expect(kept.signature.value).toBe(signature)
  const original = await engine.call('compose.original', { deliveryId: 5, log })
  expect(original.headers).toEqual(headers)
  expect(Buffer.from(original.body ?? []).toString()).toBe(text)

  const { id } = await engine.call('compose.save', { content })
  await engine.call('logs.remove', { id: log })
  const { content: later } = await engine.call('compose.get', { id })
  expect(Buffer.from(later.body.kind === 'bytes' ? later.body.bytes : []).toString()).toBe(text)
  const attempt = await engine.call('compose.send', { id, content: later })
  expect(attempt).toMatchObject({ deliveryId: null, draftId: id, kind: 'compose' })
  await expect(engine.call('compose.original', { deliveryId: 5, log })).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(
    engine.call('compose.start', { from: { kind: 'delivery', id: 5, log } }),
  ).rejects.toMatchObject({ code: 'not_found' })
})

test('a body that is too large for a draft is refused with a message', async () => {
  const log = await imported(
    'large',
    logDelivery(1, `"${'x'.repeat(draftBodyLimit - 2)}"`),
    logDelivery(2, `"${'x'.repeat(draftBodyLimit - 1)}"`),
  )
  const { engine } = tab()
  const start = (id: number) =>
    engine.call('compose.start', { from: { kind: 'delivery', id, log } })
  expect((await start(1)).body.kind).toBe('bytes')
  await expect(start(2)).rejects.toMatchObject({
    code: 'bad_input',
    message: expect.stringContaining('6 MiB'),
  })
})

test('the signature report of a log has the captured verdict, and states whether the body is unchanged', async () => {
  const { engine } = tab()
  const log = await imported(
    'signatures',
    logDelivery(1, text, { headers, verdict: 'valid' }),
    logDelivery(2, text, {
      headers,
      verdict: 'invalid',
      body: { text: '{"redacted":true}' },
      bodyRedacted: true,
    }),
    logDelivery(3, text, { headers, body: { omitted: 'It was too large.' } }),
  )
  const report = (id: number) => engine.call('deliveries.signature', { id, log })
  expect(await report(1)).toEqual({
    verdict: 'valid',
    headerName: 'X-Service-Signature',
    received: [signature],
    computed: [],
    bytes: Buffer.byteLength(text),
    steps: [],
    changedSince: false,
    ofLog: { bodyRedacted: false, omitted: null },
  })
  expect(await report(2)).toMatchObject({
    verdict: 'invalid',
    bytes: Buffer.byteLength(text),
    ofLog: { bodyRedacted: true, omitted: null },
  })
  expect((await report(3)).ofLog).toEqual({ bodyRedacted: false, omitted: 'It was too large.' })
})
