import { describe, expect, test } from 'vitest'
import { eventTypes } from '#catalogue/catalogue.ts'
import type { CallInput } from '#contract/calls.ts'
import type { DraftContent } from '#contract/compose.ts'
import { sharedTestEngine } from '#test/support/engine.ts'
import { captured } from '#test/support/forwarding.ts'
import { rawTarget } from '#test/support/raw-target.ts'
import { goodBody, head, post } from '#test/support/requests.ts'

const engine = sharedTestEngine()

function start(from: CallInput<'compose.start'>['from']): Promise<DraftContent> {
  return engine().engine.call('compose.start', { from })
}

describe('a new draft', () => {
  test.each(eventTypes.map(({ type }) => type))(
    'from a sample of %s is what the service would send, and arrives as that',
    async (type) => {
      const tab = engine()
      const content = await start({ kind: 'sample', type })
      expect(content).toMatchObject({
        method: 'POST',
        sign: { how: 'auto' },
        endpointId: tab.endpointId,
      })
      const preview = await tab.engine.call('compose.preview', { content })
      expect(preview).toMatchObject({
        problems: [],
        signature: { verdict: 'valid', secretName: 'current of Samples' },
      })
      const findingCodes = preview.findings.map(({ code }) => code)
      expect(findingCodes).toEqual([])
      const { id } = await tab.engine.call('compose.save', { content })
      const attempt = await tab.engine.call('compose.send', { id, content })
      expect(attempt).toMatchObject({
        status: 200,
        kind: 'compose',
        draftId: id,
        deliveryId: null,
        edited: true,
      })
      const received = await tab.one()
      expect(received).toMatchObject({ verdict: 'valid', type, sentBy: 'send' })
      expect(received.findings.map(({ code }) => code)).toEqual(findingCodes)
      expect(received.headers).toEqual(preview.headers.map(({ name, value }) => [name, value]))
      expect(content.body).toMatchObject({ kind: 'bytes' })
      expect(received.body.toString()).toMatch(/^\{\n {2}"type"/)
    },
  )

  test('from an attempt equals the attempt, and is sent the same way', async () => {
    const { engine: host } = engine()
    const id = await captured(engine())
    await using target = await rawTarget()
    const sent = await host.call('deliveries.resend', {
      id,
      url: `${target.origin}/in`,
      edits: {
        headers: [
          ['X-New', '1'],
          ['Host', 'by.hand'],
        ],
        body: Buffer.from('{"type":"CLOSE_TAB"}'),
      },
    })
    const content = await start({ kind: 'attempt', id: sent.id })
    expect(content).toMatchObject({
      origin: { kind: 'delivery', deliveryId: id },
      url: `${target.origin}/in`,
    })
    const again = await host.call('compose.send', { content })
    expect(again).toMatchObject({
      deliveryId: id,
      comparison: 'same',
      secretName: 'current of Samples',
    })
    const [first, second] = target.received
    expect(second?.bytes.toString('latin1')).toBe(first?.bytes.toString('latin1'))
    await expect(start({ kind: 'attempt', id: 999_999 })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

test('the original of no body is empty, and of one over 6 MiB null', async () => {
  const { engine: host, path } = engine()
  const bare = await captured(
    engine(),
    head(`POST ${path} HTTP/1.1`, ['Host: a', 'Content-Length: 0']),
  )
  expect((await host.call('compose.original', { deliveryId: bare })).body).toHaveLength(0)
  const large = await captured(engine(), post(path, Buffer.alloc(6 * 1024 * 1024 + 1, ' ')))
  expect((await host.call('compose.original', { deliveryId: large })).body).toBeNull()
  await expect(host.call('compose.original', { deliveryId: 999_999 })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('a draft whose delivery was deleted is refused if it needs the body, and otherwise sent under its draft', async () => {
  const { engine: host } = engine()
  const content = await start({ kind: 'delivery', id: await captured(engine()) })
  await using target = await rawTarget()
  await host.call('deliveries.clear', {})
  await expect(host.call('compose.send', { content })).rejects.toMatchObject({ code: 'not_found' })
  const { problems } = await host.call('compose.preview', { content })
  expect(problems.map(({ code }) => code)).toContain('body.gone')
  const own: DraftContent = {
    ...content,
    url: target.origin,
    body: { kind: 'bytes', bytes: goodBody },
  }
  await expect(host.call('compose.send', { content: own })).rejects.toMatchObject({
    code: 'bad_input',
    message: expect.stringContaining('Save the draft first'),
  })
  const { id } = await host.call('compose.save', { content: own })
  expect(await host.call('compose.send', { id, content: own })).toMatchObject({
    status: 200,
    kind: 'compose',
    deliveryId: null,
    draftId: id,
  })
  await expect(host.call('compose.send', { id: 999_999, content: own })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('placeholders are filled in at each send, and a rejected request uses no number', async () => {
  const { engine: host } = engine()
  await using target = await rawTarget()
  const content: DraftContent = {
    ...(await start({ kind: 'empty' })),
    url: `${target.origin}/{{counter}}`,
    body: { kind: 'bytes', bytes: Buffer.from('"{{uuid}}"') },
    placeholders: true,
  }
  const { id } = await host.call('compose.save', { content })
  await host.call('compose.preview', { id, content })
  const refused = { ...content, method: 'PO ST' }
  await expect(host.call('compose.send', { id, content: refused })).rejects.toThrow(/method/)
  for (let time = 0; time < 2; time += 1) await host.call('compose.send', { id, content })
  expect(target.received.map((request) => request.head[0])).toEqual([
    'POST /1 HTTP/1.1',
    'POST /2 HTTP/1.1',
  ])
  expect(new Set(target.received.map(({ body }) => body.toString())).size).toBe(2)
  expect((await host.call('compose.get', { id })).counter).toBe(3)
})
