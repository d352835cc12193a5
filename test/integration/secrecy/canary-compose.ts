import { expect } from 'vitest'
import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import { signFaults, type SignChoice } from '#contract/sending.ts'
import { until } from '#test/support/until.ts'

type Call = <N extends CallName>(name: N, input: CallInput<N>) => Promise<CallOutput<N>>

/** Re-sends and composes with each secret in every way, including a missing secret. */
export async function composeWithSecrets(
  call: Call,
  of: { readonly deliveryId: number; readonly endpointId: number },
): Promise<void> {
  const { deliveryId, endpointId } = of
  const body = Buffer.from('{"type":"OPEN_TAB"}')
  const choices: SignChoice[] = [
    { how: 'auto' },
    { how: 'secret', endpointId, which: 'current' },
    ...signFaults.map((fault) => ({ how: 'broken', endpointId, which: 'current', fault }) as const),
  ]
  const content = await call('compose.start', { from: { kind: 'delivery', id: deliveryId } })
  for (const sign of choices) {
    const sent = await call('deliveries.resend', { id: deliveryId, sign, edits: { body } })
    expect(sent.status).toBe(200)
    const edited = { ...content, sign, body: { kind: 'bytes', bytes: body } as const }
    const { signature } = await call('compose.preview', { content: edited })
    expect(signature.value).not.toBeNull()
    await call('compose.send', { content: edited, key: 'a key' })
  }
  const gone = { how: 'secret', endpointId, which: 'previous' } as const
  const missing = { ...content, sign: gone }
  const { problems } = await call('compose.preview', { content: missing })
  expect(problems.map(({ code }) => code)).toEqual(['sign.no_secret'])
  const unavailable = { code: 'secret_unavailable' }
  await expect(call('compose.send', { content: missing })).rejects.toMatchObject(unavailable)
  const refused = call('deliveries.resend', { id: deliveryId, sign: gone })
  await expect(refused).rejects.toMatchObject(unavailable)
  await call('attempts.cancel', { key: 'a key' })
  const { content: copied } = await call('compose.curl', { command: `curl ${content.url} -d a` })
  await call('compose.preview', { content: { ...copied, sign: { how: 'auto' } } })
  await call('compose.original', { deliveryId })
}

/** Holds deliveries, and decides about them in every way. `url`: a target. */
export async function holdWithSecrets(
  call: Call,
  { endpointId, url }: { readonly endpointId: number; readonly url: string },
): Promise<void> {
  const held = (count: number): Promise<number[]> =>
    until(`${count} held`, async () => {
      const state = await call('hold.state', {})
      return state.held.length === count ? state.held.map(({ deliveryId }) => deliveryId) : null
    })
  const forward = await call('forwards.add', { endpointId, url })
  await call('hold.add', { filter: 'type:OPEN_TAB' })
  for (let n = 0; n < 3; n += 1) await call('sandbox.send', { endpointId, types: ['OPEN_TAB'] })
  const [edited = 0, dropped = 0] = await held(3)
  const content = await call('hold.edit', { id: edited })
  const body = { kind: 'bytes', bytes: Buffer.from('{"type":"OPEN_TAB","n":1}') } as const
  const sign = { how: 'secret', endpointId, which: 'current' } as const
  await call('hold.release', { ids: [edited], content: { ...content, body, sign } })
  await call('hold.drop', { ids: [dropped] })
  await call('hold.release', {})
  await call('hold.stop', {})
  await call('hold.add', { at: 'response', count: 1 })
  const sent = call('sandbox.send', { endpointId, types: ['OPEN_TAB'] })
  await held(1)
  await call('hold.respond', { status: 418 })
  await sent
  await call('forwards.remove', { id: forward.id })
}
