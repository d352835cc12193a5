// Electron's main process: puts the host together. It owns windows, dialogs and safeStorage; all else is the engine's.
import { app, dialog, session } from 'electron'
import path from 'node:path'
import { z } from 'zod'
import { portGiven, portWanted } from '#contract/handover-names.ts'
import { startAtHome } from './at-home.ts'
import { readArguments, type Arguments } from './arguments.ts'
import { createAuthorizationWindows } from './authorization-window.ts'
import { startEngine, type EngineHost } from './engine-host.ts'
import { LOGS_URL } from './app-url.ts'
import type { DesktopHost } from './desktop-host.ts'
import { createEngineView } from './engine-view.ts'
import { createFileDialogs } from './file-dialogs.ts'
import { openHandedOver } from './handed-over.ts'
import { createInterfaceWindow } from './interface-window.ts'
import { openIpc } from './ipc.ts'
import { defaultDataDir } from '../data-dir.ts'
import { logFileIn, openLog } from '../log.ts'
import { openExternal } from './open-external.ts'
import { refusePermissions } from './permissions.ts'
import { registerAppScheme, serveInterface } from './protocol.ts'
import { openSystemSecrets } from './secrets.ts'
import { systemFacts } from './system-facts.ts'
import { confine } from './window.ts'

const out = path.join(app.getAppPath(), 'out')
const window = createInterfaceWindow(path.join(out, 'preload/preload.cjs'))
const authorizationWindow = createAuthorizationWindows()
const handedOver = openHandedOver()

/** Reads the arguments and claims the data folder. Null: another Tabscope has it, and was told to come forward. */
function claimDataDir(): (Arguments & { dataDir: string }) | null {
  const given = readArguments(process.argv.slice(1), process.cwd())
  // What it was started with, should another Tabscope have to take it.
  const handed = { files: given.files }
  // Electron's lock is one for each `userData`: so each data folder must have its own.
  if (given.dataDir !== undefined) app.setPath('userData', path.join(given.dataDir, 'interface'))
  if (!app.requestSingleInstanceLock(handed)) return null
  handedOver.take(given.files)
  return { ...given, dataDir: given.dataDir ?? defaultDataDir() }
}

async function run({
  dataDir,
  listenerPort,
  hidden,
}: Arguments & { dataDir: string }): Promise<void> {
  const log = openLog(dataDir)
  await app.whenReady()
  refusePermissions(session.defaultSession)
  serveInterface(path.join(out, 'renderer'))

  const secrets = await openSystemSecrets()
  if (secrets.notice !== null) log.warn(secrets.notice)
  const engine = startEngine({
    entry: path.join(out, 'main/engine-process.js'),
    init: {
      dataDir,
      version: app.getVersion(),
      listenerPort,
      capabilities: {
        embeddedAuthWindow: true,
        nativeDialogs: true,
        osSecretStore: secrets.secure,
        editing: true,
        background: true,
        notifications: true,
        loginItem: true,
        links: true,
        updates: true,
      },
      system: systemFacts(logFileIn(dataDir)),
    },
    secrets,
    authorizationWindow,
    openExternal,
    dialogs: createFileDialogs(() => window.current),
    doSystem: async () => {
      throw new Error('This is not there yet.')
    },
    log,
    onGone: (message) => dialog.showErrorBox('Tabscope', message),
  })
  closeOnQuit(engine)

  const view = createEngineView(log)
  view.join(engine.openPort())
  const ipc = openIpc((contents) => window.owns(contents), log)
  ipc.on(portWanted, z.undefined(), (_nothing, frame) => {
    frame.postMessage(portGiven, null, [engine.openPort()])
  })
  startParts({ view, window, ipc, log, dataDir })

  // Before the window opens, so that it begins where they are shown.
  handedOver.to((files) => {
    engine.importLogs(files)
    window
      .show(LOGS_URL)
      .catch((error: unknown) => log.error('The event logs were not shown', error))
  })
  if (window.current === undefined && !startsHidden(hidden)) await window.show()
}

/** Menu, tray, notifications and all else that makes it an app of the system. */
function startParts(host: DesktopHost): void {
  // A click on the icon of an app without a window brings the window back.
  app.on('activate', () => void host.window.show())
  startAtHome(host)
}

/** Started at log-in it begins in the tray. macOS passes no argument, and tells otherwise. */
function startsHidden(asked: boolean): boolean {
  return asked || (process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin)
}

/** Before the app goes, the engine commits what it holds. A second request to quit does not wait a second time. */
function closeOnQuit(engine: EngineHost): void {
  let state: 'open' | 'closing' | 'closed' = 'open'
  app.on('will-quit', (event) => {
    if (state === 'closed') return
    event.preventDefault()
    if (state === 'closing') return
    state = 'closing'
    void engine.close().finally(() => {
      state = 'closed'
      app.quit()
    })
  })
}

registerAppScheme()
app.on('web-contents-created', (_event, contents) => {
  // Whatever is not in the session of an authorization stays in the interface.
  if (!authorizationWindow.adopt(contents)) confine(contents)
})
// Nobody would see what comes of it, and it would keep the app from ending.
window.onClosed(() => authorizationWindow.closeAll())
app.on('second-instance', (_event, _argv, _cwd, handed) => {
  if (app.isReady() && window.current !== undefined) void window.show()
  handedOver.takeUnknown(handed)
})
// macOS: a double click, or a file on the icon. It comes before the app is ready as well.
app.on('open-file', (event, file) => {
  event.preventDefault()
  handedOver.take([file])
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit())

try {
  const claim = claimDataDir()
  if (claim === null) app.quit()
  else {
    run(claim).catch((error: unknown) => {
      dialog.showErrorBox('Tabscope could not start', String(error))
      app.exit(1)
    })
  }
} catch (error) {
  dialog.showErrorBox('Tabscope could not start', String(error))
  app.exit(1)
}
