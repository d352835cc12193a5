import { expect, test } from 'vitest'
import { eventTypes } from '#catalogue/catalogue.ts'
import { openTabscope } from '#test/support/engine-on-folder.ts'
import { loopbackService, type LoopbackService } from '#test/support/loopback-service.ts'
import { sha256, sign } from '#test/support/requests.ts'
import { jsonLines, runCli, startCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

const receiver = (status = 200): Promise<LoopbackService> =>
  loopbackService((_, response) => void response.writeHead(status).end())

const urlOf = ({ baseUrl }: LoopbackService): string => `${baseUrl}/in?x=1`

const secret = 'of the other side'

test('sends one type, signed, with fields set', async () => {
  await using other = await receiver()
  const args = ['trigger', 'ORDER_PLACED', '--to', urlOf(other), '--secret', secret, '--json']
  const fields = ['data.total=12.5', 'data.orderName=é "x"', 'locationName=Bar']
  const { code, stdout, stderr } = await runCli([
    ...args,
    ...fields.flatMap((field) => ['--set', field]),
  ])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const [delivery, ...more] = other.arrived
  expect(more).toEqual([])
  const body = delivery?.body ?? Buffer.alloc(0)
  expect(delivery?.headers).toMatchObject({
    'content-type': expect.stringContaining('application/json'),
    'user-agent': expect.stringMatching(/^Service-WebhookAgent/),
    'x-service-event-type': 'ORDER_PLACED',
    'x-service-signature': sign(body, secret),
  })
  expect(JSON.parse(body.toString())).toMatchObject({
    type: 'ORDER_PLACED',
    locationName: 'Bar',
    data: { total: 12.5, orderName: 'é "x"' },
  })
  const duration: unknown = expect.any(Number)
  expect(jsonLines(stdout)).toEqual([
    {
      event: 'sent',
      type: 'ORDER_PLACED',
      deliveryId: null,
      status: 200,
      ok: true,
      durationMs: duration,
      bytes: body.byteLength,
      sha256: sha256(body),
      error: null,
    },
    { event: 'done', sent: 1, failed: 0 },
  ])
})

test('sends to the running Tabscope without --to, signed with the secret of its endpoint', async () => {
  await using folder = ownedFolder()
  await using tab = await openTabscope(folder.path, { secret })
  const trigger = (...args: string[]) => runCli(['trigger', ...args, '--data', folder.path])
  const all = await trigger('all', '--json')
  expect(all.code).toBe(0)
  expect(jsonLines(all.stdout).map(({ deliveryId }) => deliveryId)).toEqual([
    ...eventTypes.map((_type, index) => index + 1),
    undefined,
  ])
  expect((await trigger('OPEN_TAB', '--secret', 'wrong')).code).toBe(0)
  const to = await trigger('OPEN_TAB', '--to', tab.endpoint, '--json')
  expect(jsonLines(to.stdout)).toMatchObject([
    { deliveryId: eventTypes.length + 2 },
    { event: 'done' },
  ])
  const kept = await tab.kept(eventTypes.length + 2)
  expect(kept.map(({ verdict }) => verdict)).toEqual([
    ...eventTypes.map(() => 'valid'),
    'invalid',
    'missing',
  ])
  expect(kept.flatMap(({ findings }) => findings)).toEqual([])
})

test('Ctrl+C stops it with exit code 130, and prints the count', async () => {
  await using other = await receiver()
  const args = ['trigger', 'OPEN_TAB', '--to', urlOf(other), '--count', '1000', '--rate', '0.01']
  await using running = startCli([...args, '--json'])
  await until('the first request', () => running.lines().length > 0)
  running.kill('SIGINT')
  const { code, stdout } = await running.ended
  expect(code).toBe(130)
  expect(jsonLines(stdout).at(-1)).toEqual({ event: 'done', sent: 1, failed: 0 })
})
