import { ClientFrame, type HostFrame } from '#contract/host.ts'
import type { Bus, PushFrame } from '../platform/event-bus.ts'
import type { Dispatch } from './dispatch.ts'

export interface Connection {
  /** `frame`: as received, unparsed. Invalid frames are ignored. */
  receive(frame: unknown): void
  close(): void
}

/** A client with more unread bytes gets no more pushes. More than a slice of a body, whose reply must not cause a reload. */
const backlogLimit = 8 * 1024 * 1024
/** How often to check whether such a client has read enough to continue. */
const resumeEveryMs = 100

export interface Client {
  readonly send: (frame: HostFrame) => void
  /** Bytes that the client has not read yet. Absent: unknown. */
  readonly backlog?: (() => number) | undefined
}

/**
 * Connects a client. After its `hello` it gets the pushes it missed, then new ones: those it has named, or all. One that gets all and reads too slowly
 * misses pushes, and is welcomed again with a reload once it has read most of what was sent.
 */
export function connect(
  bus: Bus,
  dispatch: Dispatch,
  version: string,
  { send, backlog = () => 0 }: Client,
): Connection {
  let unlisten: (() => void) | null = null
  let wanted: Set<string> | null = null
  let resuming: NodeJS.Timeout | null = null

  const greet = (reload: boolean): void =>
    send({ kind: 'welcome', session: bus.session, seq: bus.seq, reload, version })
  const resume = (): void => {
    if (backlog() > backlogLimit / 4) return
    stopResuming()
    greet(true)
  }
  const stopResuming = (): void => {
    if (resuming) clearInterval(resuming)
    resuming = null
  }
  const push = (frame: PushFrame): void => {
    if (wanted !== null) {
      if (wanted.has(frame.name)) send(frame)
    } else if (resuming === null) {
      if (backlog() <= backlogLimit) send(frame)
      else resuming = setInterval(resume, resumeEveryMs).unref()
    }
  }
  const welcome = (session: string | null, lastSeq: number): void => {
    unlisten?.()
    stopResuming()
    const missed = bus.since(session, lastSeq)
    greet(missed === null)
    for (const frame of missed ?? []) push(frame)
    unlisten = bus.listen(push)
  }
  return {
    receive: (raw) => {
      const parsed = ClientFrame.safeParse(raw)
      if (!parsed.success) return
      const frame = parsed.data
      switch (frame.kind) {
        case 'hello':
          wanted = frame.pushes ? new Set(frame.pushes) : null
          welcome(frame.session, frame.lastSeq)
          break
        case 'subscribe':
          wanted?.add(frame.push)
          break
        case 'call':
          void dispatch
            .answer(frame.name, frame.input)
            .then((answer) => send({ kind: 'reply', id: frame.id, ...answer }))
          break
      }
    },
    close: () => {
      unlisten?.()
      unlisten = null
      stopResuming()
    },
  }
}
