import type { MessagePortMain } from 'electron'
import type { Snapshot } from '#contract/calls.ts'
import { createFrameClient } from '#contract/frame-client.ts'
import { HostFrame } from '#contract/host.ts'
import type { PushName, PushPayload } from '#contract/pushes.ts'
import { AppError, fromWire } from '#engine/platform/errors.ts'
import type { Log } from '#engine/platform/ports.ts'

export type EngineView = Omit<JoinableView, 'join'>

export type JoinableView = ReturnType<typeof createEngineView>

/** Over the same contract as pages, for menu, tray, notifications and updates. Lives as long as the app; `join` connects it to a restarted engine. */
export function createEngineView(log: Log) {
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
      latest = await frames.call('app.snapshot', {})
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

  return {
    /** Rejects with `connection_lost` if no engine is running, or it ends first. */
    call: frames.call,
    on: <N extends PushName>(name: N, listener: (payload: PushPayload<N>) => void): void =>
      void frames.on(name, listener),
    /** When the engine has opened, and after each restart. The latest snapshot is passed immediately. */
    onSnapshot(listener: (snapshot: Snapshot) => void): void {
      snapshotListeners.push(listener)
      if (latest !== null) listener(latest)
    },
    /** The last known state is outdated. A new snapshot follows the restart. */
    onGone: (listener: () => void): void => void goneListeners.push(listener),
    join(joined: MessagePortMain): void {
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
}

function notRunning(): AppError {
  return new AppError('connection_lost', 'The engine is not running. Try again in a moment.', {
    retry: 'later',
  })
}
