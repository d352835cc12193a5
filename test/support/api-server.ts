import type { ServerResponse } from 'node:http'
import { loopbackService } from './loopback-service.ts'

export interface Arrived {
  readonly method: string
  readonly url: string
  /** In received order and case, including duplicates. */
  readonly headers: readonly [name: string, value: string][]
  readonly body: Buffer
}

export interface ApiServer extends AsyncDisposable {
  readonly origin: string
  readonly port: number
  readonly arrived: readonly Arrived[]
}

export function headerOf({ headers }: Arrived, name: string): string | undefined {
  const found = headers.filter(([header]) => header.toLowerCase() === name.toLowerCase())
  if (found.length > 1) throw new Error(`${name} was received ${found.length} times`)
  return found[0]?.[1]
}

export async function apiServer(
  answer: (request: Arrived, response: ServerResponse) => unknown,
): Promise<ApiServer> {
  const arrived: Arrived[] = []
  const service = await loopbackService(({ method, url, rawHeaders, body }, response) => {
    const headers = rawHeaders.flatMap((name, at): [string, string][] =>
      at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? '']] : [],
    )
    const whole = { method, url, headers, body }
    arrived.push(whole)
    answer(whole, response)
  })
  return { ...service, origin: service.baseUrl, arrived }
}
