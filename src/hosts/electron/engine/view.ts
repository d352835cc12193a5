import type { MessagePortMain } from 'electron'
import type { CallInput, CallName, CallOutput, Snapshot } from '#contract/calls.ts'
import { createFrameClient } from '#contract/frame-client.ts'
import { HostFrame } from '#contract/host.ts'
import type { PushName, PushPayload } from '#contract/pushes.ts'
import { AppError, fromWire } from '#engine/platform/errors.ts'
import type { Log } from '#engine/platform/ports.ts'

/** Over the same contract as pages, for menu, tray, notifications and updates. Lives as long as the app; `join` connects it to a restarted engine. */
export interface EngineView {
  /** Rejects with `connection_lost` if no engine is running, or it ends first. */
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>>
  on<N extends PushName>(name: N, listener: (payload: PushPayload<N>) => void): void
  /** When the engine has opened, and after each restart. The latest snapshot is passed immediately. */
  onSnapshot(listener: (snapshot: Snapshot) => void): void
  /** The last known state is outdated. A new snapshot follows the restart. */
  onGone(listener: () => void): void
}

export interface JoinableView extends EngineView {
  join(port: MessagePortMain): void
}

export function createEngineView(log: Log): JoinableView {
  const snapshotListeners: ((snapshot: Snapshot) => void)[] = []
  const goneListeners: (() => void)[] = []
  let port: MessagePortMain | null = null
  let latest: Snapshot | null = null

  const frames = createFrameClient({
    welcomed: () => void takeSnapshot(),
    refused: fromWire,
    lost: notRunning,
  })

  async function takeSnapshot(): Promise<void> {
    try {
      latest = await view.call('app.snapshot', {})
      for (const listener of snapshotListeners) listener(latest)
    } catch (error) {
      log.warn(`Main could not get a snapshot from the engine: ${String(error)}`)
    }
  }

  function detach(detached: MessagePortMain): void {
    if (port !== detached) return
    port = null
    frames.closed()
    for (const listener of goneListeners) listener()
  }

  const view: JoinableView = {
    call: frames.call,
    on: (name, listener) => void frames.on(name, listener),
    onSnapshot(listener) {
      snapshotListeners.push(listener)
      if (latest !== null) listener(latest)
    },
    onGone: (listener) => void goneListeners.push(listener),
    join(joined) {
      if (port !== null) detach(port)
      port = joined
      joined.on('message', ({ data }) => {
        const frame = HostFrame.safeParse(data)
        if (frame.success && port === joined) frames.received(frame.data)
      })
      joined.on('close', () => detach(joined))
      joined.start()
      frames.opened((frame) => joined.postMessage(frame))
    },
  }
  return view
}

function notRunning(): AppError {
  return new AppError('connection_lost', 'The engine is not running. Try again in a moment.', {
    retry: 'later',
  })
}
