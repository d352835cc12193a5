// Electron's main process: puts the host together. It owns windows, dialogs and safeStorage; all else is the engine's.
import { app, dialog, Notification, session, clipboard, shell } from 'electron'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { startDesktopIntegration } from './desktop-integration.ts'
import { createAuthorizationWindows } from './authorization/window.ts'
import type { Log } from '#engine/platform/ports.ts'
import type { DesktopHost } from './desktop-host.ts'
import { closeOnQuit } from './engine/close-on-quit.ts'
import { startEngine } from './engine/host.ts'
import { createRestartPrompt, describeFailure } from './engine/engine-failure.ts'
import { createEngineView, type EngineView } from './engine/view.ts'
import { createFileDialogs } from './file-dialogs.ts'
import { createLaunchRequests, type LaunchRequest, createPendingRelaunch, createLaunchHandler } from './launch/launch-requests.ts'
import { areLinksRegistered } from './launch/links.ts'
import { guardApp, sandboxNotice } from './guards.ts'
import { createInterfaceWindow } from './window/interface-window.ts'
import { openIpc } from './ipc.ts'
import { enableContextMenu } from './menu/context-menu.ts'
import { dataDirArguments } from './login-item/login-item.ts'
import { hasLoginItem } from './login-item/start-login-item.ts'
import { defaultDataDir, chosenDataDir, logFileIn } from '../data-dir.ts'
import { openLog } from '../log.ts'
import { openExternal } from './open-external.ts'
import { handlePortRequests, sendPort } from './engine/page-ports.ts'
import { permitCopying, refuseDownloads } from './permissions.ts'
import { createQuitting } from './quitting/quitting.ts'
import { quitOnSignals } from './quitting/signals.ts'
import { trackRunningWork } from './quitting/running-work.ts'
import { logChildren, startPower } from './power.ts'
import { registerAppScheme, serveInterface } from './protocol.ts'
import { relaunch } from './relaunch.ts'
import { startRendererWatch } from './window/renderer-crash.ts'
import { openSystemSecrets } from './secrets.ts'
import { openSelfCheck } from './self-check.ts'
import { catchErrors, showUncaughtError } from './uncaught-errors.ts'
import { saveArguments, withSavedArguments } from './updates/start-after-update.ts'
import { runsFromAppImage } from './updates/installation.ts'
import { startUpdates, type Updates } from './updates/updates.ts'
import { confine } from './window/window.ts'
import type { ListenerState } from '#contract/models.ts'
import { release, tmpdir } from 'node:os'
import type { UpdateState } from '#contract/desktop.ts'
import type { SystemFacts, SystemRequest } from './engine/messages.ts'
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { readArguments, type Arguments } from './launch/arguments.ts'

const out = path.join(app.getAppPath(), 'out')
const window = createInterfaceWindow(path.join(out, 'preload/preload.cjs'))
const authorizationWindow = createAuthorizationWindows()
const launchRequests = createLaunchRequests()
const selfCheck = openSelfCheck(process.argv.slice(1))
// Before another data folder takes its place. Null: it cannot be created, which matters where it is to be used.
const ownFolder = folderOfApp()
const words =
  selfCheck?.args ??
  withSavedArguments(process.argv.slice(1), ownFolder, {
    version: app.getVersion(),
    now: Date.now(),
  })
const pendingRelaunch = createPendingRelaunch(words, relaunch)
const quitting = createQuitting(window, () => {
  launchRequests.endWith((handed) => pendingRelaunch.want(handed))
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
  quitOnSignals({ quit: () => quitting.quitNow(), exit: (code) => app.exit(code), log })
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
  quitting.guard(trackRunningWork(view), log)
  const port = followListenerPort(view, listenerPort)
  const ask = selfCheck?.ask ?? createRestartPrompt(window, logFile)
  const startArguments = dataDirArguments(dataDir, defaultDataDir())
  const updates = startUpdates({
    view,
    log,
    changed: (state) => engine.updateChanged(state),
    keepArguments: (version) =>
      saveArguments(ownFolder, { version, args: startArguments, now: Date.now() }),
    shutDown: async () => {
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
      sendPort(window, openPort)
    },
    ask: (trouble, over) => ask(describeFailure(trouble), over),
    quit: () => quitting.quitNow(),
    ending: () => quitting.hasBegun,
  })
  const ending = closeOnQuit(engine, () => pendingRelaunch.start())

  const ipc = openIpc((contents) => window.owns(contents), log)
  handlePortRequests(ipc, () => engine.openPort())
  const { hasTray } = startParts({ view, window, ipc, quitting, log, dataDir })
  startRendererWatch({ window, ask, log, quit: () => quitting.quitNow() })
  startPower({ engine, window, quitting, closeEngine: () => ending.now(), log })
  logChildren(log)

  if (selfCheck !== null) {
    await selfCheck.run({ view, window, secrets, hasTray, closeEngine: () => ending.now() })
    return
  }
  errors.keepRunning((id) =>
    showUncaughtError(id, { window, logFile, quit: () => quitting.quitNow() }),
  )
  // Before the window opens, so that it begins where it is shown.
  launchRequests.to(createLaunchHandler(engine, window, log))
  if (window.current === undefined && !startsHidden(hidden)) await window.show()
}

/** Menu, tray, notifications and all else that makes it an app of the system. */
function startParts(host: DesktopHost): { hasTray: boolean } {
  // A click on the icon of an app without a window brings the window back.
  app.on('activate', () => launchRequests.wanted())
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
    launchRequests.take(handedBy(claim))
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
  launchRequests.takeUnknown(handed)
})
// macOS: a double click, or a file on the icon. It comes before the app is ready as well.
app.on('open-file', (event, file) => {
  event.preventDefault()
  launchRequests.take({ files: [file], link: null })
})
app.on('open-url', (event, link) => {
  event.preventDefault()
  launchRequests.take({ files: [], link })
})
// The launcher's Ctrl+C on Windows, where no signal reaches a program with windows (`hosts/node/child-signals.mjs`), and the launcher's end.
process.on('message', (message) => {
  if (message === 'quit') quitting.quitNow()
})
process.on('disconnect', () => quitting.quitNow())

void start()

/** Where the listener was last, for an engine that is started again: senders know that address. `given` is that of the command line. */
function followListenerPort(
  view: Pick<EngineView, 'on' | 'onSnapshot'>,
  given: number | undefined,
): () => number | undefined {
  let port = given
  const take = (listener: ListenerState): void => {
    if (listener.state === 'listening') port = listener.port
  }
  view.on('listener.changed', take)
  view.onSnapshot(({ listener }) => take(listener))
  return () => port
}

/** What this Electron is, and how far updates are. `logFile` is an absolute path. */
function systemFacts(logFile: string, update: UpdateState): SystemFacts {
  const { versions } = process
  return {
    versions: [
      { name: 'Electron', version: versions.electron },
      { name: 'Chromium', version: versions.chrome },
      { name: 'Node', version: versions.node },
      { name: 'V8', version: versions.v8 },
      { name: 'System', version: `${process.platform} ${release()} ${process.arch}` },
    ],
    logFile,
    update,
  }
}

/** What the engine asks of the system, and only main can do. Rejects with a sentence where it cannot. */
function createDoSystem(logFile: string, updates: Updates): (wish: SystemRequest) => Promise<void> {
  return async (wish) => {
    if (typeof wish === 'object') {
      await clipboard.writeText(wish.copy)
      return
    }
    switch (wish) {
      case 'show-logs':
        // Of a file that is not there, a file manager shows nothing and says nothing.
        if (!existsSync(logFile)) {
          throw new Error(
            `There is no log file: ${logFile} could not be written. See the output on the terminal.`,
          )
        }
        shell.showItemInFolder(logFile)
        break
      case 'check-update':
      case 'download-update':
      case 'install-update':
        await updates.do(wish)
    }
  }
}

type Claim = Arguments & { readonly dataDir: string }

/**
 * Reads the arguments and claims the data folder. Null: another Tabscope has it, and was told to come forward. Throws an error for the user
 * when the arguments or the configuration file are invalid, or the instance lock cannot be created in the folder.
 */
function claimDataDir(
  words: readonly string[],
  cwd: string,
  platform: NodeJS.Platform = process.platform,
): Claim | null {
  const given = readArguments(words, cwd)
  // Electron's lock is one for each `userData`: so each data folder must have its own.
  const dataDir = given.dataDir ?? chosenDataDir(cwd)
  const userData = dataDir === undefined ? app.getPath('userData') : path.join(dataDir, 'interface')
  assertLockable(userData, platform)
  if (dataDir !== undefined) app.setPath('userData', userData)
  // What it was started with, should another Tabscope have to take it.
  if (!app.requestSingleInstanceLock(handedBy(given))) return null
  return { ...given, dataDir: dataDir ?? defaultDataDir() }
}

function handedBy({ files, link }: Arguments): LaunchRequest {
  return { files, link }
}

/**
 * Electron answers that another instance runs when it cannot create its lock: without this check Tabscope would end without a word. On Linux
 * and macOS the lock is a symbolic link in `folder`, to a socket in the folder of temporary files.
 */
function assertLockable(folder: string, platform: NodeJS.Platform): void {
  assertWritable(
    folder,
    'Check its permissions and the disk space, or specify another folder with --data.',
  )
  if (platform === 'win32') return
  // Chromium, which makes the socket, reads TMPDIR alone on Linux; Node reads TMP and TEMP as well.
  const temporary = platform === 'linux' ? process.env['TMPDIR'] || '/tmp' : tmpdir()
  assertWritable(temporary, 'Set TMPDIR to a writable folder.')
  const link = probeIn(folder)
  try {
    symlinkSync('nowhere', link)
  } catch (error) {
    throw new Error(
      `The folder ${folder} is on a file system without symbolic links, such as FAT, exFAT or some network shares. ` +
        `Tabscope requires them. Specify a folder on another drive with --data. (${messageOf(error)})`,
      { cause: error },
    )
  }
  rmSync(link, { force: true })
}

/** Creates `folder` if needed. By writing a file: on Windows `access` does not look at the rights of a folder. */
function assertWritable(folder: string, remedy: string): void {
  const file = probeIn(folder)
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, '')
  } catch (error) {
    throw new Error(`The folder ${folder} is not writable. ${remedy} (${messageOf(error)})`, {
      cause: error,
    })
  }
  rmSync(file, { force: true })
}

function probeIn(folder: string): string {
  return path.join(folder, `.tabscope-test-${process.pid}`)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
