import { createHash } from 'node:crypto'
import { EventEmitter } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import net from 'node:net'
import { hostname, tmpdir } from 'node:os'
import path from 'node:path'
import type { BrowserWindow } from './windows.ts'
import { installSignalHandlers } from './signals.ts'
import { CommandLine } from './command-line.ts'
import { onAction } from './actions.ts'

const exitProcess = process.exit.bind(process)

export class PreventableEvent {
  defaultPrevented = false
  preventDefault(): void {
    this.defaultPrevented = true
  }
}

class App extends EventEmitter {
  readonly #paths = new Map<string, string>()
  readonly #ready = Promise.withResolvers<void>()
  readonly #root = process.env['DOUBLE_APP_PATH'] ?? ''
  #isReady = false
  #lock: net.Server | undefined
  #isQuitting = false
  #isExiting = false
  #isShutDown = false
  #exitCode = 0
  /** Set by the windows. */
  windows: WindowList = { all: () => [], closeAll: async () => true, destroyAll: () => undefined }

  constructor() {
    super()
    // Asynchronously, so that code that runs before ready in Electron also runs before ready here.
    setTimeout(() => {
      installSignalHandlers(() => this.quit())
      this.#isReady = true
      // Promise callbacks run before the listeners of the event.
      this.#ready.resolve()
      setImmediate(() => {
        this.emit('ready')
        // Also after an earlier quit: the message loop starts, and ends immediately.
        if (this.#isShutDown) setTimeout(() => exitProcess(0))
      })
    }, 30)
  }

  whenReady(): Promise<void> {
    return this.#ready.promise
  }

  /** False by default: built from a checkout. */
  get isPackaged(): boolean {
    return process.env['DOUBLE_PACKAGED'] === '1'
  }

  readonly commandLine = new CommandLine()

  enableSandbox(): void {
    if (this.#isReady) throw new Error('app.enableSandbox() can only be called before app is ready')
    this.commandLine.enableSandbox()
  }

  disableHardwareAcceleration(): void {
    if (this.#isReady)
      throw new Error('app.disableHardwareAcceleration() can only be called before app is ready')
    this.commandLine.appendSwitch('disable-gpu')
    process.stderr.write('[gpu] off\n')
  }

  /** No application opens links. */
  getApplicationNameForProtocol(_url: string): string {
    return ''
  }

  /** Does not register anything with the system. */
  isDefaultProtocolClient(_protocol: string): boolean {
    return false
  }

  isReady(): boolean {
    return this.#isReady
  }

  getAppPath(): string {
    return this.#root
  }

  getVersion(): string {
    return this.#manifest('version')
  }

  #manifest(key: string): string {
    const manifest: unknown = JSON.parse(
      readFileSync(path.join(this.#root, 'package.json'), 'utf8'),
    )
    const value: unknown =
      typeof manifest === 'object' && manifest !== null ? Reflect.get(manifest, key) : undefined
    if (typeof value === 'string') return value
    throw new Error(`package.json has no ${key}`)
  }

  getPath(name: string): string {
    const found = this.#paths.get(name)
    if (found !== undefined) return found
    const appData = process.env['DOUBLE_APP_DATA']
    if (name === 'userData' && appData !== undefined) {
      const folder = path.join(appData, this.#manifest('productName'))
      mkdirSync(folder, { recursive: true })
      return folder
    }
    throw new Error(
      `The double has no path '${name}': set DOUBLE_APP_DATA, it must not touch a real profile.`,
    )
  }

  setPath(name: string, value: string): void {
    if (!path.isAbsolute(value)) throw new Error('Path must be absolute')
    // Only the names that the app uses.
    if (!['userData', 'crashDumps'].includes(name) || !existsSync(value))
      throw new Error('Failed to set path')
    this.#paths.set(name, value)
  }

  /** A folder that cannot be created is not an error. */
  setAppLogsPath(folder = path.join(this.getPath('userData'), 'logs')): void {
    if (!path.isAbsolute(folder)) throw new Error('Path must be absolute')
    try {
      mkdirSync(folder, { recursive: true })
    } catch {
      return
    }
    this.#paths.set('logs', folder)
  }

  /** Like Chromium's process singleton. A failed lock counts as locked by another instance. */
  requestSingleInstanceLock(additionalData: unknown = {}): boolean {
    if (this.#lock !== undefined) return true
    const userData = this.getPath('userData')
    try {
      mkdirSync(userData, { recursive: true })
      return this.#claim(socketOf(userData), lockIn(userData), additionalData)
    } catch {
      return false
    }
  }

  #claim(address: string, lock: string, additionalData: unknown): boolean {
    const handoverFile = `${lock}-handover`
    if (isHeld(lock)) {
      // Written synchronously before this process exits, like in Electron.
      const handed = { argv: process.argv, cwd: process.cwd(), additionalData }
      writeFileSync(handoverFile, JSON.stringify(handed))
      net
        .connect(address)
        .on('error', () => undefined)
        .end()
      return false
    }
    rmSync(lock, { force: true })
    rmSync(address, { force: true })
    if (process.platform === 'win32') writeFileSync(lock, String(process.pid))
    else symlinkSync(`${hostname()}-${process.pid}`, lock)
    this.#lock = net.createServer((socket) => {
      socket.on('error', () => undefined).resume()
      const { argv, cwd, additionalData: data } = JSON.parse(readFileSync(handoverFile, 'utf8'))
      // Not before the app is ready, because Electron does not read the socket until then.
      void this.whenReady().then(() =>
        setImmediate(() => this.emit('second-instance', new PreventableEvent(), argv, cwd, data)),
      )
    })
    this.#lock.listen(address)
    this.#lock.unref()
    return true
  }

  quit(): void {
    if (this.#isQuitting) return
    if (this.#isPrevented('before-quit')) return
    this.#isQuitting = true
    if (this.windows.all().length === 0) {
      this.#willQuit()
      return
    }
    void this.#closeWindows()
  }

  async #closeWindows(): Promise<void> {
    // A window that is not closed cancels the quit.
    if (!(await this.windows.closeAll())) this.#isQuitting = false
  }

  /** For the double: called when the last window is closed. */
  windowsClosed(): void {
    if (this.#isExiting) this.#shutDown()
    else if (this.#isQuitting) this.#willQuit()
    else if (!this.emit('window-all-closed')) this.quit()
  }

  #willQuit(): void {
    if (this.#isShutDown) return
    if (this.#isPrevented('will-quit')) this.#isQuitting = false
    else this.#shutDown()
  }

  /** Reported on stderr for tests. */
  setBadgeCount(count = 0): boolean {
    assertReady('app.setBadgeCount')
    process.stderr.write(`[badge] ${count}\n`)
    return true
  }

  /** Reported on stderr for tests. Has no effect on Linux. */
  addRecentDocument(file: string): void {
    process.stderr.write(`[recent] ${file}\n`)
  }

  /** For the double: notifications have it for good. */
  isIdFinal = false
  /** Generated from the name of the program unless the app sets it. */
  userModelId = 'electron.app.Electron'

  /** On every system, so that its order is tested. */
  setAppUserModelId(id: string): void {
    if (this.isIdFinal) throw new Error('app.setAppUserModelId after the first notification')
    this.userModelId = id
  }

  /** Not there on other systems. */
  setToastActivatorCLSID =
    process.platform === 'win32' ? (_id: string): void => undefined : undefined

  #isPrevented(name: string): boolean {
    const event = new PreventableEvent()
    this.emit(name, event)
    return event.defaultPrevented
  }

  /** Destroys windows without asking, and emits neither `before-quit` nor `will-quit`. */
  exit(code = 0): void {
    // The message loop has not started yet.
    if (!this.#isReady) exitProcess(code)
    this.#isQuitting = true
    this.#isExiting = true
    this.#exitCode = code
    this.windows.destroyAll()
    this.#shutDown()
  }

  #shutDown(): void {
    if (this.#isShutDown) return
    this.#isShutDown = true
    this.emit('quit', new PreventableEvent(), this.#exitCode)
    if (this.#isReady) exitProcess(this.#exitCode)
  }
}

interface WindowList {
  readonly all: () => readonly BrowserWindow[]
  /** False if a window stays open. */
  readonly closeAll: () => Promise<boolean>
  readonly destroyAll: () => void
}

function socketOf(userData: string): string {
  const name = `tabscope-double-${createHash('sha256').update(userData).digest('hex').slice(0, 24)}`
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : path.join(tmpdir(), `${name}.sock`)
}

function lockIn(userData: string): string {
  return path.join(userData, process.platform === 'win32' ? 'lockfile' : 'SingletonLock')
}

function isHeld(lock: string): boolean {
  try {
    const holder = process.platform === 'win32' ? readFileSync(lock, 'utf8') : readlinkSync(lock)
    const pid = Number(holder.split('-').at(-1))
    if (pid === process.pid) return false
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

export const app = new App()
// In a checkout the first argument is the app's own folder, as with `electron .`; a packaged app has none.
if (app.isPackaged) process.argv.splice(1, 1)

// Like in Electron, mapped to that of the app.
process.exit = (code) => {
  app.exit(Number(code ?? process.exitCode ?? 0))
  throw new Error('unreachable')
}

// Electron's exception handler does nothing if the app has one, and the app continues. Without one, Electron continues as well, but a
// test of the double must end.
process.on('uncaughtException', (error) => {
  if (process.listenerCount('uncaughtException') > 1) return
  process.stderr.write(
    `[error box] A JavaScript error occurred in the main process: ${String(error.stack)}\n`,
  )
  exitProcess(1)
})

onAction('quit', () => app.quit())
if (process.env['DOUBLE_QUIT'] === 'before-ready') setTimeout(() => app.quit())

/** Throws like Electron if `what` is used too early. */
export function assertReady(what: string): void {
  if (!app.isReady()) throw new Error(`${what} before the 'ready' event of the app`)
}
