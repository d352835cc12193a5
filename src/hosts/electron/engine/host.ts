import type { MessagePortMain, WebFrameMain } from 'electron'
import * as z from 'zod'
import type { UpdateState } from '#contract/desktop.ts'
import { portGiven, portWanted } from '#contract/host-messages.ts'
import { isAppUrl } from '../app-url.ts'
import type { Ipc } from '../ipc.ts'
import type { InterfaceWindow } from '../window/interface-window.ts'
import type { EngineInit } from './messages.ts'
import { EngineRun, type EngineServices } from './run.ts'
import type { EngineFailure } from './engine-failure.ts'
import { planRestarts } from './restarts.ts'

/** Seen from main. It is restarted if it ends unexpectedly. */
export type EngineHost = ReturnType<typeof startEngine>

export interface EngineHostOptions extends EngineServices {
  readonly entry: string
  readonly init: () => EngineInit
  /** Clients of the previous process need a port to the new one. */
  readonly started: (openPort: () => MessagePortMain) => void
  /** False: quit. `abort` is aborted when the question no longer matters. */
  readonly ask: (failure: EngineFailure, abort: AbortSignal) => Promise<boolean>
  readonly quit: () => void
  /** Tabscope is quitting: the engine is not restarted. */
  readonly ending: () => boolean
}

/** Restarts the process when it ends unexpectedly. The app must be ready. */
export function startEngine(options: EngineHostOptions) {
  const { log } = options
  const restarts = planRestarts()
  const imports = new Set<string>()
  const closing = new AbortController()
  let run: EngineRun | null = null
  let isOpen = false
  let timer: NodeJS.Timeout | undefined

  function start(): void {
    if (closing.signal.aborted) return
    const started = new EngineRun(options.entry, options.init(), options, {
      opened: () => (isOpen = true),
      imported: (path) => imports.delete(path),
      chosenLate: (path) => importLogs([path]),
      failed: (message, code) => {
        run = null
        if (!options.ending()) void decide({ kind: 'not-opened', message, code })
      },
      died: (code) => {
        run = null
        log.error(`The engine process ended with code ${code}`, undefined)
        skipImports()
        if (options.ending()) return
        const delayMs = restarts.ended(performance.now())
        if (delayMs === null) void decide({ kind: 'keeps-ending' })
        else timer = setTimeout(start, delayMs)
      },
    })
    run = started
    options.started(() => started.openPort())
    sendImports([...imports])
  }

  async function decide(failure: EngineFailure): Promise<void> {
    const shouldRestart = await options.ask(failure, closing.signal)
    if (closing.signal.aborted) return
    if (!shouldRestart) return options.quit()
    restarts.reset()
    start()
  }

  /** A file that the engine was importing may be the cause of its end, so it is not tried again. */
  function skipImports(): void {
    if (!isOpen) return
    isOpen = false
    for (const path of imports) {
      log.error(`The engine ended while importing ${path}. The file is skipped.`, undefined)
    }
    imports.clear()
  }

  function sendImports(paths: readonly string[]): void {
    if (paths.length > 0) run?.notify('importLogs', paths)
  }

  function importLogs(paths: readonly string[]): void {
    for (const path of paths) imports.add(path)
    sendImports(paths)
  }

  start()

  return {
    /** For one page. Null while no process is running; `started` is called when there is one. */
    openPort: () => run?.openPort() ?? null,
    /** Absolute paths. Queued if the engine is not open yet or ends before it has imported them. */
    importLogs,
    woke: () => run?.notify('woke'),
    updateChanged: (state: UpdateState) => run?.notify('updateChanged', state),
    /** By force after five seconds. */
    async close(): Promise<void> {
      closing.abort()
      clearTimeout(timer)
      await run?.close()
    },
  }
}

/** If no engine is running, the page gets a port later, from `sendPort`. */
export function handlePortRequests(ipc: Ipc, openPort: () => MessagePortMain | null): void {
  ipc.on(portWanted, z.undefined(), (_nothing, frame) => {
    const port = openPort()
    if (port !== null) postPort(frame, port)
  })
}

/** For the restarted engine, to each page. A page that is still loading asks for one itself. */
export function sendPort(
  window: Pick<InterfaceWindow, 'all'>,
  openPort: () => MessagePortMain,
): void {
  for (const { webContents } of window.all)
    if (!webContents.isCrashed() && isAppUrl(webContents.getURL()))
      postPort(webContents, openPort())
}

/** Electron throws if the page is gone. The page that replaces it asks for a port itself. */
function postPort(page: Pick<WebFrameMain, 'postMessage'>, port: MessagePortMain): void {
  try {
    page.postMessage(portGiven, null, [port])
  } catch {
    port.close()
  }
}
