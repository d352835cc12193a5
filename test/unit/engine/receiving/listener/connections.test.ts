import { expect, it } from 'vitest'
import { sendStatus, sendPrepared } from '#engine/receiving/listener/send-response.ts'
import { openListener } from '#test/support/open-listener.ts'
import { rawClient } from '#test/support/raw-client.ts'
import { goodBody, post } from '#test/support/requests.ts'
import { until } from '#test/support/until.ts'

it('closes a connection that does not read its response when the limit is reached', async () => {
  let given = 0
  await using listener = await openListener(
    ({ channel, status, path }) => {
      given += 1
      if (path !== '/large' || channel.kind !== 'response') return void sendStatus(channel, status)
      // More than the system buffers for a sender that does not read.
      sendPrepared(channel, { status: 200, rawHeaders: [], body: Buffer.alloc(32 * 1024 * 1024) })
    },
    { connections: 1 },
  )
  await using deaf = await rawClient(listener.port)
  deaf.socket.pause()
  await deaf.send(post('/large', goodBody))
  await until('the response to be sent', () => given === 1)
  await using next = await rawClient(listener.port)
  await next.send(post('/', goodBody))
  expect(await next.answer()).toMatchObject({ status: 404 })
})

it.each([
  ['heads', 'POST /held HTTP/1.1\r\nHost: a\r\n'],
  [
    'trailers',
    'POST /held HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n',
  ],
])(
  'closes the longest of many incomplete %s, and serves other connections',
  async (_name, beginning) => {
    const ended: string[] = []
    await using listener = await openListener(
      ({ channel, status, arrival }) => {
        ended.push(arrival)
        if (status !== null) sendStatus(channel, status)
      },
      { headBytes: 16 * 1024, unfinishedHeadBytes: 64 * 1024 },
    )
    await using clients = new AsyncDisposableStack()
    // 12 connections with 12 KiB each: at least seven must be closed to get below 64 KiB.
    const fields = `x-field: ${'y'.repeat(1000)}\r\n`.repeat(12)
    for (let count = 0; count < 12; count += 1) {
      const client = clients.use(await rawClient(listener.port))
      await client.send(beginning + fields)
    }
    await until('the longest to be closed', () => ended.length >= 7)
    expect(new Set(ended)).toEqual(new Set(['cut_off']))
    expect(ended.length).toBeLessThan(12)
    const honest = clients.use(await rawClient(listener.port))
    await honest.send(post('/', goodBody))
    expect(await honest.answer()).toMatchObject({ status: 404 })
  },
)
