import { noCapabilities } from '#contract/constants.ts'
import { createEngine, type Engine } from '#engine/app/engine.ts'
import type { EnginePorts, SystemPort } from '#engine/platform/ports.ts'
import type { CaptureLimits } from '#engine/receiving/listener/messages.ts'
import { Sandbox } from '#sandbox/sandbox.ts'
import { logFileIn } from '../../data-dir.ts'
import { openLog } from '../../log.ts'
import { openBrowser } from '../serve/open-browser.ts'
import { io, ownCommand } from '../command-line/io.ts'
import { createSecretBox } from './secrets.ts'
import { builtFile, version } from '../version.ts'
import { release } from 'node:os'

export interface HostOptions {
  readonly dataDir: string
  readonly listenerPort?: number | undefined
  /** False for a command that only reads. */
  readonly listen?: boolean
  /** False for a short-lived command: tokens are not refreshed automatically. */
  readonly background?: boolean
  /** Refuses a damaged store and leaves it unchanged. */
  readonly keepDamaged?: boolean
  /** `none`: do not reopen the last tunnel. */
  readonly tunnel?: 'none' | undefined
  readonly opensBrowser?: boolean | undefined
  readonly limits?: Partial<CaptureLimits>
}

/** Throws `AppError` if the store cannot be opened. */
export function openEngine({
  dataDir,
  opensBrowser = true,
  ...options
}: HostOptions): Promise<Engine> {
  return createEngine(portsOf(dataDir, opensBrowser), { dataDir, version: version(), ...options })
}

function portsOf(dataDir: string, opensBrowser: boolean): EnginePorts {
  return {
    secrets: createSecretBox(dataDir, io.env),
    sandbox: new Sandbox(),
    log: openLog(dataDir, io),
    authorizationWindow: null,
    openExternal: opensBrowser ? (url) => openBrowser(url, { env: io.env }) : async () => false,
    capabilities: noCapabilities,
    dialogs: null,
    system: createNodeSystem(logFileIn(dataDir, process.platform, io.env)),
    threads: {
      capture: builtFile('main/capture-thread.js'),
      writer: builtFile('main/writer-thread.js'),
      indexer: builtFile('main/indexer-thread.js'),
      reader: builtFile('main/reader-thread.js'),
      sender: builtFile('main/sender-thread.js'),
      tunnel: builtFile('main/tunnel-thread.js'),
      exporter: builtFile('main/export-thread.js'),
      importer: builtFile('main/import-thread.js'),
      rehearsal: builtFile('main/rehearsal-thread.js'),
      script: builtFile('main/script-thread.js'),
      relay: builtFile('main/relay-thread.js'),
    },
  }
}

/** No file manager, and no updates. `logFile` is an absolute path. */
export function createNodeSystem(logFile: string): SystemPort {
  return {
    versions: () => [
      { name: 'Node', version: process.versions.node },
      { name: 'V8', version: process.versions.v8 },
      { name: 'System', version: `${process.platform} ${release()} ${process.arch}` },
    ],
    logFile,
    showLogs: async () => false,
    // The browser may run on another machine, and has its own clipboard.
    copyText: async () => false,
    command: ownCommandText,
    updates: null,
  }
}

function ownCommandText(): string {
  const { program, script } = ownCommand()
  return [program, script].map((file) => (/\s/.test(file) ? `"${file}"` : file)).join(' ')
}
