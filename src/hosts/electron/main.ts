// Electron's main process: puts the host together. It owns windows, dialogs and safeStorage; all else is the engine's.
import { app, dialog, ipcMain, session, type BrowserWindow } from 'electron'
import path from 'node:path'
import { readArguments, type Arguments } from './arguments.ts'
import { createAuthorizationWindows } from './authorization-window.ts'
import { startEngine, type EngineHost } from './engine-host.ts'
import { portGiven, portWanted } from '#contract/handover.ts'
import { APP_URL, isAppUrl, LOGS_URL } from './app-url.ts'
import { createFileDialogs } from './file-dialogs.ts'
import { openHandedOver } from './handed-over.ts'
import { defaultDataDir } from '../data-dir.ts'
import { openLog } from '../log.ts'
import { openExternal } from './open-external.ts'
import { refusePermissions } from './permissions.ts'
import { registerAppScheme, serveInterface } from './protocol.ts'
import { openSystemSecrets } from './secrets.ts'
import { confine, createWindow } from './window.ts'

const out = path.join(app.getAppPath(), 'out')
const preload = path.join(out, 'preload/preload.cjs')

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

async function run({ dataDir, listenerPort }: Arguments & { dataDir: string }): Promise<void> {
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
      },
    },
    secrets,
    authorizationWindow,
    openExternal,
    dialogs: createFileDialogs(() => interfaceWindow),
    log,
    onGone: (message) => dialog.showErrorBox('Tabscope', message),
  })
  closeOnQuit(engine)

  ipcMain.on(portWanted, (event) => {
    // Anything else that ever gets to run in a frame must not reach the engine.
    const frame = event.senderFrame
    if (frame === null || frame.parent !== null || !isAppUrl(frame.url)) return
    frame.postMessage(portGiven, null, [engine.openPort()])
  })
  // Before the window opens, so that it begins where they are shown.
  handedOver.to((files) => {
    engine.importLogs(files)
    void showLogs().catch((error: unknown) => log.error('The event logs were not shown', error))
  })
  if (interfaceWindow === undefined) await openInterface(APP_URL)
  app.on('activate', () => {
    // macOS keeps an app without windows: a click on its icon brings the window back.
    if (interfaceWindow === undefined) void openInterface(APP_URL)
  })
}

/** The interface's window. An authorization window beside it is none, wherever windows are counted. */
let interfaceWindow: BrowserWindow | undefined
const authorizationWindow = createAuthorizationWindows()
const handedOver = openHandedOver()

async function openInterface(url: string): Promise<void> {
  const { window, loaded } = createWindow(preload, url)
  interfaceWindow = window
  window.on('closed', () => {
    interfaceWindow = undefined
    // Nobody would see what comes of it, and it would keep the app from ending.
    authorizationWindow.closeAll()
  })
  await loaded
}

/** Where event logs are, in the window that is there or in a new one. */
async function showLogs(): Promise<void> {
  if (interfaceWindow === undefined) return openInterface(LOGS_URL)
  comeForward()
  // The page is there already: to load it again would lose what is open on it.
  if (interfaceWindow.webContents.getURL() !== LOGS_URL) await interfaceWindow.loadURL(LOGS_URL)
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

function comeForward(): void {
  if (interfaceWindow === undefined) return
  if (interfaceWindow.isMinimized()) interfaceWindow.restore()
  interfaceWindow.focus()
}

registerAppScheme()
app.on('web-contents-created', (_event, contents) => {
  // Whatever is not in the session of an authorization stays in the interface.
  if (!authorizationWindow.adopt(contents)) confine(contents)
})
app.on('second-instance', (_event, _argv, _cwd, handed) => {
  comeForward()
  handedOver.takeUnknown(handed)
})
// macOS: a double click, or a file on the icon. It comes before the app is ready as well.
app.on('open-file', (event, file) => {
  event.preventDefault()
  handedOver.take([file])
})
app.on('window-all-closed', () => {
  if (process.platform !== 'darwin') app.quit()
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
