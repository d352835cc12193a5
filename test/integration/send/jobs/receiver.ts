import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'

/** Receives re-sent deliveries. Each has its number in its body (`deliverNumbered`). */
export interface Receiver extends AsyncDisposable {
  readonly url: string
  /** Numbers in the order in which their requests were completely received. */
  readonly received: readonly number[]
  waiting(): number
  /** If true, further requests get no response; false responds to all waiting requests. */
  hold(held: boolean): void
}

export async function openReceiver(
  statusOf: (number: number) => number = () => 200,
): Promise<Receiver> {
  const received: number[] = []
  let held = false
  let waiting: { number: number; response: ServerResponse }[] = []
  const answer = ({ number, response }: { number: number; response: ServerResponse }): void => {
    response.writeHead(statusOf(number)).end()
  }
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (part: string) => (text += part))
    request.on('end', () => {
      const number = Number(/"number":(\d+)/.exec(text)?.[1])
      received.push(number)
      if (held) waiting.push({ number, response })
      else answer({ number, response })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}/in`,
    received,
    waiting: () => waiting.length,
    hold: (now) => {
      held = now
      if (held) return
      for (const one of waiting) answer(one)
      waiting = []
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export async function deliverNumbered(origin: string, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const response = await fetch(origin, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: `{"type":"OPEN_TAB","number":${number}}`,
    })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`answered ${response.status}`)
  }
}

export const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index)
