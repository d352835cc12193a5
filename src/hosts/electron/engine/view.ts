import type { MessagePortMain } from 'electron'
import type { CallInput, CallName, CallOutput, Snapshot } from '#contract/calls.ts'
import { createFrameClient } from '#contract/frame-client.ts'
import { HostFrame } from '#contract/host.ts'
import type { PushName, PushPayload } from '#contract/pushes.ts'
import { AppError, fromWire } from '#engine/platform/errors.ts'
import type { Log } from '#engine/platform/ports.ts'

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

export function createEngineView(log: Log): JoinedView {
  const onSnapshots: ((snapshot: Snapshot) => void)[] = []
  const onGones: (() => void)[] = []
  let port: MessagePortMain | null = null
  let latest: Snapshot | null = null

  const frames = createFrameClient({
    welcomed: () => void takeSnapshot(),
    refused: fromWire,
    lost: gone,
  })

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
    frames.closed()
    for (const listener of onGones) listener()
  }

  const view: JoinedView = {
    call: frames.call,
    on: (name, listener) => void frames.on(name, listener),
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
        if (frame.success && port === joined) frames.received(frame.data)
      })
      joined.on('close', () => leave(joined))
      joined.start()
      frames.opened((frame) => joined.postMessage(frame))
    },
  }
  return view
}

function gone(): AppError {
  return new AppError('connection_lost', 'The engine is not running. Try again in a moment.', {
    retry: 'later',
  })
}
