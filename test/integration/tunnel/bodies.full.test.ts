import { createCipheriv } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { eventTypes } from '#catalogue/catalogue.ts'
import { seeded, type Random } from '#sandbox/random.ts'
import { samplePayload, sampleSource } from '#sandbox/steps.ts'
import { publicAgent, publicRequest } from '#test/support/public-request.ts'
import { sha256, sign } from '#test/support/requests.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { startTunnelled } from '#test/support/tunnelled.ts'
import { tunnelServer } from '#test/support/tunnel-server.ts'
import { until } from '#test/support/until.ts'

const count = 1000
const parallel = 100
const secret = 'kept on the whole way'
const verdicts = ['valid', 'invalid', 'missing'] as const

interface Sent {
  readonly body: Buffer
  readonly verdict: (typeof verdicts)[number]
  readonly headers: Readonly<Record<string, string>>
}

/** Reproducible random bytes with a log-uniform length from 1 byte to 1 MiB. */
function randomBody(random: Random): Buffer {
  const size = Math.min(2 ** 20, Math.floor(2 ** (random.real() * 20.01)))
  const key = Buffer.from(random.uuid().replaceAll('-', ''), 'hex')
  return createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(size))
}

function sampleBody(random: Random, n: number): Buffer {
  const { type } = eventTypes[n % eventTypes.length] ?? { type: 'OPEN_TAB' }
  const source = sampleSource(random, 'Service', new Date('2026-03-14T21:09:00.123Z'))
  return Buffer.from(JSON.stringify(samplePayload(type, source)))
}

/** Every sixth is a sample of the catalogue, one gzip, one empty, one text with line breaks at its end; the others are random bytes. */
function make(random: Random, n: number): Sent {
  const [body, encoding] = ((): [Buffer, string?] => {
    switch (n % 6) {
      case 0:
        return [sampleBody(random, n / 6)]
      case 1:
        return [gzipSync(sampleBody(random, n)), 'gzip']
      case 2:
        return n % 12 === 2
          ? [Buffer.alloc(0)]
          : [Buffer.from(`{"name":"Zoë 🍸 \u2028 ${n} Ådne"}\r\n\n`, 'utf8')]
      default:
        return [randomBody(random)]
    }
  })()
  const verdict = verdicts[Math.floor(n / 6) % 3] ?? 'valid'
  return {
    body,
    verdict,
    headers: {
      'Content-Type': 'application/json',
      ...(encoding === undefined ? {} : { 'Content-Encoding': encoding }),
      ...(verdict === 'missing'
        ? {}
        : { 'X-Service-Signature': sign(body, verdict === 'valid' ? secret : 'another') }),
    },
  }
}

test('1,000 bodies to 1 MiB, 100 at a time: each arrives as it was sent, with the right verdict', async () => {
  const random = seeded(20_260_314)
  const sent = Array.from({ length: count }, (_, n) => make(random, n))
  expect(Math.max(...sent.map(({ body }) => body.byteLength))).toBeGreaterThan(900_000)
  await using server = await tunnelServer()
  await using folder = ownedFolder()
  await using tab = await startTunnelled(folder.path, `localtunnel:bodies@${server.host}`, [
    'listen',
    '--secret',
    secret,
  ])
  const origin = await tab.online()
  const agent = publicAgent(parallel)
  const statuses: number[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) {
      const { body, headers } = sent[n] ?? { body: Buffer.alloc(0), headers: {} }
      const url = `${origin}${tab.path}?n=${n}`
      const chunked = n % 7 === 0
      statuses[n] = (await publicRequest(url, { body, headers, agent, chunked })).status
    }
  }
  await Promise.all(Array.from({ length: parallel }, worker))
  agent.destroy()
  expect(new Set(statuses)).toEqual(new Set([200]))

  await until('all deliveries in the output', () => tab.deliveries().length >= count)
  const received = new Map(tab.deliveries().map((line) => [line.path, line]))
  expect(tab.deliveries()).toHaveLength(count)
  const wrong = sent.flatMap(({ body, verdict }, n) => {
    const line = received.get(`${tab.path}?n=${n}`)
    const asSent = line?.sha256 === sha256(body) && line.bytes === body.byteLength
    return asSent && line.verdict === verdict && line.status === 200
      ? []
      : [{ n, bytes: body.byteLength, verdict, line }]
  })
  expect(wrong).toEqual([])
  const types = new Set(sent.map((_, n) => received.get(`${tab.path}?n=${n}`)?.type))
  for (const { type } of eventTypes) expect(types).toContain(type)
  expect(new Set(tab.states().map(({ state }) => state))).toEqual(new Set(['opening', 'online']))
})
