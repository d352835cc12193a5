import { describe, expect, test } from 'vitest'
import type { CallInput } from '#contract/calls.ts'
import type { Attempt } from '#contract/sending.ts'
import { sharedTestEngine } from '#test/support/engine.ts'
import { captured } from '#test/support/forwarding.ts'
import { rawTarget, reply } from '#test/support/raw-target.ts'
import { sha256 } from '#test/support/requests.ts'
import { until } from '#test/support/until.ts'
import { secureServer } from '#test/support/secure-server.ts'

const engine = sharedTestEngine()
const edited = Buffer.from(
  '{"type":"QR_SCANNED","targetId":"spot-4","createdAt":"2026-03-14T21:00:00.000Z","data":{}}',
)

function resend(id: number, options: Omit<CallInput<'deliveries.resend'>, 'id'>): Promise<Attempt> {
  return engine().engine.call('deliveries.resend', { id, ...options })
}

test('an edited body arrives at the Tabscope listener with a valid signature and matching headers', async () => {
  const tab = engine()
  const id = await captured(engine())
  await tab.forget()
  const attempt = await resend(id, { edits: { body: edited } })
  expect(attempt).toMatchObject({
    deliveryId: id,
    kind: 'resend',
    status: 200,
    error: null,
    edited: true,
    bodyEdited: true,
    signing: 'signed',
    secretName: 'current of Samples',
    requestBytes: edited.byteLength,
  })
  expect(attempt.request.sha256).toBe(sha256(edited))
  expect(attempt.notes).toEqual([expect.stringContaining('the Tabscope listener')])
  const again = await tab.one()
  expect(again).toMatchObject({ verdict: 'valid', type: 'QR_SCANNED', sentBy: 'send' })
  expect(
    again.findings.map(({ code }) => code).filter((code) => code.startsWith('header')),
  ).toEqual([])
  expect(again.body.equals(edited)).toBe(true)
  const sent = await tab.engine.call('attempts.body', {
    id: attempt.id,
    which: 'request',
    offset: 0,
    length: 1000,
  })
  expect(Buffer.from(sent.bytes).equals(edited)).toBe(true)
})

describe('the record of an attempt', () => {
  test('a redirect is not followed, and reports its location', async () => {
    const id = await captured(engine())
    await using elsewhere = await rawTarget()
    await using target = await rawTarget(() => reply(302, '', [`Location: ${elsewhere.origin}/x`]))
    const attempt = await resend(id, { url: target.origin })
    expect(attempt).toMatchObject({ status: 302, error: null })
    expect(attempt.notes).toEqual([expect.stringContaining(`${elsewhere.origin}/x`)])
    expect(elsewhere.received).toEqual([])
  })

  test('an untrusted certificate is an error, unless verification is skipped', async () => {
    const id = await captured(engine())
    await using server = await secureServer()
    const url = `https://127.0.0.1:${server.port}/`
    expect(await resend(id, { url })).toMatchObject({ status: null, error: { code: 'tls' } })
    const { engine: host } = engine()
    const notLooked = {
      status: 200,
      tlsVerified: false,
      notes: [expect.stringContaining('TLS verification was skipped')],
    }
    expect(await resend(id, { url, insecure: true })).toMatchObject(notLooked)
    // Only for that request.
    expect(await resend(id, { url })).toMatchObject({ error: { code: 'tls' } })
    await host.call('targets.set', { url, verifyTls: false })
    expect(await resend(id, { url })).toMatchObject(notLooked)
    await host.call('targets.set', { url, verifyTls: true })
    expect(await resend(id, { url })).toMatchObject({ error: { code: 'tls' } })
  })

  test('is aborted when it is canceled by its key', async () => {
    const id = await captured(engine())
    await using target = await rawTarget(() => null)
    const going = resend(id, { url: target.origin, key: 'mine' })
    await until('the request to arrive', () => target.received.length === 1)
    await engine().engine.call('attempts.cancel', { key: 'another' })
    await engine().engine.call('attempts.cancel', { key: 'mine' })
    expect(await going).toMatchObject({ status: null, error: { code: 'aborted' } })
  })
})
