// Electron's main process: puts the host together. It owns windows, dialogs and safeStorage; all else is the engine's.
import { app, dialog, Notification, session } from 'electron'
import path from 'node:path'
import { startAtHome } from './at-home.ts'
import { readArguments, type Arguments } from './handed-over/arguments.ts'
import { createAuthorizationWindows } from './authorization/window.ts'
import type { DesktopHost } from './desktop-host.ts'
import { createDoSystem } from './engine/do-system.ts'
import { startEngine, type EngineHost } from './engine/host.ts'
import { askAgainOver, wordsOf } from './engine/trouble.ts'
import { createEngineView } from './engine/view.ts'
import { createFileDialogs } from './file-dialogs.ts'
import { openHandedOver } from './handed-over/handed-over.ts'
import { guardApp, sandboxNotice } from './guards.ts'
import { createInterfaceWindow } from './window/interface-window.ts'
import { openIpc } from './ipc.ts'
import { sameData } from './login-item/arguments.ts'
import { followListenerPort } from './engine/listener-port.ts'
import { defaultDataDir } from '../data-dir.ts'
import { logFileIn } from '../log-place.ts'
import { openLog } from '../log.ts'
import { openExternal } from './open-external.ts'
import { answerPages, givePort } from './engine/page-ports.ts'
import { refuseDownloads, refusePermissions } from './permissions.ts'
import { logChildren, startPower } from './power.ts'
import { registerAppScheme, serveInterface } from './protocol.ts'
import { startRendererWatch } from './window/renderer-crash.ts'
import { openSystemSecrets } from './secrets.ts'
import { systemFacts } from './engine/system-facts.ts'
import { startUpdates } from './updates/updates.ts'
import { takeHandedWith } from './handed-over/take-handed.ts'
import { confine } from './window/window.ts'

const out = path.join(app.getAppPath(), 'out')
const window = createInterfaceWindow(path.join(out, 'preload/preload.cjs'))
const authorizationWindow = createAuthorizationWindows()
const handedOver = openHandedOver()

/** Reads the arguments and claims the data folder. Null: another Tabscope has it, and was told to come forward. */
function claimDataDir(): (Arguments & { dataDir: string }) | null {
  const given = readArguments(process.argv.slice(1), process.cwd())
  // What it was started with, should another Tabscope have to take it.
  const handed = { files: given.files, link: given.link }
  // Electron's lock is one for each `userData`: so each data folder must have its own.
  if (given.dataDir !== undefined) app.setPath('userData', path.join(given.dataDir, 'interface'))
  if (!app.requestSingleInstanceLock(handed)) return null
  handedOver.take(handed)
  return { ...given, dataDir: given.dataDir ?? defaultDataDir() }
}

async function run({
  dataDir,
  listenerPort,
  hidden,
}: Arguments & { dataDir: string }): Promise<void> {
  const log = openLog(dataDir)
  const logFile = logFileIn(dataDir)
  app.setAppLogsPath(path.dirname(logFile))
  await app.whenReady()
  refusePermissions(session.defaultSession)
  refuseDownloads(session.defaultSession)
  serveInterface(path.join(out, 'renderer'))

  const secrets = await openSystemSecrets()
  for (const notice of [secrets.notice, sandboxNotice()]) if (notice !== null) log.warn(notice)
  const view = createEngineView(log)
  const port = followListenerPort(view, listenerPort)
  const ask = askAgainOver(() => window.current, logFile)
  const updates = startUpdates({
    view,
    log,
    changed: (state) => engine.updateChanged(state),
    letGo: async () => {
      await ending.now()
      // The new one must find neither the folder nor the app taken.
      app.releaseSingleInstanceLock()
    },
    args: sameData(dataDir, defaultDataDir()),
  })
  const engine = startEngine({
    entry: path.join(out, 'main/engine-process.js'),
    init: () => ({
      dataDir,
      version: app.getVersion(),
      listenerPort: port(),
      capabilities: {
        embeddedAuthWindow: true,
        nativeDialogs: true,
        osSecretStore: secrets.secure,
        editing: true,
        background: true,
        notifications: Notification.isSupported(),
        // From the sources the system would start Electron alone.
        loginItem: app.isPackaged,
        links: true,
        updates: true,
      },
      system: systemFacts(logFile, updates.state()),
    }),
    secrets,
    authorizationWindow,
    openExternal,
    dialogs: createFileDialogs(() => window.current),
    doSystem: createDoSystem(logFile, updates),
    log,
    started: (openPort) => {
      view.join(openPort())
      givePort(window, openPort)
    },
    ask: (trouble, over) => ask(wordsOf(trouble), over),
    quit: () => app.quit(),
  })
  const ending = closeOnQuit(engine)

  const ipc = openIpc((contents) => window.owns(contents), log)
  answerPages(ipc, () => engine.openPort())
  startParts({ view, window, ipc, log, dataDir })
  startRendererWatch({ window, ask, log, quit: () => app.quit() })
  startPower(engine, log)
  logChildren(log)

  // Before the window opens, so that it begins where it is shown.
  handedOver.to(takeHandedWith(engine, window, log))
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
function closeOnQuit(engine: EngineHost): { now(): Promise<void> } {
  let closing: Promise<void> | null = null
  let closed = false
  const close = async (): Promise<void> => {
    await engine.close()
    closed = true
  }
  app.on('will-quit', (event) => {
    if (closed) return
    event.preventDefault()
    if (closing !== null) return
    closing = close()
    void closing.finally(() => app.quit())
  })
  return { now: () => (closing ??= close()) }
}

registerAppScheme()
app.on('web-contents-created', (_event, contents) => {
  // Whatever is not in the session of an authorization stays in the interface.
  if (!authorizationWindow.adopt(contents)) confine(contents)
})
// Nobody would see what comes of it, and it would keep the app from ending.
window.onClosed(() => authorizationWindow.closeAll())
app.on('second-instance', (_event, _argv, _cwd, handed) => {
  handedOver.takeUnknown(handed)
})
// macOS: a double click, or a file on the icon. It comes before the app is ready as well.
app.on('open-file', (event, file) => {
  event.preventDefault()
  handedOver.take({ files: [file], link: null })
})
app.on('open-url', (event, link) => {
  event.preventDefault()
  handedOver.take({ files: [], link })
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit())

try {
  guardApp()
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
