import { describe, expect, test } from 'vitest'
import type { CallInput } from '#contract/calls.ts'
import type { DraftContent } from '#contract/compose.ts'
import type { Attempt } from '#contract/sending.ts'
import { AppError } from '#engine/platform/errors.ts'
import { sharedTestEngine } from '#test/support/engine.ts'
import { deliver } from '#test/support/forwarding.ts'
import { goodBody, post } from '#test/support/requests.ts'

const engine = sharedTestEngine()
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

describe('a request that cannot be sent', () => {
  test.each([
    ['http://ada:lovelace@127.0.0.1:1/', /user name or password/],
    ['file:///etc/passwd', /file:/],
    ['menu.example:3000', /full URL/],
  ])('to %s', async (url, message) => {
    const { engine: host } = engine()
    const rejection = await refusal(resend({ url }))
    expect(rejection).toMatchObject({ code: 'bad_target', message: expect.stringMatching(message) })
    expect(rejection.message).not.toContain('lovelace')
    const content = await draft({ url })
    const { problems } = await host.call('compose.preview', { content })
    expect(problems).toMatchObject([{ code: 'url.invalid', severity: 'error', field: 'url' }])
    expect((await refusal(host.call('compose.send', { content }))).code).toBe('bad_target')
    expect(await host.call('compose.target', { url })).toEqual({ target: null })
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
