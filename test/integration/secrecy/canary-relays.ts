import { expect } from 'vitest'
import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import { freePort } from '#test/support/free-port.ts'
import { invitationOf } from '#test/support/nats/records.ts'
import { natsServer } from '#test/support/nats/server.ts'
import { openRelay } from '#test/support/nats/receiving.ts'

type Call = <N extends CallName>(name: N, input: CallInput<N>) => Promise<CallOutput<N>>

interface RelaySecrets {
  readonly seed: string
  readonly ca: string
}

/** Makes every call of relays but the last one, which is returned, with invitations that have the secrets. Without nats-server they are refused. */
export async function relaysWithSecrets(
  call: Call,
  secrets: RelaySecrets,
  stack: AsyncDisposableStack,
): Promise<() => Promise<void>> {
  const unreachable = invitationOf(`nats://127.0.0.1:${await freePort()}`, secrets)
  await call('relay.read', { invitation: unreachable })
  const damaged = unreachable.slice(0, -20)
  await expect(call('relay.read', { invitation: damaged })).rejects.toMatchObject({
    code: 'bad_input',
  })
  await expect(call('relay.add', { invitation: damaged })).rejects.toThrow()
  await expect(call('relay.add', { invitation: unreachable })).rejects.toMatchObject({
    code: 'relay_failed',
  })
  const relay = natsServer === null ? null : stack.use(await openRelay())
  const invitation = relay ? invitationOf(relay.nats.url, secrets) : unreachable
  const id = relay ? (await call('relay.add', { invitation })).id : 1
  await call('relay.list', {})
  const attempted = async (work: Promise<unknown>): Promise<void> => {
    if (relay) await work
    else await expect(work).rejects.toMatchObject({ code: 'not_found' })
  }
  await attempted(call('relay.update', { id, forward: true }))
  await attempted(call('relay.connect', { id }))
  return () => attempted(call('relay.forget', { id, deliveries: true }))
}
