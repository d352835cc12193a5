import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedTabscope } from '#test/support/engine-on-folder.ts'
import { loopbackService, type LoopbackService } from '#test/support/loopback-service.ts'
import { goodBody, post, sign } from '#test/support/requests.ts'
import { jsonLines, runCli, spawnCli, startCli } from '#test/support/run-cli.ts'
import { until } from '#test/support/until.ts'

const secret = 'of the endpoint'
const ids = [1, 2, 3] as const
const { folder, tab } = sharedTabscope({ secret })
let service: LoopbackService
let status = 200
/** Responses wait for this promise. */
let held: Promise<void> = Promise.resolve()

beforeAll(async () => {
  service = await loopbackService(async (_, response) => {
    await held
    response.writeHead(status).end('taken')
  })
  for (const index of ids) {
    const body = goodBody.toString().replace('tab-1', `tab-${index}`)
    const signature = `X-Service-Signature: ${sign(body, secret)}`
    const bytes = post(tab().path, body).toString('latin1')
    const signed = bytes.replace(/X-Service-Signature: \w+/, signature)
    await tab().receive(Buffer.from(signed, 'latin1'))
  }
})
afterAll(() => service[Symbol.asyncDispose]())

async function run(command: string, args: readonly string[]) {
  const result = await runCli([command, ...args, '--data', folder, '--json'])
  return { ...result, lines: jsonLines(result.stdout) }
}

const resend = (...args: string[]) => run('resend', args)
const jobs = (...args: string[]) => run('job', args)

describe('one delivery', () => {
  test('is sent with another body, fields, headers or signature', async () => {
    const file = path.join(folder, 'edited.json')
    const odd = '{"type":"A", "id":9007199254740993,"price":42.50,"note":"a\\/b","id":1.5E+3}\r\n'
    await writeFile(file, odd)
    const set = odd.replace('"A"', '"B"').replace('42.50', '0.50')
    const asCaptured = sign(goodBody, secret)
    for (const [options, body, signature] of [
      [['--body', file], odd, sign(odd, secret)],
      [['--body', file, '--keep'], odd, asCaptured],
      [['--body', file, '--set', 'type=B', '--set', 'price=0.50'], set, sign(set, secret)],
      [['--unsigned'], goodBody.toString(), undefined],
      [['--sign', 'current', '--header', 'X-More: grüß'], goodBody.toString(), asCaptured],
    ] as const) {
      const { code } = await resend('1', '--to', service.baseUrl, ...options)
      const sent = service.arrived.at(-1)
      const given = sent?.headers['x-service-signature']
      expect({ code, given }).toEqual({ code: 0, given: signature })
      expect(sent?.body.toString()).toBe(body)
      if (signature !== asCaptured)
        expect(sent?.headers['x-service-event-type']).toBe(JSON.parse(body).type)
    }
    const more = service.arrived.at(-1)?.headers['x-more']
    expect(Buffer.from(String(more), 'latin1').toString()).toBe('grüß')
  })

  test('Ctrl+C cancels it: an attempt with its error, exit code 130', async () => {
    const hold = Promise.withResolvers<void>()
    held = hold.promise
    const before = service.arrived.length
    const args = ['resend', '1', '--to', service.baseUrl, '--data', folder, '--json']
    await using running = startCli(args)
    await until('the request', () => service.arrived.length > before)
    running.kill('SIGINT')
    const { code, stdout } = await running.ended
    hold.resolve()
    expect({ code, lines: jsonLines(stdout) }).toMatchObject({
      code: 130,
      lines: [
        { event: 'attempt', status: null, error: { code: 'aborted' } },
        { event: 'done', sent: 0, failed: 1 },
      ],
    })
  })

  test('with fields set is signed again, each delivery with its own body', async () => {
    const before = service.arrived.length
    const set = ['--to', service.baseUrl, '--set', 'data.total=12.5'] as const
    const one = await resend('2', ...set)
    expect(one).toMatchObject({
      code: 0,
      lines: [{ event: 'attempt', deliveryId: 2, signing: 'signed', bodyEdited: true }, {}],
    })
    const { lines } = await resend('1', '2', ...set)
    expect(lines.map(({ event, deliveryId }) => [event, deliveryId])).toEqual([
      ['attempt', 1],
      ['attempt', 2],
      ['done', undefined],
    ])
    const sent = service.arrived.slice(before)
    expect(sent.map(({ body }) => JSON.parse(body.toString()))).toMatchObject(
      [2, 1, 2].map((id) => ({ targetUuid: `tab-${id}`, data: { total: 12.5 } })),
    )
    for (const { headers, body } of sent)
      expect(headers['x-service-signature']).toBe(sign(body, secret))
  })
})

describe('many', () => {
  test('are sent in order of arrival, with a line for each and a summary', async () => {
    const before = service.arrived.length
    const { code, lines } = await resend(
      '--filter',
      'target:tab-* -own:send',
      '--to',
      service.baseUrl,
    )
    expect(code).toBe(0)
    expect(lines.map((line) => [line['event'], line['deliveryId'] ?? line['sent']])).toEqual([
      ...ids.map((id) => ['attempt', id]),
      ['done', ids.length],
    ])
    expect(lines[0]).toMatchObject({ id: expect.any(Number), durationMs: expect.any(Number) })
    const bodies = service.arrived
      .slice(before)
      .map(({ body }) => JSON.parse(body.toString()).targetUuid)
    expect(bodies).toEqual(ids.map((id) => `tab-${id}`))
    const latest = await resend('latest', '--to', service.baseUrl)
    expect(latest.code).toBe(0)
    expect(latest.lines[0]).toMatchObject({ deliveryId: 3 })
  })

  test('Ctrl+C pauses the job: exit code 130, and job resume sends the rest', async () => {
    const hold = Promise.withResolvers<void>()
    held = hold.promise
    const before = service.arrived.length
    const args = ['resend', '1', '2', '3', '--to', service.baseUrl, '--data', folder]
    await using running = spawnCli(args)
    await until('the first request', () => service.arrived.length > before)
    running.kill('SIGINT')
    const paused = await until('the pause', async () => {
      const [job] = (await jobs('list', '--limit', '1')).lines
      return job?.['state'] === 'paused' ? job : null
    })
    expect(paused).toMatchObject({ event: 'job', inFlight: 1, waiting: 2, total: 3 })
    hold.resolve()
    const { code, stderr } = await running.ended
    const id = String(paused['id'])
    expect(code).toBe(130)
    expect(stderr).toContain(`Sending 3 deliveries to ${service.baseUrl}/.`)
    expect(stderr).toContain(`Paused. To resume it: tabscope job resume ${id}\n`)
    const resumed = await jobs('resume', id)
    expect(resumed.code).toBe(0)
    expect(resumed.lines.at(-1)).toMatchObject({ sent: 3, job: { state: 'done', ok: 3 } })
  })
})
