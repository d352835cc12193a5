import {
  createEngine,
  createReadingEngine,
  type Engine,
  type ReadingEngine,
} from '#engine/engine.ts'
import type { EnginePorts, SystemPort } from '#engine/ports.ts'
import type { CaptureLimits } from '#engine/capture/limits.ts'
import { createSandbox } from '#sandbox/sandbox.ts'
import { logFileIn } from '../log-place.ts'
import { openLog } from '../log.ts'
import { openBrowser } from './open-browser.ts'
import { createSecretBox } from './secrets.ts'
import { version } from './version.ts'
import { release } from 'node:os'

export interface HostOptions {
  readonly dataDir: string
  readonly listenerPort?: number | undefined
  /** False for a command that only reads. */
  readonly listen?: boolean
  /** False for a command that ends by itself: no token is refreshed by the clock. */
  readonly background?: boolean
  /** True: a damaged store is refused and left as it is. */
  readonly keepDamaged?: boolean
  /** `none`: not even the tunnel that was open the last time. */
  readonly tunnel?: 'none' | undefined
  /** False: no browser is opened, whoever asks. */
  readonly opensBrowser?: boolean | undefined
  readonly limits?: Partial<CaptureLimits>
}

/** The engine with what Node can lend it. Throws `AppError` when the store cannot be opened. */
export function openEngine({
  dataDir,
  opensBrowser = true,
  ...options
}: HostOptions): Promise<Engine> {
  return createEngine(portsOf(dataDir, opensBrowser), { dataDir, version: version(), ...options })
}

/** The same for the calls that change nothing; null: the folder must be opened by `openEngine`. Throws `AppError`. */
export function openReadingEngine(dataDir: string): Promise<ReadingEngine | null> {
  return createReadingEngine(portsOf(dataDir, false), { dataDir, version: version() })
}

function portsOf(dataDir: string, opensBrowser: boolean): EnginePorts {
  return {
    secrets: createSecretBox(dataDir),
    sandbox: createSandbox(),
    log: openLog(dataDir),
    authorizationWindow: null,
    openExternal: opensBrowser ? (url) => openBrowser(url) : async () => false,
    capabilities: {
      embeddedAuthWindow: false,
      nativeDialogs: false,
      osSecretStore: false,
      editing: true,
      background: false,
      notifications: false,
      loginItem: false,
      links: false,
      updates: false,
    },
    dialogs: null,
    system: createNodeSystem(logFileIn(dataDir)),
    viewerPage: new URL('../viewer/viewer.html', import.meta.url),
    // Built beside this file, whichever chunk it lands in: see electron.vite.config.ts.
    threads: {
      capture: new URL('./capture-thread.js', import.meta.url),
      writer: new URL('./writer-thread.js', import.meta.url),
      reader: new URL('./reader-thread.js', import.meta.url),
      sender: new URL('./sender-thread.js', import.meta.url),
      tunnel: new URL('./tunnel-thread.js', import.meta.url),
      exporter: new URL('./export-thread.js', import.meta.url),
      importer: new URL('./import-thread.js', import.meta.url),
    },
  }
}

/** Node as a host: no file manager, and nothing that brings it up to date. `logFile` is an absolute path. */
export function createNodeSystem(logFile: string): SystemPort {
  return {
    versions: () => [
      { name: 'Node', version: process.versions.node },
      { name: 'V8', version: process.versions.v8 },
      { name: 'System', version: `${process.platform} ${release()} ${process.arch}` },
    ],
    logFile,
    showLogs: async () => false,
    // The browser that shows the interface may run elsewhere, and has a clipboard of its own.
    copyText: async () => false,
    updates: null,
  }
}
