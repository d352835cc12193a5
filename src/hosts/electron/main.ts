// Electron's main process: composes the host. It owns windows, dialogs and safeStorage; everything else runs in the engine process.
import { app, clipboard, crashReporter, dialog, nativeImage, session } from 'electron'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { startDesktopIntegration } from './desktop-integration.ts'
import { createAuthorizationWindows } from './authorization/window.ts'
import type { Log } from '#engine/platform/ports.ts'
import { handlePortRequests, sendPort, startEngine } from './engine/host.ts'
import { createRestartPrompt, describeFailure } from './engine/engine-failure.ts'
import { createEngineView, type EngineView } from './engine/view.ts'
import {
  createLaunchRequests,
  type LaunchRequest,
  createLaunchHandler,
} from './launch/launch-requests.ts'
import { areLinksRegistered } from './launch/links.ts'
import { guardApp, sandboxNotice } from './guards.ts'
import { identifyApp } from './notifications/notifier.ts'
import { createInterfaceWindow } from './window/interface-window.ts'
import { openIpc } from './ipc.ts'
import { enableContextMenu } from './menu/context-menu.ts'
import { openDesktopMemory } from './desktop-memory.ts'
import {
  configuredDataDir,
  crashFolder,
  defaultDataDir,
  isDefaultDataDir,
  logFilesOf,
  logFileIn,
  windowsAppFolder,
} from '../data-dir.ts'
import { openLog } from '../log.ts'
import { createFileDialogs, openExternal, showInFolder } from './system-services.ts'
import { permitCopying, refuseDownloads } from './permissions.ts'
import { closeOnQuit, Quitting, quitOnSignals } from './quitting.ts'
import { trackRunningWork } from './running-work.ts'
import { createSleepBlocker, logChildren, startPower } from './power.ts'
import { registerAppScheme, serveInterface } from './protocol.ts'
import { runsFromAppImage } from './app-image.ts'
import { startRendererWatch } from './window/renderer-crash.ts'
import { openSystemSecrets, type SystemSecrets } from './secrets.ts'
import { openSelfCheck } from '../self-check/desktop.ts'
import { catchErrors, showUncaughtError } from './uncaught-errors.ts'
import { Updates } from './updates.ts'
import { confine } from './window/window.ts'
import type { Capabilities } from '#contract/host.ts'
import type { ListenerState } from '#contract/models.ts'
import { release, tmpdir } from 'node:os'
import type { UpdateState } from '#contract/desktop.ts'
import type { EngineInit } from './engine/messages.ts'
import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync, symlinkSync, writeFileSync, writeSync } from 'node:fs'
import {
  endsEarly,
  readArguments,
  withSelfCheckOption,
  type Arguments,
} from './launch/arguments.ts'
import { messageOf, systemCodeOf, systemReason } from '#shared/text/errors.ts'

identifyApp()
const givenArgs = withSelfCheckOption(process.argv.slice(app.isPackaged ? 1 : 2))
endEarly()
const out = path.join(app.getAppPath(), 'out')
const window = createInterfaceWindow(path.join(out, 'preload/preload.cjs'))
const authorizationWindow = createAuthorizationWindows()
const launchRequests = createLaunchRequests()
const selfCheck = openSelfCheck(givenArgs)
useLocalAppFolder()
// With the folder of a checkout, to start it again.
const args = selfCheck?.args ?? process.argv.slice(1)
const quitting = new Quitting(window, () => launchRequests.end())
const errors = catchErrors({
  failToStart: (error) => void failToStartWhenReady(error),
  isQuitting: () => quitting.hasBegun,
})

/**
 * Before a lock or a window. Electron attaches to the console of the parent on Windows, whose shells do not wait for a program with windows: the text appears
 * after the next prompt, and only `start /wait` gets the exit code.
 */
function endEarly(): void {
  const end = endsEarly(givenArgs, app.getVersion())
  if (end === null) return
  try {
    writeSync(end.exitCode === 0 ? 1 : 2, end.text)
  } catch {
    // There is no console, or its reader has ended.
  }
  app.exit(end.exitCode)
}

/** On Windows, where Electron's own folder is in the roaming profile. */
function useLocalAppFolder(): void {
  if (process.platform !== 'win32') return
  try {
    mkdirSync(windowsAppFolder(), { recursive: true })
    app.setPath('userData', windowsAppFolder())
  } catch {
    // An exception here would leave a process without a window that does not end. Where the folder is used, the failure is reported.
  }
}

async function run({ dataDir, listenerPort, hidden }: Claim, log: Log): Promise<void> {
  const logFile = logFileIn(dataDir)
  app.setAppLogsPath(path.dirname(logFile))
  keepCrashReports(crashFolder(logFile), log)
  const memory = openDesktopMemory(app.getPath('userData'), log)
  if (!memory.current.hardwareAcceleration) app.disableHardwareAcceleration()
  await app.whenReady()
  // An app that was quit earlier still becomes ready, and then ends.
  if (quitting.hasBegun) return
  const quit = (): void => quitting.quitNow()
  quitOnSignals({ quit, exit: (code) => app.exit(code), log })
  permitCopying(session.defaultSession)
  refuseDownloads(session.defaultSession)
  serveInterface(path.join(out, 'renderer'))

  const secrets = openSystemSecrets()
  void logNotices(secrets, log)
  const view = createEngineView(log)
  const work = trackRunningWork(view, () => updateSleepBlocker())
  const updateSleepBlocker = createSleepBlocker(() => work.preventsSleep())
  quitting.guard(work, log)
  const port = followListenerPort(view, listenerPort)
  const ask = createRestartPrompt(window, logFile, selfCheck)
  const updates = new Updates({ view, log, changed: (state) => engine.updateChanged(state) })
  const engine = startEngine({
    entry: path.join(out, 'main/engine-process.js'),
    init: () => engineInit(dataDir, port(), updates.state),
    secrets,
    authorizationWindow,
    openExternal,
    resolveProxy: async (url) => session.defaultSession.resolveProxy(url),
    dialogs: createFileDialogs(() => window.current, addRecent),
    showLogs: () => showInFolder(logFile),
    copyText: async (text) => clipboard.writeText(text),
    updates,
    log,
    started: (openPort) => {
      view.join(openPort())
      sendPort(window, openPort)
    },
    ask: (failure, abort) => ask(describeFailure(failure), abort),
    quit,
    ending: () => quitting.hasBegun,
  })
  const ending = closeOnQuit(engine, log)

  const ipc = openIpc((contents) => window.owns(contents), log)
  handlePortRequests(ipc, () => engine.openPort())
  const { hasTray } = startDesktopIntegration({ view, window, ipc, quitting, log, dataDir }, memory)
  startRendererWatch({ window, ask, log, quit, isAttended: selfCheck === null })
  startPower({ engine, window, quitting, closeEngine: () => ending.now(), log })
  logChildren(log)

  if (selfCheck !== null) {
    await selfCheck.runIn({ view, window, secrets, hasTray, closeEngine: () => ending.now() })
    return
  }
  errors.keepRunning((id) => showUncaughtError(id, { window, logFile, quit }))
  const importLogs = (files: readonly string[]): void => {
    addRecent(files)
    engine.importLogs(files)
  }
  // Before the window opens, so that it opens on the requested page.
  launchRequests.deliverTo(createLaunchHandler({ importLogs }, window, log))
  if (window.current === undefined && !hidden) await window.show()
}

/** In the folder, which only the user can read: they contain parts of the memory. Nothing is sent. Before the app is ready. */
function keepCrashReports(folder: string, log: Log): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    app.setPath('crashDumps', folder)
    crashReporter.start({ uploadToServer: false })
  } catch (error) {
    log.warn(`Crash reports cannot be stored: ${String(error)}`)
  }
}

/**
 * In the list of the Dock and on Windows the jump list; Linux has none. The system keeps the names until the user clears the list: an imported log that is
 * deleted can be imported again, as long as its file exists.
 */
function addRecent(files: readonly string[]): void {
  for (const file of logFilesOf(files, '/')) app.addRecentDocument(file)
}

/** What is not protected as usual. Not awaited: a keyring may prompt first, and the window should be visible meanwhile. */
async function logNotices(secrets: SystemSecrets, log: Log): Promise<void> {
  const withoutSandbox = sandboxNotice()
  if (withoutSandbox !== null) log.warn(withoutSandbox)
  const { notice } = await secrets.protection
  if (notice !== null) log.warn(notice)
}

async function start(): Promise<void> {
  try {
    guardApp()
  } catch (error) {
    // Immediately, before such a switch takes effect.
    return failToStart(error)
  }
  let log: Log | undefined
  try {
    const claim = claimDataDir(args, process.cwd())
    if (claim === null) return app.quit()
    launchRequests.add(launchRequestOf(claim))
    log = openLog(claim.dataDir)
    errors.logTo(log)
    await run(claim, log)
  } catch (error) {
    // The app was quit during its start.
    if (quitting.hasBegun) return
    log?.error('Tabscope could not start', error)
    await failToStartWhenReady(error)
  }
}

/** Before the app is ready, a message box is not visible on Linux. */
async function failToStartWhenReady(error: unknown): Promise<void> {
  await app.whenReady()
  // The promise resolves before the message loop runs, and exiting then would end the process in the middle of its start.
  await nextTurn()
  failToStart(error)
}

function failToStart(error: unknown): void {
  if (selfCheck !== null) return selfCheck.abort(error)
  const message = messageOf(error)
  dialog.showErrorBox('Tabscope could not start', message)
  app.exit(1)
}

registerAppScheme()
if (process.platform === 'linux') {
  // Other systems take it from the program. A desktop without an entry for the app, as for an AppImage, takes it from the window.
  const icon = path.join(app.getAppPath(), 'resources/icons/256x256.png')
  app.on('browser-window-created', (_event, created) =>
    created.setIcon(nativeImage.createFromPath(icon)),
  )
}
app.on('web-contents-created', (_event, contents) => {
  enableContextMenu(contents)
  // All contents outside of an authorization session are confined to the interface.
  if (authorizationWindow.adopt(contents)) return
  confine(contents, (url) => {
    // Developer tools are confined too.
    if (window.owns(contents)) void window.openAnother(url)
  })
})
// Without the interface window, no one would see the result, and the authorization window would keep the app from ending.
window.onClosed(() => authorizationWindow.closeAll())
// macOS: a click on the dock icon shows the window again.
app.on('activate', () => launchRequests.addEmpty())
app.on('second-instance', (_event, _argv, _cwd, request) => {
  launchRequests.addForeign(request)
})
// macOS: a file was double-clicked or dropped on the icon. The event can precede `ready`.
app.on('open-file', (event, file) => {
  event.preventDefault()
  launchRequests.add({ files: [file], link: null })
})
app.on('open-url', (event, link) => {
  event.preventDefault()
  launchRequests.add({ files: [], link })
})
// Ctrl+C in the launcher on Windows, where programs with windows receive no signals (`hosts/node/child-signals.mjs`), and the end of the launcher.
process.on('message', (message) => {
  if (message === 'quit') quitting.quitNow()
})
process.on('disconnect', () => quitting.quitNow())

void start()

/** A restarted engine keeps the address that senders know. `given`: from the command line. */
function followListenerPort(
  view: Pick<EngineView, 'on' | 'onSnapshot'>,
  given: number | undefined,
): () => number | undefined {
  let port = given
  const update = (listener: ListenerState): void => {
    if (listener.state === 'listening') port = listener.port
  }
  view.on('listener.changed', update)
  view.onSnapshot(({ listener }) => update(listener))
  return () => port
}

function hostCapabilities(): Capabilities {
  return {
    embeddedAuthWindow: true,
    nativeDialogs: true,
    // The engine is notified when the secret store has responded.
    osSecretStore: false,
    background: true,
    // Asking the system would already ask the user for permission (macOS).
    notifications: true,
    links: areLinksRegistered(
      app.isPackaged,
      runsFromAppImage(process.env, process.resourcesPath),
      () => app.getApplicationNameForProtocol('tabscope://'),
    ),
    updates: true,
  }
}

function engineInit(
  dataDir: string,
  listenerPort: number | undefined,
  update: UpdateState,
): EngineInit {
  const { electron, chrome, node, v8 } = process.versions
  const versions = [
    { name: 'Electron', version: electron },
    { name: 'Chromium', version: chrome },
    { name: 'Node', version: node },
    { name: 'V8', version: v8 },
    { name: 'System', version: `${process.platform} ${release()} ${process.arch}` },
  ]
  return {
    dataDir,
    version: app.getVersion(),
    listenerPort,
    capabilities: hostCapabilities(),
    system: { versions, logFile: logFileIn(dataDir), update },
  }
}

type Claim = Arguments & { readonly dataDir: string }

/** Null if another Tabscope uses the data folder; it is asked to show its window. Throws an error for the user, also if the lock cannot be created. */
function claimDataDir(
  args: readonly string[],
  cwd: string,
  platform: NodeJS.Platform = process.platform,
): Claim | null {
  const options = readArguments(args, cwd)
  // Electron has one instance lock for each `userData`, so each data folder needs its own.
  const requested = options.dataDir ?? configuredDataDir(cwd)
  // On Windows the key of the stored secrets is in `userData`: the default folder keeps it, however the user spells it.
  const dataDir = requested === undefined || isDefaultDataDir(requested) ? undefined : requested
  const userData = dataDir === undefined ? app.getPath('userData') : path.join(dataDir, 'interface')
  assertLockable(userData, platform)
  if (dataDir !== undefined) app.setPath('userData', userData)
  // Passes what to open, in case another Tabscope has to open it.
  if (!app.requestSingleInstanceLock(launchRequestOf(options))) return null
  return { ...options, dataDir: dataDir ?? defaultDataDir() }
}

function launchRequestOf({ files, link }: Arguments): LaunchRequest {
  return { files, link }
}

/** Electron reports a lock that it cannot create as held by another instance. On Linux and macOS it is a symbolic link to a socket in the temporary folder. */
function assertLockable(folder: string, platform: NodeJS.Platform): void {
  assertWritable(
    folder,
    'Check its permissions and the disk space, or specify another folder with --data.',
  )
  if (platform === 'win32') return
  // Chromium, which creates the socket, reads only TMPDIR on Linux; Node also reads TMP and TEMP.
  const temporary = platform === 'linux' ? process.env['TMPDIR'] || '/tmp' : tmpdir()
  assertWritable(temporary, 'Set TMPDIR to a writable folder.')
  const link = probeFile(folder)
  try {
    symlinkSync('nowhere', link)
  } catch (error) {
    throw new Error(
      `The folder ${folder} is on a file system without symbolic links, such as FAT, exFAT or some network shares. ` +
        `Tabscope requires them. Specify a folder on another drive with --data. (${systemCodeOf(error)})`,
      { cause: error },
    )
  }
  rmSync(link, { force: true })
}

/** By writing a file: on Windows `access` ignores the permissions of a folder. */
function assertWritable(folder: string, remedy: string): void {
  const file = probeFile(folder)
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, '', { flag: 'wx' })
  } catch (error) {
    const code = systemCodeOf(error)
    const reason = code === 'EEXIST' ? 'It is a file, not a folder.' : systemReason(error)
    throw new Error(`The folder ${folder} is not writable (${code}). ${reason} ${remedy}`, {
      cause: error,
    })
  }
  rmSync(file, { force: true })
}

function probeFile(folder: string): string {
  // A name that nobody can guess: others can write in the temporary folder.
  return path.join(folder, `.tabscope-test-${randomUUID()}`)
}
