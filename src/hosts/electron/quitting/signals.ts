/** Interrupts within this time come from one Ctrl+C, in milliseconds: the terminal sends one, and wrappers such as npm forward theirs. */
const SAME_INTERRUPT_MS = 1_000

interface Parts {
  /** Quits cleanly, without asking. */
  readonly quit: () => void
  /** Ends the process immediately. */
  readonly exit: (code: number) => void
  readonly log: { warn(message: string): void }
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number
  readonly signals?: Pick<NodeJS.Process, 'on'>
}

/**
 * Quits on SIGINT, SIGTERM and SIGHUP. Call it after the app is ready: on Linux and macOS Electron installs its own handlers just before, which
 * replace earlier ones, act once, and let the second signal end the process. Here a further signal changes nothing, except for a second
 * Ctrl+C more than a second after the first.
 */
export function quitOnSignals({
  quit,
  exit,
  log,
  now = () => performance.now(),
  signals = process,
}: Parts): void {
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
