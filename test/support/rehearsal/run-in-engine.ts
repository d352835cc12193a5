import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import { until } from '../until.ts'

type Call = <N extends CallName>(name: N, input: CallInput<N>) => Promise<CallOutput<N>>

/** Rehearses a handler that verifies signatures with this secret and repeats each body. Returns the ID of the run, which has ended. */
export async function rehearseInEngine(
  call: Call,
  secret: string,
  options: Omit<CallInput<'rehearsals.start'>, 'url' | 'seed'>,
): Promise<number> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const body = Buffer.concat(pieces)
      const expected = createHmac('sha256', secret).update(body).digest('hex')
      response.writeHead(request.headers['x-service-signature'] === expected ? 200 : 401).end(body)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo
  try {
    const url = `http://127.0.0.1:${port}/webhooks`
    const { id } = await call('rehearsals.start', { url, seed: 7, ...options })
    await until('the rehearsal to end', async () => {
      const { rehearsal } = await call('rehearsals.get', { id })
      return rehearsal.endedAt !== null
    })
    return id
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
