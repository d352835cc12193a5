import { decode, encode } from '@msgpack/msgpack'
import type { Page } from 'playwright-core'
import { z } from 'zod'
import type { CallName } from '#contract/calls.ts'
import { ClientFrame, HostFrame } from '#contract/host.ts'
import type { PushName, PushPayload } from '#contract/pushes.ts'

export interface InterceptedCalls {
  /** Sends an additional push to the page. */
  push<N extends PushName>(name: N, payload: PushPayload<N>): void
}

/** Overrides for replies and pushes. Everything else comes from the product. */
export interface Interceptions {
  /** Returns a replacement for a reply of the engine; `given` is the original reply, null if it was rejected. Undefined: keep the original. */
  readonly answers: Partial<Record<CallName, (given: unknown, input: unknown) => unknown>>
  /** Replacements for pushes by name. */
  readonly pushes: Partial<Record<PushName, () => unknown>>
}

const Frame = z.union(HostFrame.options)

/**
 * Simulates states that would require a week, a gigabyte, or an external server. Call it before the page is opened. The engine is
 * tested elsewhere.
 */
export async function interceptCalls(page: Page, made: Interceptions): Promise<InterceptedCalls> {
  /** Inserted pushes shift the sequence numbers of the engine's pushes. */
  let ours = 0
  let lastSeq = 0
  let push: ((name: PushName, payload: unknown) => void) | null = null
  await page.routeWebSocket(/\/wire$/, (socket) => {
    const server = socket.connectToServer()
    const answers = new Map<number, (given: unknown) => unknown>()
    const send = (frame: HostFrame): void => socket.send(Buffer.from(encode(frame)))
    push = (name, payload) => {
      ours += 1
      send({ kind: 'push', seq: lastSeq + ours, name, payload })
    }
    socket.onMessage((message) => {
      const frame = ClientFrame.parse(decode(Buffer.from(message)))
      if (frame.kind === 'call') {
        const entry = Object.entries(made.answers).find(([name]) => name === frame.name)
        if (entry) answers.set(frame.id, (given) => entry[1](given, frame.input))
      }
      server.send(message)
    })
    server.onMessage((message) => {
      const frame = Frame.parse(decode(Buffer.from(message)))
      if (frame.kind === 'reply') {
        const answer = answers.get(frame.id)
        if (!answer) return send(frame)
        const output = answer(frame.ok ? frame.output : null)
        if (output === undefined) return send(frame)
        return send({ kind: 'reply', id: frame.id, ok: true, output })
      }
      if (frame.kind === 'push') {
        lastSeq = frame.seq
        const entry = Object.entries(made.pushes).find(([name]) => name === frame.name)
        const payload = entry ? entry[1]() : frame.payload
        return send({ ...frame, seq: frame.seq + ours, payload })
      }
      lastSeq = Math.max(lastSeq, frame.seq)
      send(frame)
    })
  })
  return { push: (name, payload) => push?.(name, payload) }
}
