import { app, powerMonitor } from 'electron'
import type { Log } from '#engine/ports.ts'
import type { EngineHost } from './engine/host.ts'

/** Tells the engine when the computer wakes, so that it looks at tunnel and listener at once. Only after the app is ready. */
export function startPower(engine: Pick<EngineHost, 'woke'>, log: Log): void {
  powerMonitor.on('suspend', () => log.info('The computer goes to sleep.'))
  powerMonitor.on('resume', () => {
    log.info('The computer has woken.')
    engine.woke()
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
