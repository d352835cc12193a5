// Entry point of the utility process that runs the engine. Electron's main process is the host, and provides secrets and the log.
import type { MessagePortMain } from 'electron'
import { randomUUID } from 'node:crypto'
import { inspect } from 'node:util'
import { createEngine, type Engine } from '#engine/app/engine.ts'
import { AppError } from '#engine/platform/errors.ts'
import type { Log, SystemPort } from '#engine/platform/ports.ts'
import { createSandbox } from '#sandbox/sandbox.ts'
import { withControl } from '../../control/server.ts'
import {
  ToEngine,
  type FromEngine,
  type SystemResult,
  type SystemFacts,
  type SystemRequest,
} from '../engine/messages.ts'
import {
  createRemoteBrowser,
  createRemoteDialogs,
  createRemoteSecrets,
  createRemoteWindow,
} from './remote-ports.ts'
import type { UpdateState } from '#contract/desktop.ts'

const port = process.parentPort
const send = (message: FromEngine): void => port.postMessage(message)
const secrets = createRemoteSecrets(send)
const authorizationWindow = createRemoteWindow(send)
const browser = createRemoteBrowser(send)
const dialogs = createRemoteDialogs(send)

const log: Log = {
  info: (message) => send({ kind: 'log', level: 'info', message }),
  warn: (message) => send({ kind: 'log', level: 'warn', message }),
  error: (message, cause) => {
    const id = randomUUID()
    send({ kind: 'log', level: 'error', message: `[${id}] ${message}: ${inspect(cause)}` })
    return id
  },
}

/** Whether the operating system protects the key of the secrets; known once its secret store has responded. */
let osSecretStore = false

/** Set by `init`. */
let system: RemoteSystem | undefined

/** Resolved by `init`; a page that connects earlier waits for it. */
const opening = Promise.withResolvers<Engine>()
// The failure is reported to main where it happens; it must not also become an unhandled rejection.
opening.promise.catch(() => undefined)

async function init(message: Extract<ToEngine, { kind: 'init' }>): Promise<void> {
  const remoteSystem = createRemoteSystem(message.system, send)
  system = remoteSystem
  try {
    const engine = await createEngine(
      {
        secrets,
        sandbox: createSandbox(),
        log,
        authorizationWindow,
        openExternal: async (url) => browser.open(url),
        get capabilities() {
          return { ...message.capabilities, osSecretStore }
        },
        dialogs,
        system: remoteSystem,
        viewerPage: new URL('../viewer/viewer.html', import.meta.url),
        threads: {
          capture: new URL('./capture-thread.js', import.meta.url),
          writer: new URL('./writer-thread.js', import.meta.url),
          reader: new URL('./reader-thread.js', import.meta.url),
          sender: new URL('./sender-thread.js', import.meta.url),
          tunnel: new URL('./tunnel-thread.js', import.meta.url),
          exporter: new URL('./export-thread.js', import.meta.url),
          importer: new URL('./import-thread.js', import.meta.url),
          rehearsal: new URL('./rehearsal-thread.js', import.meta.url),
        },
      },
      {
        dataDir: message.dataDir,
        version: message.version,
        listenerPort: message.listenerPort,
      },
    )
    opening.resolve(await withControl(engine, message.dataDir, log))
    send({ kind: 'opened' })
  } catch (error) {
    opening.reject(error)
    log.error('The engine could not be opened', error)
    send({
      kind: 'failed',
      message: error instanceof Error ? error.message : String(error),
      code: error instanceof AppError ? error.code : null,
    })
  }
}

/** Connects a page. Frames cross the port by structured clone, so bodies stay bytes. */
async function join(port: MessagePortMain): Promise<void> {
  const engine = await opening.promise
  const connection = engine.connect((frame) => port.postMessage(frame))
  port.on('close', () => connection.close())
  port.on('message', (event) => connection.receive(event.data))
  // Messages that the page has sent are queued until here.
  port.start()
}

/** Imports an event log that was passed to the app. The page shows errors in the file. If this process ends first, main sends the path again. */
async function importLog(path: string): Promise<void> {
  const engine = await opening.promise
  try {
    const { id } = await engine.call('logs.import', { from: { kind: 'path', path } })
    await engine.call('logs.imported', { id })
  } catch (error) {
    log.error('An event log passed to the app could not be imported', error)
  }
  send({ kind: 'log-imported', path })
}

// Both are piped to main. When main is killed the pipes break before the ports close, and an unhandled EPIPE would end this process before it has closed.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

let closing: Promise<void> | null = null
/** Closes the engine, then ends the process. A second call waits for the first one. */
const close = (): Promise<void> => (closing ??= closeEngine())

async function closeEngine(): Promise<void> {
  try {
    const engine = await opening.promise
    await engine.close()
  } finally {
    process.exit(0)
  }
}

/** Time limit for closing after main has ended, in milliseconds. Main can no longer end this process by force. */
const CLOSE_MS = 5_000

/** Main has crashed or was killed. On some systems Chromium then ends this process without notice; on the others it must not keep capturing without an app. */
function closeAfterMain(): void {
  setTimeout(() => process.exit(1), CLOSE_MS).unref()
  void close()
}

// The terminal and the end of the session signal every process of the app, not only main, so this process commits its data too. Ctrl+C often arrives twice;
// further signals change nothing. A second SIGTERM comes from main, which ends a process that does not close.
process.on('SIGINT', () => void close())
process.on('SIGHUP', () => void close())
process.once('SIGTERM', () => void close())

// The first message brings a port, which carries all later ones: unlike `parentPort`, it reports when main has ended.
port.on('message', (event) => {
  receive(event)
  for (const control of event.ports) {
    control.on('message', receive)
    control.on('close', closeAfterMain)
    control.start()
  }
})

function receive(event: {
  readonly data: unknown
  readonly ports: readonly MessagePortMain[]
}): void {
  const message = ToEngine.parse(event.data)
  switch (message.kind) {
    case 'init':
      void init(message)
      break
    case 'connect':
      for (const port of event.ports) void join(port).catch(() => port.close())
      break
    case 'sealed':
      secrets.resolve(message.id, message.sealed)
      break
    case 'unsealed':
      secrets.resolve(message.id, message.clear)
      break
    case 'secrets-unlocked':
      osSecretStore = message.secure
      secrets.unlock()
      break
    case 'refused':
      secrets.reject(message.id, message.message)
      break
    case 'external-opened':
      browser.resolve(message.id, message.opened)
      break
    case 'file-chosen':
      dialogs.resolve(message.id, message.path)
      break
    case 'import-logs':
      // A failure to open the engine is reported to main where it happens.
      for (const path of message.paths) importLog(path).catch(() => undefined)
      break
    case 'window-event':
      authorizationWindow.receive(message.id, message.event)
      break
    case 'system-result':
      system?.resolve(message.id, message.result)
      break
    case 'update-changed':
      system?.updateChanged(message.state)
      break
    case 'woke':
      opening.promise.then(
        (engine) => engine.woke(),
        () => undefined,
      )
      break
    case 'close':
      void close()
      break
  }
}

/** System functions for the engine process, which only main can run. */
interface RemoteSystem extends SystemPort {
  resolve(id: number, result: SystemResult): void
  /** Called for each change that main reports. */
  updateChanged(state: UpdateState): void
}

/** `facts` are those of the time when the engine opened. */
function createRemoteSystem(facts: SystemFacts, send: (message: FromEngine) => void): RemoteSystem {
  const pending = new Map<number, (result: SystemResult) => void>()
  const listeners: ((state: UpdateState) => void)[] = []
  let state: UpdateState = facts.update
  let lastId = 0

  async function call(request: SystemRequest): Promise<SystemResult> {
    lastId += 1
    const { promise, resolve } = Promise.withResolvers<SystemResult>()
    pending.set(lastId, resolve)
    send({ kind: 'call-system', id: lastId, request })
    const result = await promise
    if (result.refused !== null) throw new AppError('bad_input', result.refused)
    return result
  }

  return {
    versions: () => facts.versions,
    logFile: facts.logFile,
    showLogs: async () => (await call('show-logs')).refused === null,
    copyText: async (text) => (await call({ copy: text })).refused === null,
    updates: {
      state: () => state,
      onChange: (listener) => void listeners.push(listener),
      async check() {
        await call('check-update')
        return state
      },
      async download() {
        await call('download-update')
        return state
      },
      async install() {
        await call('install-update')
      },
    },
    resolve(id, result) {
      pending.get(id)?.(result)
      pending.delete(id)
    },
    updateChanged(changed) {
      state = changed
      for (const listener of listeners) listener(changed)
    },
  }
}
