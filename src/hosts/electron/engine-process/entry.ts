// Entry point of the utility process that runs the engine. Electron's main process is the host, and provides secrets and the log.
import type { MessagePortMain } from 'electron'
import { randomUUID } from 'node:crypto'
import { inspect } from 'node:util'
import * as z from 'zod'
import { UpdateState } from '#contract/desktop.ts'
import { createEngine, type Engine } from '#engine/app/engine.ts'
import { AppError } from '#engine/platform/errors.ts'
import type { EnginePorts, Log } from '#engine/platform/ports.ts'
import { connectApi, serveApi } from '#engine/platform/rpc.ts'
import { Sandbox } from '#sandbox/sandbox.ts'
import { withControl } from '../../control/server.ts'
import {
  EngineInit,
  parsed,
  rpcPort,
  WindowEvent,
  type EngineApi,
  type MainApi,
} from '../engine/messages.ts'
import {
  createRemoteSecrets,
  createRemoteSystem,
  createRemoteWindow,
  type Main,
} from './remote-ports.ts'
import { reasonOf } from '#engine/platform/storage-failure.ts'
import { handledLater } from '#shared/async/handled-later.ts'

/** After main has ended, which can no longer end this process by force. */
const CLOSE_MS = 5_000

const opening = Promise.withResolvers<Engine>()
// The failure is reported to main where it happens.
handledLater(opening.promise)

function start(init: EngineInit, control: MessagePortMain): void {
  const port = rpcPort(control)
  const main = connectApi<MainApi>(port)
  const log = createRemoteLog(main)
  const secrets = createRemoteSecrets(main)
  const authorizationWindow = createRemoteWindow(main)
  const system = createRemoteSystem(init.system, main)
  /** Whether the operating system protects the key of the secrets; known once its secret store has responded. */
  let osSecretStore = false

  const api: EngineApi = {
    unlockSecrets: parsed(z.boolean(), (isSecure) => {
      osSecretStore = isSecure
      secrets.unlock()
    }),
    importLogs: parsed(z.array(z.string()), (paths) => {
      // A failure to open the engine is reported to main where it happens.
      for (const path of paths) importLog(path, main, log).catch(() => undefined)
    }),
    windowEvent: parsed(z.object({ id: z.int(), event: WindowEvent }), ({ id, event }) =>
      authorizationWindow.receive(id, event),
    ),
    updateChanged: parsed(UpdateState, (state) => system.updateChanged(state)),
    woke: () => {
      opening.promise.then(
        (engine) => engine.woke(),
        () => undefined,
      )
    },
    close: () => void close(),
  }
  serveApi(port, api)
  control.on('message', ({ ports }) => {
    for (const page of ports) join(page).catch(() => page.close())
  })
  control.on('close', closeAfterMain)
  control.start()

  void open(init, main, {
    secrets,
    sandbox: new Sandbox(),
    log,
    authorizationWindow,
    openExternal: async (url) => main.call('openExternal', url),
    resolveProxy: async (url) => main.call('resolveProxy', url),
    get capabilities() {
      return { ...init.capabilities, osSecretStore }
    },
    dialogs: {
      save: async (name) => main.call('chooseSavePath', name),
      open: async () => main.call('chooseOpenPath'),
    },
    system,
    threads: {
      capture: new URL('./capture-thread.js', import.meta.url),
      writer: new URL('./writer-thread.js', import.meta.url),
      indexer: new URL('./indexer-thread.js', import.meta.url),
      reader: new URL('./reader-thread.js', import.meta.url),
      sender: new URL('./sender-thread.js', import.meta.url),
      tunnel: new URL('./tunnel-thread.js', import.meta.url),
      exporter: new URL('./export-thread.js', import.meta.url),
      importer: new URL('./import-thread.js', import.meta.url),
      rehearsal: new URL('./rehearsal-thread.js', import.meta.url),
      script: new URL('./script-thread.js', import.meta.url),
      relay: new URL('./relay-thread.js', import.meta.url),
    },
  })
}

async function open(
  { dataDir, version, listenerPort }: EngineInit,
  main: Main,
  ports: EnginePorts,
): Promise<void> {
  const { log } = ports
  try {
    const engine = await createEngine(ports, { dataDir, version, listenerPort })
    opening.resolve(await withControl(engine, dataDir, log))
    main.call('opened').catch(afterMain)
  } catch (error) {
    opening.reject(error)
    log.error('The engine could not be opened', error)
    const message = reasonOf(error)
    const code = error instanceof AppError ? error.code : null
    main.call('failed', { message, code }).catch(afterMain)
  }
}

/** A call that fails because main has ended needs no report: this process closes as well. */
const afterMain = (): void => undefined

/** Main writes the log. What is logged after main has ended is lost. */
function createRemoteLog(main: Main): Log {
  const send = (entry: Parameters<MainApi['log']>[0]): void => {
    main.call('log', entry).catch(afterMain)
  }
  return {
    info: (message) => send({ level: 'info', message }),
    warn: (message) => send({ level: 'warn', message }),
    error: (message, cause) => {
      const id = randomUUID()
      send({ level: 'error', message: `[${id}] ${message}: ${inspect(cause)}` })
      return id
    },
  }
}

/** Frames cross the port by structured clone, so bodies stay bytes. */
async function join(port: MessagePortMain): Promise<void> {
  const engine = await opening.promise
  const connection = engine.connect((frame) => port.postMessage(frame))
  port.on('close', () => connection.close())
  port.on('message', (event) => connection.receive(event.data))
  // Messages that the page has sent are queued until here.
  port.start()
}

/** The page shows errors in the file. If this process ends first, main sends the path again. */
async function importLog(path: string, main: Main, log: Log): Promise<void> {
  const engine = await opening.promise
  try {
    const { id } = await engine.call('logs.import', { from: { kind: 'path', path } })
    await engine.call('logs.imported', { id })
  } catch (error) {
    log.error('An event log passed to the app could not be imported', error)
  }
  await main.call('imported', path)
}

let closing: Promise<void> | null = null
/** A second call waits for the first one. */
const close = (): Promise<void> => (closing ??= closeEngine())

async function closeEngine(): Promise<void> {
  try {
    const engine = await opening.promise
    await engine.close()
  } finally {
    process.exit(0)
  }
}

/** Main has crashed or was killed. On some systems Chromium then ends this process without notice; on the others it must not keep capturing without an app. */
function closeAfterMain(): void {
  setTimeout(() => process.exit(1), CLOSE_MS).unref()
  void close()
}

// Both are piped to main. When main is killed the pipes break before the ports close, and an unhandled EPIPE would end this process before it has closed.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

// The terminal and the end of the session signal every process of the app, not only main, so this process commits its data too. Ctrl+C often arrives twice;
// further signals change nothing. A second SIGTERM comes from main, which ends a process that does not close.
process.on('SIGINT', () => void close())
process.on('SIGHUP', () => void close())
process.once('SIGTERM', () => void close())

// The first message brings a port, which carries everything else: unlike `parentPort`, it reports when main has ended.
process.parentPort.on('message', ({ data, ports: [control] }) => {
  if (control === undefined) throw new Error('main sent no port')
  start(EngineInit.parse(data), control)
})
