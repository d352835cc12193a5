import { app, powerMonitor, powerSaveBlocker } from 'electron'
import type { Log } from '#engine/platform/ports.ts'
import type { EngineHost } from './engine/host.ts'
import type { Quitting } from './quitting.ts'
import type { InterfaceWindow } from './window/interface-window.ts'

interface Parts {
  readonly engine: Pick<EngineHost, 'woke'>
  readonly window: Pick<InterfaceWindow, 'onOpened'>
  readonly quitting: Pick<Quitting, 'quitNow'>
  /** Commits the data, without waiting for the windows. */
  readonly closeEngine: () => Promise<void>
  readonly log: Pick<Log, 'info'>
  readonly platform?: NodeJS.Platform
}

/** On wake, the engine checks tunnel and listener. Quits cleanly when the system shuts down or the user logs off. The app must be ready. */
export function startPower({
  engine,
  window,
  quitting,
  closeEngine,
  log,
  platform = process.platform,
}: Parts): void {
  powerMonitor.on('suspend', () => log.info('The computer is going to sleep.'))
  powerMonitor.on('resume', () => {
    log.info('The computer woke up.')
    engine.woke()
  })
  if (platform === 'win32') {
    // Windows notifies only windows, and may end every process of the app as soon as this listener returns, so the engine is closed immediately. Unless a quit has begun, Electron would end this process here.
    window.onOpened((opened) => {
      opened.on('session-end', () => {
        quitting.quitNow()
        void closeEngine()
      })
    })
    return
  }
  // After the listeners above: on Linux Electron asks the system to wait only if this is not the first listener of any event.
  // The event is documented, but not in Electron's types: if it is prevented, the system waits some seconds for the app to end.
  powerMonitor.on('shutdown', (event?: { preventDefault(): void }) => {
    event?.preventDefault()
    quitting.quitNow()
  })
}

/** Call the result whenever `isWanted` may have changed. The display may turn off. The app must be ready. */
export function createSleepBlocker(isWanted: () => boolean): () => void {
  let blocker: number | null = null
  return () => {
    if (isWanted()) blocker ??= powerSaveBlocker.start('prevent-app-suspension')
    else if (blocker !== null) {
      powerSaveBlocker.stop(blocker)
      blocker = null
    }
  }
}

/** Chromium restarts its helper processes itself. The end of the engine process is logged where it is started. */
export function logChildren(log: Log): void {
  app.on('child-process-gone', (_event, { type, reason, exitCode, name, serviceName }) => {
    if (reason === 'clean-exit' || name === 'Tabscope engine') return
    log.warn(
      `A Chromium process ended: ${type} ${name ?? serviceName ?? ''}, ${reason}, code ${exitCode}`,
    )
  })
}
