import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import { loopbackService } from '#test/support/loopback-service.ts'
import { sign } from '#test/support/requests.ts'
import { until } from '../until.ts'

type Call = <N extends CallName>(name: N, input: CallInput<N>) => Promise<CallOutput<N>>

/** Rehearses a handler that verifies signatures with this secret and repeats each body. Returns the ID of the run, which has ended. */
export async function rehearseInEngine(
  call: Call,
  secret: string,
  options: Omit<CallInput<'rehearsals.start'>, 'url' | 'seed'>,
): Promise<number> {
  await using service = await loopbackService(({ headers, body }, response) => {
    response.writeHead(headers['x-service-signature'] === sign(body, secret) ? 200 : 401).end(body)
  })
  const url = `${service.baseUrl}/webhooks`
  const { id } = await call('rehearsals.start', { url, seed: 7, ...options })
  await until('the rehearsal to end', async () => {
    const { rehearsal } = await call('rehearsals.get', { id })
    return rehearsal.endedAt !== null
  })
  return id
}
