import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loopbackService, type LoopbackService } from '#test/support/loopback-service.ts'
import { rawServer } from '#test/support/raw-server.ts'
import { rawClient, type Answer } from '#test/support/raw-client.ts'
import { goodBody, post, sign } from '#test/support/requests.ts'
import { jsonLines, runCli, startListening, type Listening } from '#test/support/run-cli.ts'
import { ownedFolder, type OwnedFolder } from '#test/support/temp-folder.ts'

const secret = 'of the endpoint'
const ids = [1, 2, 3] as const
let folder: OwnedFolder
let listening: Listening
let service: LoopbackService
let status = 200

beforeAll(async () => {
  folder = ownedFolder()
  listening = await startListening(folder.path, ['listen', '--secret', secret])
  service = await loopbackService((_, response) => void response.writeHead(status).end('taken'))
  for (const index of ids) {
    const body = goodBody.toString().replace('tab-1', `tab-${index}`)
    const signature = `X-Service-Signature: ${sign(body, secret)}`
    const bytes = post(listening.path, body).toString('latin1')
    const signed = bytes.replace(/X-Service-Signature: \w+/, signature)
    await deliver(listening.port, Buffer.from(signed, 'latin1'))
  }
})
afterAll(async () => {
  await listening[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

/** Sends one delivery over a connection of its own. */
async function deliver(port: number, bytes: Uint8Array): Promise<Answer> {
  await using client = await rawClient(port)
  await client.send(bytes)
  return await client.answer()
}

async function resend(...args: string[]) {
  const result = await runCli(['resend', ...args, '--data', folder.path, '--json'])
  return { ...result, lines: jsonLines(result.stdout) }
}

describe('one delivery', () => {
  test('goes out byte for byte, but for the value of Host', async () => {
    await using raw = await rawServer((socket) => {
      socket.end('HTTP/1.1 202 Accepted\r\nX-A: 1\r\nContent-Length: 2\r\n\r\nok')
    })
    const { code, lines } = await resend('1', '--to', `${raw.origin}/in`)
    expect(code).toBe(0)
    const sent = post('/in', goodBody).toString('latin1')
    expect(raw.came).toEqual([
      sent
        .replace('Host: 127.0.0.1', `Host: 127.0.0.1:${raw.port}`)
        .replace(/X-Service-Signature: \w+/, `X-Service-Signature: ${sign(goodBody, secret)}`),
    ])
    expect(lines).toMatchObject([
      {
        event: 'attempt',
        deliveryId: 1,
        status: 202,
        ok: true,
        signing: 'kept',
        edited: false,
        comparison: null,
        error: null,
        response: {
          status: 202,
          headers: [
            ['X-A', '1'],
            ['Content-Length', '2'],
          ],
          body: 'ok',
        },
      },
    ])
  })

  test('says whether it is fixed or regressed since the time before', async () => {
    const to = `${service.baseUrl}/verdict`
    const comparisons: unknown[] = []
    for (const next of [200, 500, 500, 200]) {
      status = next
      const { code, lines } = await resend('2', '--to', to)
      expect(code).toBe(next === 200 ? 0 : 1)
      comparisons.push(lines[0]?.['comparison'])
    }
    status = 200
    expect(comparisons).toEqual([null, 'regressed', 'same', 'fixed'])
    const shown = await runCli(['deliveries', 'attempts', '2', '--data', folder.path, '--json'])
    expect(jsonLines(shown.stdout).map((line) => line['status'])).toEqual([200, 500, 500, 200])
  })

  test('with another body is signed with the current secret of its endpoint', async () => {
    const file = path.join(folder.path, 'edited.json')
    await writeFile(file, '{"type":"CLOSE_TAB","targetUuid":"tab-9"}\n')
    const { code, lines } = await resend('1', '--to', service.baseUrl, '--body', file)
    expect(code).toBe(0)
    expect(lines[0]).toMatchObject({ signing: 'signed', edited: true, bodyEdited: true })
    const last = service.arrived.at(-1)
    expect(last?.body.toString()).toBe('{"type":"CLOSE_TAB","targetUuid":"tab-9"}\n')
    expect(last?.headers['x-service-signature']).toBe(sign(last?.body ?? '', secret))
    expect(last?.headers['x-service-event-type']).toBe('CLOSE_TAB')
    expect(last?.headers['x-service-event-target-uuid']).toBe('tab-9')
  })

  test('keeps its signature, or goes without one, where that is said', async () => {
    const file = path.join(folder.path, 'edited.json')
    await writeFile(file, '{}')
    await resend('1', '--to', service.baseUrl, '--body', file, '--keep')
    expect(service.arrived.at(-1)?.headers['x-service-signature']).toBe(sign(goodBody, secret))
    await resend('1', '--to', service.baseUrl, '--unsigned')
    expect(service.arrived.at(-1)?.headers).not.toHaveProperty('x-service-signature')
    await resend('1', '--to', service.baseUrl, '--sign', 'current', '--header', 'X-More: grüß')
    const headers = service.arrived.at(-1)?.headers
    expect(headers?.['x-service-signature']).toBe(sign(goodBody, secret))
    expect(Buffer.from(String(headers?.['x-more']), 'latin1').toString()).toBe('grüß')
    const broken = await resend('1', '--to', service.baseUrl, '--sign-wrong', 'prefix')
    expect(broken.lines[0]).toMatchObject({ signing: 'broken', comparison: null })
    expect(service.arrived.at(-1)?.headers['x-service-signature']).toBe(
      `sha256=${sign(goodBody, secret)}`,
    )
  })

  test('goes to our own listener where nothing else is said, and arrives as one of its own', async () => {
    const { code, lines } = await resend('3')
    expect({ code, lines }).toMatchObject({ code: 0, lines: [{ status: 200, deliveryId: 3 }] })
    const listed = await runCli([
      'deliveries',
      'list',
      '--filter',
      'own:send',
      '--data',
      folder.path,
      '--json',
    ])
    expect(jsonLines(listed.stdout)).toMatchObject([{ target: 'tab-3', verdict: 'valid' }])
  })
})

describe('what is refused', () => {
  const refused: readonly (readonly [string, readonly string[], string, number])[] = [
    ['a file', ['1', '--to', 'file:///etc/passwd'], 'bad_target', 1],
    ['an address with a password', ['1', '--to', 'http://a:b@127.0.0.1/'], 'bad_target', 1],
    [
      'a public address that nobody confirmed',
      ['1', '--to', 'http://203.0.113.7/'],
      'target_unconfirmed',
      4,
    ],
    [
      'a header with a line break',
      ['1', '--to', 'http://127.0.0.1:9/', '--header', 'X-A: b\r\nX-C: d'],
      'bad_input',
      2,
    ],
    ['a delivery that is not there', ['999', '--to', 'http://127.0.0.1:9/'], 'not_found', 3],
    [
      'a secret that is not set',
      ['1', '--to', 'http://127.0.0.1:9/', '--sign', 'previous'],
      'secret_unavailable',
      1,
    ],
    [
      'a file that is not there',
      ['1', '--to', 'http://127.0.0.1:9/', '--body', '/no/such/file'],
      'bad_input',
      2,
    ],
  ]
  test.each(refused)('%s', async (_, args, expected, exitCode) => {
    const { code, lines, stderr } = await resend(...args)
    expect({ code, lines }).toMatchObject({
      code: exitCode,
      lines: [{ event: 'failed', code: expected }],
    })
    expect(stderr).not.toContain('a:b@')
    expect(stderr).not.toContain('    at ')
  })

  test('words that contradict each other', async () => {
    for (const args of [
      [],
      ['1', '--filter', 'x'],
      ['1', '--keep', '--unsigned'],
      ['1', '--rate', 'x'],
      ['1', '--sign-wrong', 'x'],
    ]) {
      const { code } = await resend(...args)
      expect(code).toBe(2)
    }
  })

  test('no answer is an attempt with its error', async () => {
    const { code, lines } = await resend('1', '--to', 'http://127.0.0.1:9/')
    expect(code).toBe(1)
    expect(lines).toMatchObject([{ event: 'attempt', status: null, error: { code: 'refused' } }])
  })
})

describe('many', () => {
  test('in order of arrival, each a line, and a summary', async () => {
    const before = service.arrived.length
    const { code, lines } = await resend(
      '--filter',
      'target:tab-* -own:send',
      '--to',
      service.baseUrl,
    )
    expect(code).toBe(0)
    expect(lines.map((line) => [line['event'], line['deliveryId'] ?? line['ok']])).toEqual([
      ...ids.map((id) => ['attempt', id]),
      ['done', ids.length],
    ])
    const bodies = service.arrived
      .slice(before)
      .map(({ body }) => JSON.parse(body.toString()).targetUuid)
    expect(bodies).toEqual(ids.map((id) => `tab-${id}`))
  })

  test('stops at the first failure, and goes on when asked to', async () => {
    status = 500
    const stopped = await resend('3', '2', '1', '--to', service.baseUrl, '--stop-on-failure')
    status = 200
    expect(stopped.code).toBe(1)
    const done = stopped.lines.at(-1)
    expect(done).toMatchObject({ event: 'done', state: 'paused', failed: 1, waiting: 2 })
    const went = await resend('--continue', String(done?.['id']))
    expect(went.lines.at(-1)).toMatchObject({ event: 'done', state: 'done', ok: 2, failed: 1 })
    expect(went.code).toBe(1)
  })

  test('of several deliveries each error is an object, as of one', async () => {
    const [one] = (await resend('1', '--to', 'http://127.0.0.1:9/')).lines
    const { code, lines } = await resend('1', '2', '--to', 'http://127.0.0.1:9/')
    expect(code).toBe(1)
    const errors = lines.filter(({ event }) => event === 'attempt').map(({ error }) => error)
    expect(errors).toEqual([one?.['error'], one?.['error']])
    expect(one?.['error']).toMatchObject({ code: expect.any(String), message: expect.any(String) })
  })

  test('nothing that matches is said', async () => {
    const { code, lines } = await resend('--filter', 'type:NOTHING', '--to', service.baseUrl)
    expect({ code, lines }).toMatchObject({ code: 2, lines: [{ code: 'bad_input' }] })
  })
})
