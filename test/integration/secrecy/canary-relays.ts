import { expect } from 'vitest'
import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import { freePort } from '#test/support/free-port.ts'
import { invitationOf } from '#test/support/nats/records.ts'
import { natsServer } from '#test/support/nats/server.ts'
import { openRelay } from '#test/support/nats/receiving.ts'

type Call = <N extends CallName>(name: N, input: CallInput<N>) => Promise<CallOutput<N>>

/** Makes every call of relays, with an invitation that has `seed`. Without nats-server they are refused. */
export async function relaysWithSecrets(call: Call, seed: string): Promise<void> {
  const unreachable = invitationOf(`nats://127.0.0.1:${await freePort()}`, { seed })
  await call('relay.read', { invitation: unreachable })
  const damaged = unreachable.slice(0, -20)
  await expect(call('relay.read', { invitation: damaged })).rejects.toMatchObject({
    code: 'bad_input',
  })
  await expect(call('relay.add', { invitation: damaged })).rejects.toThrow()
  await expect(call('relay.add', { invitation: unreachable })).rejects.toMatchObject({
    code: 'relay_failed',
  })
  await using relay = natsServer === null ? null : await openRelay()
  const id = relay
    ? (await call('relay.add', { invitation: invitationOf(relay.nats.url, { seed }) })).id
    : 1
  await call('relay.list', {})
  const others = [
    () => call('relay.update', { id, forward: true }),
    () => call('relay.connect', { id }),
    () => call('relay.dismiss', { id, what: 'away' }),
    () => call('relay.forget', { id, deliveries: true }),
  ] as const
  for (const other of others) {
    if (relay) await other()
    else await expect(other()).rejects.toMatchObject({ code: 'not_found' })
  }
}
