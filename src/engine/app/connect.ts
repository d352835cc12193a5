import { ClientFrame, type HostFrame } from '#contract/host.ts'
import type { Bus } from '../platform/event-bus.ts'
import type { Dispatch } from './dispatch.ts'

/** One connected interface. */
export interface Connection {
  /** Handles a frame as received, unparsed. Invalid frames are ignored. */
  receive(frame: unknown): void
  close(): void
}

/** Connects an interface. After its `hello` it gets the pushes it missed, then new ones. `version`: the version of the application. */
export function connect(
  bus: Bus,
  dispatch: Dispatch,
  version: string,
  send: (frame: HostFrame) => void,
): Connection {
  let unlisten: (() => void) | null = null
  const welcome = (session: string | null, lastSeq: number): void => {
    unlisten?.()
    const missed = bus.since(session, lastSeq)
    send({ kind: 'welcome', session: bus.session, seq: bus.seq, reload: missed === null, version })
    for (const frame of missed ?? []) send(frame)
    unlisten = bus.listen(send)
  }
  return {
    receive: (raw) => {
      const parsed = ClientFrame.safeParse(raw)
      if (!parsed.success) return
      const frame = parsed.data
      switch (frame.kind) {
        case 'hello':
          welcome(frame.session, frame.lastSeq)
          break
        case 'call':
          void dispatch
            .answer(frame.name, frame.input)
            .then((answer) =>
              send(
                answer.ok
                  ? { kind: 'reply', id: frame.id, ok: true, output: answer.output }
                  : { kind: 'reply', id: frame.id, ok: false, error: answer.error },
              ),
            )
          break
      }
    },
    close: () => {
      unlisten?.()
      unlisten = null
    },
  }
}
