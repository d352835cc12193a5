import type { ClientFrame, HostFrame } from '#contract/host.ts'
import type { DeliverySummary } from '#contract/models.ts'
import { summary } from '#test/support/sample-summary.ts'
import type { PushName, PushPayload } from '#contract/pushes.ts'
import type { Transport, TransportEvents } from '#client/client.ts'

type Call = Extract<ClientFrame, { kind: 'call' }>

/** The far end of a transport, driven by hand. */
export class FakeHost {
  readonly frames: ClientFrame[] = []
  /** Responds to a call immediately; undefined: never. */
  answer: (call: Call) => unknown = () => undefined
  ended = false
  seq = 0
  #events: TransportEvents | null = null

  readonly transport: Transport = (events) => {
    this.#events = events
    return () => {
      this.ended = true
    }
  }

  get calls(): Call[] {
    return this.frames.filter((frame) => frame.kind === 'call')
  }

  open(): void {
    this.#events?.opened((frame) => {
      this.frames.push(frame)
      if (frame.kind !== 'call') return
      const output = this.answer(frame)
      if (output !== undefined) this.reply(frame.id, output)
    })
  }

  close(retryIn: number | null = 200): void {
    this.#events?.closed(retryIn)
  }

  tell(frame: HostFrame): void {
    this.#events?.received(frame)
  }

  welcome(session = 'run-1', reload = false): void {
    this.tell({ kind: 'welcome', session, seq: this.seq, reload, version: '1.0.0' })
  }

  reply(id: number, output: unknown): void {
    this.tell({ kind: 'reply', id, ok: true, output })
  }

  push<N extends PushName>(name: N, payload: PushPayload<N>): void {
    this.seq += 1
    this.tell({ kind: 'push', seq: this.seq, name, payload })
  }
}

export function summaries(newest: number, oldest: number): DeliverySummary[] {
  return Array.from({ length: newest - oldest + 1 }, (_, index) => summary(newest - index))
}
