// Electron's main process: puts the host together. It owns windows, dialogs and safeStorage; all else is the engine's.
import { app, dialog, Notification, session } from 'electron'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { startDesktopIntegration } from './desktop-integration.ts'
import { claimDataDir, handedBy, type Claim } from './claim.ts'
import { createAuthorizationWindows } from './authorization/window.ts'
import type { Log } from '#engine/ports.ts'
import type { DesktopHost } from './desktop-host.ts'
import { createDoSystem } from './engine/do-system.ts'
import { closeOnQuit } from './engine/close-on-quit.ts'
import { startEngine } from './engine/host.ts'
import { askAgainOver, describeTrouble } from './engine/trouble.ts'
import { createEngineView } from './engine/view.ts'
import { createFileDialogs } from './file-dialogs.ts'
import { openHandedOver } from './handed-over/handed-over.ts'
import { areLinksRegistered } from './handed-over/links.ts'
import { createOnceMore } from './handed-over/once-more.ts'
import { guardApp, sandboxNotice } from './guards.ts'
import { createInterfaceWindow } from './window/interface-window.ts'
import { openIpc } from './ipc.ts'
import { enableContextMenu } from './menu/context-menu.ts'
import { sameData } from './login-item/arguments.ts'
import { hasLoginItem } from './login-item/start-login-item.ts'
import { followListenerPort } from './engine/listener-port.ts'
import { defaultDataDir } from '../data-dir.ts'
import { logFileIn } from '../log-place.ts'
import { openLog } from '../log.ts'
import { openExternal } from './open-external.ts'
import { answerPages, givePort } from './engine/page-ports.ts'
import { permitCopying, refuseDownloads } from './permissions.ts'
import { createQuitting } from './quitting/quitting.ts'
import { quitOnSignals } from './quitting/signals.ts'
import { followWork } from './quitting/work-in-hand.ts'
import { logChildren, startPower } from './power.ts'
import { registerAppScheme, serveInterface } from './protocol.ts'
import { relaunch } from './relaunch.ts'
import { startRendererWatch } from './window/renderer-crash.ts'
import { openSystemSecrets } from './secrets.ts'
import { openSelfCheck } from './self-check.ts'
import { systemFacts } from './engine/system-facts.ts'
import { catchErrors, showUncaughtError } from './uncaught-errors.ts'
import { keepForUpdate, withKeptArguments } from './updates/start-after-update.ts'
import { runsFromAppImage } from './updates/appimage-place.ts'
import { startUpdates } from './updates/updates.ts'
import { takeHandedWith } from './handed-over/take-handed.ts'
import { confine } from './window/window.ts'

const out = path.join(app.getAppPath(), 'out')
const window = createInterfaceWindow(path.join(out, 'preload/preload.cjs'))
const authorizationWindow = createAuthorizationWindows()
const handedOver = openHandedOver()
const selfCheck = openSelfCheck(process.argv.slice(1))
// Before another data folder takes its place. Null: it cannot be created, which matters where it is to be used.
const ownFolder = folderOfApp()
const words =
  selfCheck?.args ??
  withKeptArguments(process.argv.slice(1), ownFolder, {
    version: app.getVersion(),
    now: Date.now(),
  })
const onceMore = createOnceMore(words, relaunch)
const quitting = createQuitting(window, () => {
  handedOver.endWith((handed) => onceMore.want(handed))
})
const errors = catchErrors({
  giveUp: (error) => void giveUpWhenReady(error),
  isQuitting: () => quitting.hasBegun,
})

/** Never throws: an exception while this module is evaluated would leave an app without a window that does not end. */
function folderOfApp(): string | null {
  try {
    return app.getPath('userData')
  } catch {
    return null
  }
}

async function run({ dataDir, listenerPort, hidden }: Claim, log: Log): Promise<void> {
  const logFile = logFileIn(dataDir)
  app.setAppLogsPath(path.dirname(logFile))
  await app.whenReady()
  // An app that was quit before becomes ready all the same, and ends then.
  if (quitting.hasBegun) return
  quitOnSignals({ quit: () => quitting.atOnce(), exit: (code) => app.exit(code), log })
  permitCopying(session.defaultSession)
  refuseDownloads(session.defaultSession)
  serveInterface(path.join(out, 'renderer'))

  const warn = (notice: string | null): void => {
    if (notice !== null) log.warn(notice)
  }
  warn(sandboxNotice())
  // Not awaited: a keyring may ask the user first, who is to see the window meanwhile.
  const secrets = openSystemSecrets()
  void secrets.protection.then(({ notice }) => warn(notice))
  const view = createEngineView(log)
  quitting.guard(followWork(view), log)
  const port = followListenerPort(view, listenerPort)
  const ask = selfCheck?.ask ?? askAgainOver(window, logFile)
  const startArguments = sameData(dataDir, defaultDataDir())
  const updates = startUpdates({
    view,
    log,
    changed: (state) => engine.updateChanged(state),
    keepArguments: (version) =>
      keepForUpdate(ownFolder, { version, args: startArguments, now: Date.now() }),
    letGo: async () => {
      // Whoever installs an update was told of what is in hand.
      quitting.begin()
      await ending.now()
      // The new one must find neither the folder nor the app taken.
      app.releaseSingleInstanceLock()
    },
    args: startArguments,
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
        // The engine is told when the store has answered.
        osSecretStore: false,
        editing: true,
        background: true,
        notifications: Notification.isSupported(),
        loginItem: hasLoginItem(dataDir),
        links: areLinksRegistered(
          app.isPackaged,
          runsFromAppImage(process.env, process.resourcesPath),
          () => app.getApplicationNameForProtocol('tabscope://'),
        ),
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
    ask: (trouble, over) => ask(describeTrouble(trouble), over),
    quit: () => quitting.atOnce(),
    ending: () => quitting.hasBegun,
  })
  const ending = closeOnQuit(engine, () => onceMore.start())

  const ipc = openIpc((contents) => window.owns(contents), log)
  answerPages(ipc, () => engine.openPort())
  const { hasTray } = startParts({ view, window, ipc, quitting, log, dataDir })
  startRendererWatch({ window, ask, log, quit: () => quitting.atOnce() })
  startPower({ engine, window, quitting, closeEngine: () => ending.now(), log })
  logChildren(log)

  if (selfCheck !== null) {
    await selfCheck.run({ view, window, secrets, hasTray, closeEngine: () => ending.now() })
    return
  }
  errors.keepRunning((id) =>
    showUncaughtError(id, { window, logFile, quit: () => quitting.atOnce() }),
  )
  // Before the window opens, so that it begins where it is shown.
  handedOver.to(takeHandedWith(engine, window, log))
  if (window.current === undefined && !startsHidden(hidden)) await window.show()
}

/** Menu, tray, notifications and all else that makes it an app of the system. */
function startParts(host: DesktopHost): { hasTray: boolean } {
  // A click on the icon of an app without a window brings the window back.
  app.on('activate', () => handedOver.wanted())
  return startDesktopIntegration(host)
}

/** Started at log-in it begins in the tray. macOS passes no argument, and tells otherwise. */
function startsHidden(asked: boolean): boolean {
  return asked || (process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin)
}

async function start(): Promise<void> {
  try {
    guardApp()
  } catch (error) {
    // At once: what such a switch opens must not be opened.
    return giveUp(error)
  }
  let log: Log | undefined
  try {
    const claim = claimDataDir(words, process.cwd())
    if (claim === null) return app.quit()
    handedOver.take(handedBy(claim))
    log = openLog(claim.dataDir)
    errors.logTo(log)
    await run(claim, log)
  } catch (error) {
    // It was ended while it started.
    if (quitting.hasBegun) return
    log?.error('Tabscope could not start', error)
    await giveUpWhenReady(error)
  }
}

/** Before, a box would not be seen on Linux. */
async function giveUpWhenReady(error: unknown): Promise<void> {
  await app.whenReady()
  // The promise resolves before the message loop runs, and an exit there ends the process in the middle of its start.
  await nextTurn()
  giveUp(error)
}

function giveUp(error: unknown): void {
  if (selfCheck !== null) return selfCheck.abort(error)
  const why = error instanceof Error ? error.message : String(error)
  dialog.showErrorBox('Tabscope could not start', why)
  app.exit(1)
}

registerAppScheme()
app.on('web-contents-created', (_event, contents) => {
  enableContextMenu(contents)
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
// The launcher's Ctrl+C on Windows, where no signal reaches a program with windows (`hosts/node/child-signals.mjs`), and the launcher's end.
process.on('message', (message) => {
  if (message === 'quit') quitting.atOnce()
})
process.on('disconnect', () => quitting.atOnce())

void start()
