import { describe, expect, test } from 'vitest'
import type { CallInput } from '#contract/calls.ts'
import type { DraftContent } from '#contract/compose.ts'
import { keptAnswerBytes } from '#contract/constants.ts'
import type { Attempt } from '#contract/sending.ts'
import { AppError } from '#engine/platform/errors.ts'
import { sharedTestEngine, testSecret } from '#test/support/engine.ts'
import { deliver, forwardTo, notForwarded } from '#test/support/forwarding.ts'
import { freePort } from '#test/support/free-port.ts'
import { rawServer } from '#test/support/raw-server.ts'
import { rawTarget } from '#test/support/raw-target.ts'
import { goodBody, post } from '#test/support/requests.ts'
import { until } from '#test/support/until.ts'

/** All rejected or explained requests, through the calls, both for a delivery and for a draft. */
const engine = sharedTestEngine()
const MiB = 1024 * 1024

type Options = Omit<CallInput<'deliveries.resend'>, 'id'>

async function captured(): Promise<number> {
  const tab = engine()
  await tab.forget()
  await deliver(tab, post(tab.path, goodBody))
  return (await tab.one()).id
}

async function resend(options: Options): Promise<Attempt> {
  return engine().engine.call('deliveries.resend', { id: await captured(), ...options })
}

async function draft(change: Partial<DraftContent>): Promise<DraftContent> {
  const from = { kind: 'delivery', id: await captured() } as const
  return { ...(await engine().engine.call('compose.start', { from })), ...change }
}

async function refusal(work: Promise<unknown>): Promise<AppError> {
  const rejection = await work.then(
    () => null,
    (error: unknown) => error,
  )
  if (rejection instanceof AppError) return rejection
  throw new Error('it was not refused', { cause: rejection })
}

describe('a target that', () => {
  test('refuses', async () => {
    const attempt = await resend({ url: `http://127.0.0.1:${await freePort()}/` })
    expect(attempt).toMatchObject({ status: null, error: { code: 'refused' }, response: null })
    expect(attempt.error?.message).toMatch(/127\.0\.0\.1/)
  })

  test('resets', async () => {
    await using target = await rawServer((socket) => void socket.resetAndDestroy())
    expect(await resend({ url: target.origin })).toMatchObject({ error: { code: 'reset' } })
  })

  test('hangs', async () => {
    await using target = await rawTarget(() => null)
    const attempt = await resend({ url: target.origin, timeout: 50 })
    expect(attempt).toMatchObject({ status: null, error: { code: 'timeout' } })
    expect(target.received).toHaveLength(1)
  })

  test.each([
    'no HTTP at all\r\n\r\n',
    'HTTP/1.1 abc OK\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n',
  ])('sends garbage: %j', async (garbage) => {
    await using target = await rawServer((socket) => void socket.end(garbage))
    const { error } = await resend({ url: target.origin })
    expect(error?.code).toBe('malformed')
  })

  test('sends 100 MiB', async () => {
    const size = 100 * MiB
    const part = Buffer.alloc(MiB, 'a')
    await using target = await rawServer((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`)
      let left = 100
      const more = (): void => {
        while (left > 0) {
          left -= 1
          if (!socket.write(part)) return void socket.once('drain', more)
        }
        socket.end()
      }
      more()
    })
    const attempt = await resend({ url: target.origin })
    expect(attempt).toMatchObject({ status: 200, response: { storedBytes: keptAnswerBytes } })
    expect(attempt.responseBytes).toBeGreaterThan(keptAnswerBytes)
    expect(attempt.notes.join(' ')).toMatch(/first 1,048,576 bytes of the response body are stored/)
  })
})

describe('a request that cannot be sent', () => {
  const fields: [string, Options['edits'], RegExp][] = [
    [
      'a line break in a header',
      { headers: [['X-Bad', 'hidden\r\nX-More: 1']] },
      /X-Bad.*line break/,
    ],
    ['an invalid name', { headers: [['na me', 'hidden']] }, /"na me"/],
    [
      'a Content-Length against the body',
      { headers: [['Content-Length', '3']] },
      /Content-Length.*127 bytes/,
    ],
  ]

  test.each(fields)('%s, of a delivery', async (_, edits, message) => {
    expect(goodBody.byteLength).toBe(127)
    await using target = await rawTarget()
    const rejection = await refusal(resend({ url: target.origin, edits }))
    expect(rejection).toMatchObject({ code: 'bad_input', message: expect.stringMatching(message) })
    expect(JSON.stringify(rejection.toWire())).not.toContain('hidden')
    expect(target.mostConnections).toBe(0)
  })

  test.each(fields)('%s, of a draft', async (_, edits, message) => {
    await using target = await rawTarget()
    const start = await draft({ url: target.origin })
    const added = (edits?.headers ?? []).map(([name, value]) => ({
      name,
      value,
      on: true,
      byHand: true,
    }))
    const taken = added.map(({ name }) => name.toLowerCase())
    const others = start.headers.filter(({ name }) => !taken.includes(name.toLowerCase()))
    const content = { ...start, headers: [...others, ...added] }
    const preview = await engine().engine.call('compose.preview', { content })
    expect(preview.problems).toMatchObject([
      {
        severity: 'error',
        field: 'headers',
        header: others.length,
        message: expect.stringMatching(message),
      },
    ])
    const rejection = await refusal(engine().engine.call('compose.send', { content }))
    expect(rejection.code).toBe('bad_input')
    expect(target.mostConnections).toBe(0)
  })

  test('a secret that was deleted', async () => {
    const { engine: host, endpointId } = engine()
    const sign = { how: 'secret', endpointId, which: 'current' } as const
    await host.call('endpoints.clearSecret', { id: endpointId })
    try {
      const rejection = await refusal(resend({ sign }))
      expect(rejection.code).toBe('secret_unavailable')
      expect(rejection.message).toMatch(/^The endpoint ".+" has no current secret\. Select another/)
      const content = await draft({ sign })
      const preview = await host.call('compose.preview', { content })
      expect(preview.problems).toMatchObject([{ code: 'sign.no_secret', severity: 'error' }])
      expect((await refusal(host.call('compose.send', { content }))).code).toBe(
        'secret_unavailable',
      )
    } finally {
      await host.call('endpoints.rotateSecret', { id: endpointId, secret: testSecret })
    }
  })

  test.each([
    ['http://ada:lovelace@127.0.0.1:1/', /user name or password/, 'url.credentials'],
    ['file:///etc/passwd', /file:/, 'url.scheme'],
    ['ftp://127.0.0.1/', /ftp:/, 'url.scheme'],
    ['javascript:alert(1)', /javascript:/, 'url.scheme'],
    ['menu.example:3000', /full URL/, 'url.invalid'],
    ['http://', /The URL is invalid/, 'url.invalid'],
  ])('to %s', async (url, message, code) => {
    const { engine: host } = engine()
    const rejection = await refusal(resend({ url }))
    expect(rejection).toMatchObject({ code: 'bad_target', message: expect.stringMatching(message) })
    expect(rejection.message).not.toContain('lovelace')
    const content = await draft({ url })
    const { problems } = await host.call('compose.preview', { content })
    expect(problems).toMatchObject([{ code, severity: 'error', field: 'url' }])
    expect((await refusal(host.call('compose.send', { content }))).code).toBe('bad_target')
    expect(await host.call('compose.target', { url })).toEqual({ target: null })
  })
})

describe('a body that is not JSON with a JSON content type', () => {
  test('is sent, and the attempt reports it', async () => {
    await using target = await rawTarget()
    const bytes = Buffer.from('{"a":')
    const attempt = await resend({ url: target.origin, edits: { body: bytes } })
    expect(attempt).toMatchObject({ status: 200 })
    expect(attempt.notes).toEqual([expect.stringContaining('not JSON')])
    const content = await draft({ url: target.origin, body: { kind: 'bytes', bytes } })
    const { problems } = await engine().engine.call('compose.preview', { content })
    expect(problems).toMatchObject([{ code: 'body.not_json', severity: 'warning' }])
    const sent = await engine().engine.call('compose.send', { content })
    expect(sent.notes).toEqual([expect.stringContaining('not JSON')])
    expect(target.received).toHaveLength(2)
  })
})

describe('the Tabscope listener', () => {
  test('receives it as a new delivery, and a loop ends after one hop', async () => {
    const tab = engine()
    const own = `http://127.0.0.1:${tab.port}${tab.path}`
    const id = await captured()
    await tab.forget()
    await using _ = await forwardTo(tab, own)
    const attempt = await tab.engine.call('deliveries.resend', { id, url: own })
    expect(attempt).toMatchObject({ status: 200 })
    expect(attempt.notes).toEqual([expect.stringContaining('only one more time')])
    const [byHand, forwarded] = await tab.kept(2)
    expect(byHand).toMatchObject({ sentBy: 'send' })
    expect(forwarded).toMatchObject({ sentBy: 'forward' })
    const [reason] = await notForwarded(tab, forwarded?.id ?? 0)
    expect(reason).toMatch(/loop|Tabscope|again|itself/i)
    await until('nothing more to come', async () => {
      const { forwardHealth } = await tab.engine.call('app.snapshot', {})
      return forwardHealth.every(({ waiting, inFlight }) => waiting + inFlight === 0)
    })
    expect(await tab.kept(2)).toHaveLength(2)
  })
})

describe('a public target', () => {
  // TEST-NET-3 (RFC 5737): there is no host, and nothing is sent before the target is confirmed.
  const url = 'http://203.0.113.1/in'
  const given = { url, timeout: 1 }

  test('requires confirmation once', async () => {
    const { engine: host } = engine()
    expect(await host.call('compose.target', { url })).toEqual({
      target: {
        origin: 'http://203.0.113.1',
        location: 'public',
        confirmed: false,
        verifyTls: true,
      },
    })
    const rejection = await refusal(resend(given))
    expect(rejection).toMatchObject({ code: 'target_unconfirmed' })
    expect(rejection.message).toContain('http://203.0.113.1')
    const content = await draft({ url })
    expect((await refusal(host.call('compose.send', { content, timeout: 1 }))).code).toBe(
      'target_unconfirmed',
    )
    expect(await host.call('targets.set', { url, confirmed: true })).toMatchObject({
      confirmed: true,
    })
    for (const sent of [
      await resend(given),
      await host.call('compose.send', { content, timeout: 1 }),
    ]) {
      // Whatever the result, it was not rejected.
      expect(sent.error?.code).not.toBe('unconfirmed')
    }
    await host.call('targets.set', { url, confirmed: false })
  })
})
