import type { ServerResponse } from 'node:http'
import { loopbackService } from '#test/support/loopback-service.ts'

/** Receives re-sent deliveries. Each has its number in its body (`deliverNumbered`). */
export interface Receiver extends AsyncDisposable {
  readonly url: string
  /** Numbers in the order in which their requests were completely received. */
  readonly received: readonly number[]
  /** If true, further requests get no response; false responds to all waiting requests. */
  hold(held: boolean): void
}

export async function openReceiver(): Promise<Receiver> {
  const received: number[] = []
  let held = false
  let waiting: ServerResponse[] = []
  const service = await loopbackService(({ body }, response) => {
    received.push(Number(/"number":(\d+)/.exec(body.toString())?.[1]))
    if (held) waiting.push(response)
    else response.end()
  })
  return {
    ...service,
    url: `${service.baseUrl}/in`,
    received,
    hold: (now) => {
      held = now
      if (held) return
      for (const response of waiting) response.end()
      waiting = []
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
