import { app, type MessageBoxOptions } from 'electron'
import type { Log } from '#engine/platform/ports.ts'
import type { EngineHost } from './engine/host.ts'
import type { RunningWork } from './running-work.ts'
import type { InterfaceWindow } from './window/interface-window.ts'
import { showMessageBox } from './window/message-box.ts'

const QUIT = 0
const CANCEL = 1

export class Quitting {
  readonly #window: InterfaceWindow
  readonly #onBegin: () => void
  readonly #platform: NodeJS.Platform
  #guarded: { work: Pick<RunningWork, 'quitWarning'>; log: Log } | null = null
  #hasBegun = false
  #isDecided = false
  /** Aborting it closes the open message box without a response. */
  #prompt: AbortController | null = null

  constructor(
    window: InterfaceWindow,
    onBegin: () => void,
    platform: NodeJS.Platform = process.platform,
  ) {
    this.#window = window
    this.#onBegin = onBegin
    this.#platform = platform
    app.on('before-quit', (event) => {
      // Not asked again once quitting has begun: while the engine closes, it may still report a running job.
      const guarded = this.#hasBegun || this.#isDecided ? null : this.#guarded
      const detail = guarded?.work.quitWarning() ?? null
      if (detail === null) {
        this.#prompt?.abort()
        return this.#begin()
      }
      event.preventDefault()
      this.#ask(detail).catch((error: unknown) =>
        guarded?.log.error('The quit dialog could not be shown', error),
      )
    })
  }

  /** From then on no window is opened and no engine is started. */
  get hasBegun(): boolean {
    return this.#hasBegun
  }

  /** The system requires it, or the user was already asked. */
  quitNow(): void {
    this.#isDecided = true
    app.quit()
  }

  #begin(): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    this.#onBegin()
  }

  guard(work: Pick<RunningWork, 'quitWarning'>, log: Log): void {
    this.#guarded = { work, log }
  }

  async #ask(detail: string): Promise<void> {
    // A second quit shows the box again, in front, since the user may not see the first one.
    this.#prompt?.abort()
    const controller = new AbortController()
    this.#prompt = controller
    try {
      const response = await this.#show(detail, controller.signal)
      if (controller.signal.aborted) return
      if (response === QUIT) return this.quitNow()
      // If the last window was closed, nothing would show the work that continues.
      if (this.#window.current === undefined) await this.#window.show()
    } finally {
      if (this.#prompt === controller) this.#prompt = null
    }
  }

  async #show(detail: string, signal: AbortSignal): Promise<number> {
    const options: MessageBoxOptions = {
      type: 'warning',
      message: 'Quit Tabscope?',
      detail,
      buttons: ['Quit', 'Cancel'],
      defaultId: CANCEL,
      cancelId: CANCEL,
      signal,
    }
    return showMessageBox(this.#window, options, this.#platform)
  }
}

/** Interrupts within this time come from one Ctrl+C: the terminal sends one, and wrappers such as npm forward theirs. */
const SAME_INTERRUPT_MS = 1_000

interface SignalParts {
  readonly quit: () => void
  readonly exit: (code: number) => void
  readonly log: { warn(message: string): void }
  /** Of a monotonic clock. */
  readonly now?: () => number
  readonly signals?: Pick<NodeJS.Process, 'on'>
}

/**
 * Call it after the app is ready: on Linux and macOS Electron installs its own handlers just before, whose second signal ends the process. Here it changes
 * nothing, except for a second Ctrl+C more than a second after the first.
 */
export function quitOnSignals({
  quit,
  exit,
  log,
  now = () => performance.now(),
  signals = process,
}: SignalParts): void {
  let interruptedAt: number | null = null
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    signals.on(signal, () => {
      if (signal === 'SIGINT') {
        if (interruptedAt !== null && now() - interruptedAt > SAME_INTERRUPT_MS) {
          log.warn('Interrupted a second time. Tabscope exits immediately.')
          return exit(130)
        }
        interruptedAt ??= now()
      }
      quit()
    })
  }
}

/** Before the app quits, so that the engine commits its data. */
export function closeOnQuit(
  engine: Pick<EngineHost, 'close'>,
  log: Pick<Log, 'error'>,
): { now(): Promise<void> } {
  let closing: Promise<void> | null = null
  let isClosed = false
  let willQuit = false
  const close = async (): Promise<void> => {
    try {
      await engine.close()
    } finally {
      isClosed = true
    }
  }
  app.on('will-quit', (event) => {
    if (isClosed) return
    event.preventDefault()
    // A prevented quit is dropped, so `app.quit` is called again after closing, even if the engine was closed for another reason.
    if (willQuit) return
    willQuit = true
    closing ??= close()
    closing
      .catch((error: unknown) => log.error('The engine could not be closed', error))
      .finally(() => app.quit())
  })
  return { now: () => (closing ??= close()) }
}
