import { expect, test } from 'vitest'
import { sharedTestEngine } from '#test/support/engine.ts'
import { ask, rawClient } from '#test/support/raw-client.ts'
import { goodBody, head, post, sha256 } from '#test/support/requests.ts'

const shared = sharedTestEngine()

const cases: readonly {
  name: string
  body: string | Uint8Array
  findings: readonly string[]
  title: string
  type?: string
}[] = [
  {
    name: 'data nested 100,000 deep',
    body: `{"type":"OPEN_TAB","data":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`,
    findings: [
      'header.type_missing',
      'payload.field_missing',
      'target.uuid_missing',
      'data.field_extra',
    ],
    title: 'Tab opened',
    type: 'OPEN_TAB',
  },
  {
    name: 'invalid UTF-8',
    body: Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]),
    findings: ['body.not_utf8'],
    title: 'Body is not UTF-8',
  },
  {
    name: 'a byte order mark before JSON',
    body: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), goodBody]),
    findings: ['body.byte_order_mark'],
    title: 'T4 · Tab Ada opened',
    type: 'OPEN_TAB',
  },
]

test.for(cases)('$name is stored unchanged and checked', async ({ body, ...expected }) => {
  const tab = shared()
  await using client = await rawClient(tab.port)
  await client.send(post(tab.path, body))
  expect(await client.answer()).toMatchObject({ status: 200, body: '' })

  const kept = await tab.one()
  expect(kept.body.equals(Buffer.from(body))).toBe(true)
  expect(kept).toMatchObject({
    method: 'POST',
    path: tab.path,
    arrival: 'complete',
    status: 200,
    verdict: 'valid',
    secretName: 'current',
    bytes: Buffer.byteLength(body),
    storedBytes: Buffer.byteLength(body),
    sha256: sha256(body),
    type: expected.type ?? null,
    title: expected.title,
    reason: null,
  })
  expect(kept.findings.map(({ code }) => code)).toEqual(expected.findings)

  await client.send(post(tab.path, goodBody))
  expect((await client.answers(2))[1]).toMatchObject({ status: 200 })
})

test('a POST without any length has no body', async () => {
  const tab = shared()
  expect(await ask(tab.port, head(`POST ${tab.path} HTTP/1.1`, ['Host: a']))).toMatchObject({
    status: 200,
  })
  expect(await tab.one()).toMatchObject({ verdict: 'missing', bytes: 0, arrival: 'complete' })
})

test('a body of several megabytes in many chunks is stored completely, with the time of its response', async () => {
  const tab = shared()
  await using client = await rawClient(tab.port)
  const body = Buffer.from(`{"type":"OPEN_TAB","data":{"name":"${'é'.repeat(3_000_000)}"}}`)
  const request = post(tab.path, body)
  for (let at = 0; at < request.byteLength; at += 700_001)
    await client.send(request.subarray(at, at + 700_001))
  expect(await client.answer()).toMatchObject({ status: 200 })
  const kept = await tab.one()
  expect(kept.body.equals(body)).toBe(true)
  expect(kept).toMatchObject({ verdict: 'valid', sha256: sha256(body), bytes: body.byteLength })
  expect(kept.responseMs).toBeGreaterThan(0)
})
