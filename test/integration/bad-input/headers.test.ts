import { expect, test } from 'vitest'
import { sharedTestEngine } from '#test/support/engine.ts'
import { ask, rawClient } from '#test/support/raw-client.ts'
import { goodBody, goodHeaders, head, post, sign } from '#test/support/requests.ts'

const shared = sharedTestEngine()

const length = `Content-Length: ${goodBody.byteLength}`

test('order, case, duplicates and bytes of headers are stored', async () => {
  const tab = shared()
  await using client = await rawClient(tab.port)
  const headers = [
    'hOsT: a',
    'X-B: 1',
    'x-b: 2',
    'X-A: Ren\u00e9 \u0080\u00ff',
    'X-B: 1',
    'Empty:',
    `${'L'.repeat(300)}: long`,
    'Cookie: a=1',
    'Cookie: b=2',
    length,
  ]
  await client.send(Buffer.concat([head(`POST ${tab.path}?a=%00&b=1 HTTP/1.1`, headers), goodBody]))
  expect(await client.answer()).toMatchObject({ status: 200 })
  const kept = await tab.one()
  expect(kept).toMatchObject({ path: `${tab.path}?a=%00&b=1`, endpointId: tab.endpointId })
  expect(kept.headers).toEqual(
    headers.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trimStart()]
    }),
  )
})

test('two lengths, even if equal, are rejected to prevent request smuggling (RFC 9112, 6.3)', async () => {
  const tab = shared()
  expect(await ask(tab.port, post(tab.path, goodBody, [length]))).toMatchObject({ status: 400 })
  expect(await tab.one()).toMatchObject({ status: 400, arrival: 'malformed', path: tab.path })
})

test('3,000 headers are stored', async () => {
  const tab = shared()
  await using client = await rawClient(tab.port)
  const many = Array.from({ length: 3000 }, (_, i) => `X-${i % 7}: ${i}`)
  await client.send(post(tab.path, goodBody, many))
  expect(await client.answer()).toMatchObject({ status: 200 })
  const kept = await tab.one()
  expect(kept.headers.slice(-3000)).toEqual(many.map((line) => line.split(': ')))
  expect(kept.verdict).toBe('valid')
})

test.for([
  ['the right one last', ['00'.repeat(32), sign(goodBody)], 'valid', ['signature.repeated']],
  ['joined by a proxy', [`${'00'.repeat(32)}, ${sign(goodBody)}`], 'valid', ['signature.repeated']],
  ['one, of another secret', [sign(goodBody, 'other')], 'invalid', []],
] as const)('signatures: %s', async ([, values, verdict, findings]) => {
  const tab = shared()
  await using client = await rawClient(tab.port)
  const headers = values.map(
    (value, i) => `${i % 2 ? 'x-service-signature' : 'X-Service-Signature'}: ${value}`,
  )
  await client.send(
    Buffer.concat([
      head(`POST ${tab.path} HTTP/1.1`, ['Host: a', length, ...goodHeaders, ...headers]),
      goodBody,
    ]),
  )
  expect(await client.answer()).toMatchObject({ status: 200 })
  const kept = await tab.one()
  expect(kept.verdict).toBe(verdict)
  expect(kept.findings.map(({ code }) => code)).toEqual(findings)
})

test('a head of 70 KiB gets 431 and is recorded', async () => {
  const tab = shared()
  await using client = await rawClient(tab.port)
  await client.send(
    head(`POST ${tab.path} HTTP/1.1`, ['Host: a', `X-Large: ${'a'.repeat(70 * 1024)}`]),
  )
  expect(await client.answer()).toMatchObject({ status: 431 })
  await client.closed()
  const kept = await tab.one()
  expect(kept).toMatchObject({
    arrival: 'malformed',
    status: 431,
    reason: 'The request head is larger than 65536 bytes.',
  })
  expect(kept.findings.map(({ code }) => code)).toContain('request.malformed')
})

test('trailers are stored separately from headers', async () => {
  const tab = shared()
  await using client = await rawClient(tab.port)
  const headers = [
    'Host: a',
    'Transfer-Encoding: chunked',
    `X-Service-Signature: ${sign(goodBody)}`,
  ]
  const half = Math.floor(goodBody.byteLength / 2)
  for (const piece of [
    head(`POST ${tab.path} HTTP/1.1`, headers),
    `${half.toString(16)};a=b\r\n`,
    goodBody.subarray(0, half),
    `\r\n${(goodBody.byteLength - half).toString(16)}\r\n`,
    goodBody.subarray(half),
    '\r\n0\r\nX-Trail: one\r\nx-trail: two\r\n\r\n',
  ]) {
    await client.send(piece)
  }
  expect(await client.answer()).toMatchObject({ status: 200 })
  const kept = await tab.one()
  expect(kept).toMatchObject({ verdict: 'valid', bytes: goodBody.byteLength, arrival: 'complete' })
  expect(kept.trailers).toEqual([
    ['X-Trail', 'one'],
    ['x-trail', 'two'],
  ])
  expect(kept.headers).toEqual(headers.map((line) => line.split(': ')))
})
