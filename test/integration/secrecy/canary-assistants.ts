import { expect } from 'vitest'
import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import { until } from '#test/support/until.ts'

type Call = <N extends CallName>(name: N, input: CallInput<N>) => Promise<CallOutput<N>>

/** Makes every call of coding assistants. They send to a service that echoes what it receives. */
export async function assistantsWithSecrets(
  call: Call,
  of: { readonly endpointId: number; readonly url: string },
): Promise<void> {
  const begin = async (tool: string): Promise<number> => {
    const { id } = await call('assistants.begin', { client: 'test', tool, arguments: '' })
    return id
  }
  const allow = async (id: number): Promise<void> => {
    await until('the request', async () => {
      const calls = await call('assistants.list', {})
      return calls.some((each) => each.id === id && each.outcome === 'waiting')
    })
    await call('assistants.shown', { id })
    await call('assistants.decide', { id, allowed: true })
  }
  await call('settings.update', {
    assistantTargets: [{ name: 'echo', url: of.url, endpointId: of.endpointId }],
  })
  const id = await begin('send')
  const sending = call('assistants.send', { id, target: 'echo', type: 'OPEN_TAB', fields: {} })
  await allow(id)
  expect((await sending).error).toBeNull()
  await call('assistants.end', { id, outcome: 'done' })

  const second = await begin('rehearse')
  const options = { target: 'echo', only: ['G1'], seed: 1 }
  const starting = call('assistants.rehearse', { id: second, ...options })
  await allow(second)
  const run = await starting
  await until('the run to end', async () => {
    const { rehearsal } = await call('rehearsals.get', { id: run.id })
    return rehearsal.endedAt !== null
  })
  await call('assistants.end', { id: second, outcome: 'done' })
}
