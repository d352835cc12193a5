import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import { interfaceClient } from '../support/interface-client.ts'
import type { Tabscope } from './processes.ts'

export async function call<N extends CallName>(
  { ui }: Tabscope,
  name: N,
  input: CallInput<N>,
): Promise<CallOutput<N>> {
  await using client = await interfaceClient(ui)
  await client.hello()
  const reply = await client.call(name, input)
  if (!reply.ok) throw new Error(reply.error.message)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the engine uses the same contract
  return reply.output as CallOutput<N>
}
