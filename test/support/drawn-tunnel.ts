import { decode, encode } from '@msgpack/msgpack'
import type { Page } from 'playwright-core'
import { z } from 'zod'
import type { TunnelProviderView, TunnelSpan, TunnelView } from '#contract/tunnel.ts'
import { ClientFrame, HostFrame } from '#contract/host.ts'

export interface DrawnTunnel {
  /** Shows this from now on. */
  show(view: TunnelView): void
}

export interface Drawn {
  readonly view: TunnelView
  readonly history: readonly TunnelSpan[]
  readonly providers: readonly TunnelProviderView[]
}

const Snapshot = z.looseObject({ tunnel: z.unknown() })
const Frame = z.union(HostFrame.options)

/**
 * For looking at states that take a week, or somebody else's server, to come about: what the page hears of the tunnel is made up, all else is the
 * product's. Called before the page is opened. What the tunnel does is tested without this.
 */
export async function drawTunnel(page: Page, drawn: Drawn): Promise<DrawnTunnel> {
  let { view } = drawn
  /** Pushes of ours come between those of the engine, whose numbers move up. */
  let ours = 0
  let lastSeq = 0
  let push: ((view: TunnelView) => void) | null = null
  await page.routeWebSocket(/\/wire$/, (socket) => {
    const server = socket.connectToServer()
    const answers = new Map<number, (output: unknown) => unknown>()
    const send = (frame: HostFrame): void => socket.send(Buffer.from(encode(frame)))
    push = (payload) => {
      ours += 1
      send({ kind: 'push', seq: lastSeq + ours, name: 'tunnel.changed', payload })
    }
    socket.onMessage((message) => {
      const frame = ClientFrame.parse(decode(Buffer.from(message)))
      if (frame.kind === 'call') {
        if (frame.name === 'tunnel.history') answers.set(frame.id, () => drawn.history)
        else if (frame.name === 'tunnel.providers') answers.set(frame.id, () => drawn.providers)
        else if (frame.name.startsWith('tunnel.')) answers.set(frame.id, () => view)
        else if (frame.name === 'app.snapshot') {
          answers.set(frame.id, (output) => ({ ...Snapshot.parse(output), tunnel: view }))
        }
      }
      server.send(message)
    })
    server.onMessage((message) => {
      const frame = Frame.parse(decode(Buffer.from(message)))
      if (frame.kind === 'reply') {
        const answer = answers.get(frame.id)
        if (!answer) return send(frame)
        const output = answer(frame.ok ? frame.output : null)
        return send({ kind: 'reply', id: frame.id, ok: true, output })
      }
      if (frame.kind === 'push') {
        lastSeq = frame.seq
        if (frame.name === 'tunnel.changed')
          return send({ ...frame, seq: frame.seq + ours, payload: view })
        return send({ ...frame, seq: frame.seq + ours })
      }
      lastSeq = Math.max(lastSeq, frame.seq)
      send(frame)
    })
  })
  return {
    show: (next) => {
      view = next
      push?.(next)
    },
  }
}
