import type { MessagePortMain } from 'electron'
import type { UpdateState } from '#contract/desktop.ts'
import { runEngine, type EngineInit, type EngineServices, type EngineRun } from './run.ts'
import type { EngineFailure } from './engine-failure.ts'
import { createPendingImports, planRestarts } from './restarts.ts'

/** The engine as main has it: one process after another, should one end unasked. */
export interface EngineHost {
  /** A new port to the engine, for one page. Null: there is no process just now, and `started` is told when there is. */
  openPort(): MessagePortMain | null
  /** Has the engine import these event logs: absolute paths. It may not be open yet, or end before it has them. */
  importLogs(paths: readonly string[]): void
  /** The computer was asleep. */
  woke(): void
  updateChanged(state: UpdateState): void
  /** Ends the engine's process, by force after five seconds. */
  close(): Promise<void>
}

export interface EngineHostOptions extends EngineServices {
  /** Path of the built entry of the engine's process. */
  readonly entry: string
  /** Asked before each start. */
  readonly init: () => EngineInit
  /** A process was started: whoever had a port of the one before needs one of this. */
  readonly started: (openPort: () => MessagePortMain) => void
  /** Asks a person what is to be done; false: Tabscope is to be closed. `over` is aborted when nobody needs to know any more. */
  readonly ask: (trouble: EngineFailure, over: AbortSignal) => Promise<boolean>
  readonly quit: () => void
  /** Whether Tabscope is about to end: then none is started again. */
  readonly ending: () => boolean
}

/** Starts the engine, and again when its process ends unasked. Only after the app is ready. */
export function startEngine(options: EngineHostOptions): EngineHost {
  const { log } = options
  const restarts = planRestarts()
  const imports = createPendingImports()
  const closing = new AbortController()
  let run: EngineRun | null = null
  let timer: NodeJS.Timeout | undefined

  function start(): void {
    if (closing.signal.aborted) return
    const started = runEngine(options.entry, options.init(), options, {
      opened: () => imports.opened(),
      imported: (path) => imports.done(path),
      chosenLate: (path) => importLogs([path]),
      failed: (message, code) => {
        run = null
        if (!options.ending()) void decide({ kind: 'not-opened', message, code })
      },
      died: (code) => {
        run = null
        log.error(`The engine's process ended with code ${code}`, undefined)
        for (const path of imports.lost()) {
          log.error(
            `The engine ended twice while it imported ${path}, which is left out`,
            undefined,
          )
        }
        if (options.ending()) return
        const wait = restarts.ended(performance.now())
        if (wait === null) void decide({ kind: 'ends-again' })
        else timer = setTimeout(start, wait)
      },
    })
    run = started
    options.started(() => started.openPort())
    hand(imports.all())
  }

  async function decide(trouble: EngineFailure): Promise<void> {
    const again = await options.ask(trouble, closing.signal)
    if (closing.signal.aborted) return
    if (!again) return options.quit()
    restarts.reset()
    start()
  }

  function hand(paths: readonly string[]): void {
    if (paths.length > 0) run?.tell({ kind: 'import-logs', paths: [...paths] })
  }

  function importLogs(paths: readonly string[]): void {
    imports.add(paths)
    hand(paths)
  }

  start()

  return {
    openPort: () => run?.openPort() ?? null,
    importLogs,
    woke: () => run?.tell({ kind: 'woke' }),
    updateChanged: (state) => run?.tell({ kind: 'update-changed', state }),
    async close() {
      closing.abort()
      clearTimeout(timer)
      await run?.close()
    },
  }
}
