// The entry of the utility process: the engine, with Electron's main process as the host that lends it secrets and a log.
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
  type SystemAnswer,
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
const tell = (message: FromEngine): void => port.postMessage(message)
const secrets = createRemoteSecrets(tell)
const authorizationWindow = createRemoteWindow(tell)
const browser = createRemoteBrowser(tell)
const dialogs = createRemoteDialogs(tell)

const log: Log = {
  info: (message) => tell({ kind: 'log', level: 'info', message }),
  warn: (message) => tell({ kind: 'log', level: 'warn', message }),
  error: (message, cause) => {
    const id = randomUUID()
    tell({ kind: 'log', level: 'error', message: `[${id}] ${message}: ${inspect(cause)}` })
    return id
  },
}

/** Whether the system guards the key of secrets: known once its store has answered. */
let osSecretStore = false

/** From `init` on. */
let system: RemoteSystem | undefined

/** Set by `init`; a page that is faster than the store waits for it. */
const opening = Promise.withResolvers<Engine>()
// A failure is told to main where it happens; the pages that wait must not make it an unhandled rejection as well.
opening.promise.catch(() => undefined)

async function init(message: Extract<ToEngine, { kind: 'init' }>): Promise<void> {
  const lent = createRemoteSystem(message.system, tell)
  system = lent
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
        system: lent,
        viewerPage: new URL('../viewer/viewer.html', import.meta.url),
        threads: {
          capture: new URL('./capture-thread.js', import.meta.url),
          writer: new URL('./writer-thread.js', import.meta.url),
          reader: new URL('./reader-thread.js', import.meta.url),
          sender: new URL('./sender-thread.js', import.meta.url),
          tunnel: new URL('./tunnel-thread.js', import.meta.url),
          exporter: new URL('./export-thread.js', import.meta.url),
          importer: new URL('./import-thread.js', import.meta.url),
        },
      },
      {
        dataDir: message.dataDir,
        version: message.version,
        listenerPort: message.listenerPort,
      },
    )
    opening.resolve(await withControl(engine, message.dataDir, log))
    tell({ kind: 'opened' })
  } catch (error) {
    opening.reject(error)
    log.error('The engine could not be opened', error)
    tell({
      kind: 'failed',
      message: error instanceof Error ? error.message : String(error),
      code: error instanceof AppError ? error.code : null,
    })
  }
}

/** Frames cross the port by structured clone: bodies stay bytes. */
async function join(port: MessagePortMain): Promise<void> {
  const engine = await opening.promise
  const connection = engine.connect((frame) => port.postMessage(frame))
  port.on('close', () => connection.close())
  port.on('message', (event) => connection.receive(event.data))
  // What the page has sent so far waits until here.
  port.start()
}

/** What is wrong with a file stands in its import, where the page shows it. Main hands it again should this process end before. */
async function importLog(path: string): Promise<void> {
  const engine = await opening.promise
  try {
    const { id } = await engine.call('logs.import', { from: { kind: 'path', path } })
    await engine.call('logs.imported', { id })
  } catch (error) {
    log.error('An event log that was handed over could not be imported', error)
  }
  tell({ kind: 'log-imported', path })
}

let closing: Promise<void> | null = null
/** Whoever asks a second time must not cut off the first. */
const close = (): Promise<void> => (closing ??= closeNow())

async function closeNow(): Promise<void> {
  try {
    const engine = await opening.promise
    await engine.close()
  } finally {
    process.exit(0)
  }
}

/** How long (ms) it may take to close when main has gone: nobody is there who would end it by force. */
const CLOSE_MS = 5_000

/**
 * Main has crashed or was killed. On some systems Chromium ends this process then, without a word to its scripts; where it does not, nothing
 * may keep capturing for an app that is not there.
 */
function closeAfterMain(): void {
  // It went to main.
  process.stderr.on('error', () => undefined)
  setTimeout(() => process.exit(1), CLOSE_MS).unref()
  void close()
}

// The terminal and the session's end signal every process of the app, and not main alone: what is held is committed all the same. Ctrl+C often
// comes twice, so a further one changes nothing. A second SIGTERM is main's, which ends a process that does not close.
process.on('SIGINT', () => void close())
process.on('SIGHUP', () => void close())
process.once('SIGTERM', () => void close())

// The first message comes with a port, over which all the others come: unlike `parentPort`, it tells when main has gone.
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
      secrets.answer(message.id, message.sealed)
      break
    case 'unsealed':
      secrets.answer(message.id, message.clear)
      break
    case 'secrets-unlocked':
      osSecretStore = message.secure
      secrets.unlock()
      break
    case 'refused':
      secrets.refuse(message.id, message.message)
      break
    case 'external-opened':
      browser.answer(message.id, message.opened)
      break
    case 'file-chosen':
      dialogs.answer(message.id, message.path)
      break
    case 'import-logs':
      // Why there is no engine is told to main where it happens.
      for (const path of message.paths) importLog(path).catch(() => undefined)
      break
    case 'window-event':
      authorizationWindow.receive(message.id, message.event)
      break
    case 'system-answered':
      system?.answer(message.id, message.answer)
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

/** The system as the engine's process has it: main alone can do what is asked of it. */
interface RemoteSystem extends SystemPort {
  answer(id: number, answer: SystemAnswer): void
  /** Main tells of each change. */
  updateChanged(state: UpdateState): void
}

/** `facts` are told once, when the engine is opened. */
function createRemoteSystem(facts: SystemFacts, tell: (message: FromEngine) => void): RemoteSystem {
  const waiting = new Map<number, (answer: SystemAnswer) => void>()
  const listeners: ((state: UpdateState) => void)[] = []
  let state: UpdateState = facts.update
  let lastId = 0

  async function ask(wish: SystemRequest): Promise<SystemAnswer> {
    lastId += 1
    const { promise, resolve } = Promise.withResolvers<SystemAnswer>()
    waiting.set(lastId, resolve)
    tell({ kind: 'ask-system', id: lastId, wish })
    const answer = await promise
    if (answer.refused !== null) throw new AppError('bad_input', answer.refused)
    return answer
  }

  return {
    versions: () => facts.versions,
    logFile: facts.logFile,
    showLogs: async () => (await ask('show-logs')).refused === null,
    copyText: async (text) => (await ask({ copy: text })).refused === null,
    updates: {
      state: () => state,
      onChange: (listener) => void listeners.push(listener),
      async check() {
        await ask('check-update')
        return state
      },
      async download() {
        await ask('download-update')
        return state
      },
      async install() {
        await ask('install-update')
      },
    },
    answer(id, answer) {
      waiting.get(id)?.(answer)
      waiting.delete(id)
    },
    updateChanged(changed) {
      state = changed
      for (const listener of listeners) listener(changed)
    },
  }
}
