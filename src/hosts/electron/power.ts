import { app, powerMonitor } from 'electron'
import type { Log } from '#engine/platform/ports.ts'
import type { EngineHost } from './engine/host.ts'
import type { Quitting } from './quitting/quitting.ts'
import type { InterfaceWindow } from './window/interface-window.ts'

interface Parts {
  readonly engine: Pick<EngineHost, 'woke'>
  readonly window: Pick<InterfaceWindow, 'onOpened'>
  readonly quitting: Pick<Quitting, 'atOnce'>
  /** Has the engine commit what it holds and end, without waiting for the windows. */
  readonly closeEngine: () => Promise<void>
  readonly log: Pick<Log, 'info'>
  readonly platform?: NodeJS.Platform
}

/**
 * Tells the engine when the computer wakes, so that it checks tunnel and listener at once, and quits in order when the system shuts down or the
 * user logs off. Only after the app is ready.
 */
export function startPower({
  engine,
  window,
  quitting,
  closeEngine,
  log,
  platform = process.platform,
}: Parts): void {
  powerMonitor.on('suspend', () => log.info('The computer goes to sleep.'))
  powerMonitor.on('resume', () => {
    log.info('The computer has woken.')
    engine.woke()
  })
  if (platform === 'win32') {
    // Only windows are told, and the system may end every process of the app as soon as this returns: so the engine is told at once. What it
    // does not get to is in the journal, and is stored at the next start. Without a quit that has begun, Electron would end this process here.
    window.onOpened((opened) => {
      opened.on('session-end', () => {
        quitting.quitNow()
        void closeEngine()
      })
    })
    return
  }
  // After the listeners above: on Linux Electron asks the system to wait only if this is not the first listener of any event.
  // The event is not in Electron's types, but in its documentation: prevented, the system waits some seconds for the app to end.
  powerMonitor.on('shutdown', (event?: { preventDefault(): void }) => {
    event?.preventDefault()
    quitting.quitNow()
  })
}

/** Chromium's own helpers, which it starts again itself. That of the engine is told of where it is started. */
export function logChildren(log: Log): void {
  app.on('child-process-gone', (_event, { type, reason, exitCode, name, serviceName }) => {
    if (reason === 'clean-exit' || name === 'Tabscope engine') return
    log.warn(
      `A process of Chromium ended: ${type} ${name ?? serviceName ?? ''}, ${reason}, code ${exitCode}`,
    )
  })
}
