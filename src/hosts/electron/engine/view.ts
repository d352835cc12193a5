import type { MessagePortMain } from 'electron'
import type { CallInput, CallName, CallOutput, Snapshot } from '#contract/calls.ts'
import { HostFrame, type ClientFrame } from '#contract/host.ts'
import type { PushName, PushPayload } from '#contract/pushes.ts'
import { AppError, fromWire } from '#engine/errors.ts'
import type { Log } from '#engine/ports.ts'

/**
 * Main as a client of the engine, by the contract that pages have: what the menu, the tray, notifications and updates know of it. It lives
 * as long as the app; an engine that was started again is joined by `join`.
 */
export interface EngineView {
  /** Rejects with `connection_lost` where there is no engine, or none any more before it has answered. */
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>>
  on<N extends PushName>(name: N, listener: (payload: PushPayload<N>) => void): void
  /** With each new picture of the engine: when it has opened, and again after it was started anew. The last one is told at once. */
  onSnapshot(listener: (snapshot: Snapshot) => void): void
  /** There is no engine any more: what was told of it holds no longer. A new picture comes with the next one. */
  onGone(listener: () => void): void
}

export interface JoinedView extends EngineView {
  /** Takes this port instead of the one before. */
  join(port: MessagePortMain): void
}

type Reply = Extract<HostFrame, { kind: 'reply' }>

export function createEngineView(log: Log): JoinedView {
  const waiting = new Map<number, (reply: Reply | null) => void>()
  const listeners = new Map<string, ((payload: unknown) => void)[]>()
  const onSnapshots: ((snapshot: Snapshot) => void)[] = []
  const onGones: (() => void)[] = []
  let port: MessagePortMain | null = null
  let latest: Snapshot | null = null
  let lastId = 0

  function receive(frame: HostFrame): void {
    switch (frame.kind) {
      case 'welcome':
        void takeSnapshot()
        break
      case 'reply':
        waiting.get(frame.id)?.(frame)
        waiting.delete(frame.id)
        break
      case 'push':
        for (const listener of listeners.get(frame.name) ?? []) listener(frame.payload)
        break
    }
  }

  async function takeSnapshot(): Promise<void> {
    try {
      latest = await view.call('app.snapshot', {})
      for (const listener of onSnapshots) listener(latest)
    } catch (error) {
      log.warn(`The engine gave main no picture of itself: ${String(error)}`)
    }
  }

  function leave(left: MessagePortMain): void {
    if (port !== left) return
    port = null
    const lost = [...waiting.values()]
    waiting.clear()
    for (const settle of lost) settle(null)
    for (const listener of onGones) listener()
  }

  const view: JoinedView = {
    async call(name, input) {
      if (port === null) throw gone()
      lastId += 1
      const { promise, resolve } = Promise.withResolvers<Reply | null>()
      waiting.set(lastId, resolve)
      send(port, { kind: 'call', id: lastId, name, input })
      const reply = await promise
      if (reply === null) throw gone()
      if (!reply.ok) throw fromWire(reply.error)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the engine answers call `name` with what the contract says, checked on its side
      return reply.output as CallOutput<typeof name>
    },
    on(name, listener) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above, for pushes
      const untyped = (payload: unknown): void => listener(payload as PushPayload<typeof name>)
      listeners.set(name, [...(listeners.get(name) ?? []), untyped])
    },
    onSnapshot(listener) {
      onSnapshots.push(listener)
      if (latest !== null) listener(latest)
    },
    onGone: (listener) => void onGones.push(listener),
    join(joined) {
      if (port !== null) leave(port)
      port = joined
      joined.on('message', ({ data }) => {
        const frame = HostFrame.safeParse(data)
        if (frame.success && port === joined) receive(frame.data)
      })
      joined.on('close', () => leave(joined))
      joined.start()
      send(joined, { kind: 'hello', session: null, lastSeq: 0 })
    },
  }
  return view
}

function send(to: MessagePortMain, frame: ClientFrame): void {
  to.postMessage(frame)
}

function gone(): AppError {
  return new AppError(
    'connection_lost',
    'The engine is not there just now. Try again in a moment.',
    {
      retry: 'later',
    },
  )
}
