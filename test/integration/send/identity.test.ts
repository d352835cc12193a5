import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Attempt } from '#contract/sending.ts'
import { sharedTestEngine } from '#test/support/engine.ts'
import { deliver } from '#test/support/forwarding.ts'
import { rawTarget, type ReceivedRequest } from '#test/support/raw-target.ts'
import { goodBody, head, sign } from '#test/support/requests.ts'

const engine = sharedTestEngine()

/** Sends bytes to the Tabscope listener, then re-sends the stored delivery to a server that records every byte. */
async function there(
  bytes: Buffer,
  path = '/in',
): Promise<{ attempt: Attempt; received: ReceivedRequest; host: string }> {
  const tab = engine()
  await deliver(tab, bytes)
  const { id } = await tab.one()
  await using target = await rawTarget()
  const attempt = await tab.engine.call('deliveries.resend', { id, url: target.origin + path })
  const [received] = target.received
  if (!received) throw new Error(attempt.error?.message ?? 'nothing was received')
  return { attempt, received, host: new URL(target.origin).host }
}

/** One chunk (RFC 9112, 7.1). */
function chunk(bytes: Buffer): Buffer {
  const size = Buffer.from(`${bytes.byteLength.toString(16)}\r\n`)
  return Buffer.concat([size, bytes, Buffer.from('\r\n')])
}

/** Headers that no client would write: unusual case and order, duplicate names, spaces in a value, an empty value, non-ASCII. */
function odd(body: Uint8Array, framing: string): string[] {
  return [
    'x-zuletzt: 1',
    'hOST: tabscope.test:80',
    framing,
    'X-Twice: b',
    'X-SERVICE-signature: ' + sign(body),
    'x-Service-EVENT-Type: OPEN_TAB',
    'X-TWICE: a',
    'x-twice: b',
    'Accept: */*',
    'content-Type: application/json;charset=UTF-8',
    'X-Inside: a  b\tc ; "d"',
    'X-Empty: ',
    'X-Bytes: caf\u00e9 \u00ff',
    'User-Agent: Service-WebhookAgent/1.0',
    'Cookie: a=1; b=2',
    'Connection: keep-alive',
  ]
}

test.each([
  ['a body', goodBody],
  ['a body that is no text', Buffer.from([0, 255, 13, 10, 13, 10, 128])],
  ['no body', Buffer.of()],
  ['a body of gzip', gzipSync(goodBody)],
  ['a body of a mebibyte', Buffer.alloc(1024 * 1024, '{"a":"é"}')],
])('%s is sent byte for byte, except for Host', async (_, body) => {
  const { path } = engine()
  const sent = head(`POST ${path} HTTP/1.1`, odd(body, `content-LENGTH: ${body.byteLength}`))
  const { attempt, received, host } = await there(Buffer.concat([sent, body]), path)
  const expected = Buffer.from(sent.toString('latin1').replace('tabscope.test:80', host), 'latin1')
  expect(received.bytes.equals(Buffer.concat([expected, body]))).toBe(true)
  expect(attempt).toMatchObject({
    status: 200,
    edited: false,
    bodyEdited: false,
    signing: 'kept',
    secretName: null,
  })
})

test('chunks are sent as one chunk, followed by the trailers', async () => {
  const { path } = engine()
  const lines = odd(goodBody, 'Transfer-encoding: chunked')
  const trailers = 'X-Sum: 1\r\nx-sum: 2\r\n'
  const half = goodBody.byteLength >> 1
  const end = Buffer.from(`0\r\n${trailers}\r\n`)
  const chunks = [chunk(goodBody.subarray(0, half)), chunk(goodBody.subarray(half))]
  const sent = head(`POST ${path} HTTP/1.1`, lines)
  const { attempt, received, host } = await there(Buffer.concat([sent, ...chunks, end]), path)
  const expected = sent.toString('latin1').replace('tabscope.test:80', host)
  const whole = Buffer.concat([Buffer.from(expected, 'latin1'), chunk(goodBody), end])
  expect(received.bytes.toString('latin1')).toBe(whole.toString('latin1'))
  expect(attempt.edited).toBe(false)
})
