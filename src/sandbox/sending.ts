import { createChanges } from './changes.ts'
import { systemClock } from './clock.ts'
import type { Clock } from './clock.ts'
import { SandboxError } from './errors.ts'
import { evening } from './evening.ts'
import { seeded } from './random.ts'
import { compose, parseTargetUrl } from './request.ts'
import type { Target } from './request.ts'
import { checkRate, run } from './run.ts'
import { answered, createSender } from './sender.ts'
import type { Outcome, Sender } from './sender.ts'
import { sampleSteps } from './steps.ts'
import type { Step } from './steps.ts'

/** What the sandbox does just now. The counts are of the run that goes on, or of the last one. */
export interface State {
  readonly running: boolean
  /** Deliveries a second asked for. */
  readonly rate: number
  /** Deliveries answered with 200 to 299. */
  readonly sent: number
  /** All others: another status, or no answer. */
  readonly failed: number
  /** What went wrong last, as a sentence. */
  readonly lastError: string | null
}

/** Sends samples and evenings to a webhook URL. */
export interface Sending {
  send(target: Target, types: readonly string[]): Promise<{ sent: number }>
  startEvening(target: Target, options: { rate: number; seed: number | undefined }): Promise<State>
  stop(): Promise<State>
  state(): State
  onChange(listener: (state: State) => void): () => void
  close(): Promise<void>
}

export interface SendingOptions {
  readonly clock?: Clock
  /** The seed where none is asked for. */
  readonly randomSeed?: () => number
  readonly sender?: Sender
  /** Milliseconds that a stop waits for answers before it cuts them off. */
  readonly patience?: number
}

interface Run {
  readonly stop: AbortController
  readonly cut: AbortController
  readonly done: Promise<void>
}

/** The webhook sender of the service in miniature. */
export function createSending(options: SendingOptions = {}): Sending {
  const {
    clock = systemClock,
    randomSeed = () => Math.floor(Math.random() * 2 ** 32),
    sender = createSender({ clock }),
    patience = 2000,
  } = options
  let state: State = { running: false, rate: 0, sent: 0, failed: 0, lastError: null }
  let current: Run | null = null
  let closed = false
  // Starts and stops one after the other: two starts at once would leave a run that nobody can stop.
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(job: () => Promise<T>): Promise<T> => {
    const result = turn.then(job)
    turn = result.catch(() => {})
    return result
  }
  const changes = createChanges(clock, () => state)
  const become = (change: Partial<State>) => {
    state = { ...state, ...change }
    changes.touch()
  }
  const count = ({ ok, error }: Outcome) =>
    become(
      ok
        ? { sent: state.sent + 1 }
        : { failed: state.failed + 1, lastError: error ?? state.lastError },
    )
  const deliver = (target: Target, step: Step, signal?: AbortSignal) =>
    sender.deliver(compose(target, step.payload(clock.date())), signal)
  const open = () => {
    if (closed) throw new SandboxError('closed', 'The sandbox is closed.')
  }

  const end = async () => {
    if (!current) return
    const { stop, cut, done } = current
    stop.abort()
    const cancel = clock.after(patience, () => cut.abort())
    await done
    cancel()
  }

  return {
    /**
     * One sample of each type, each after the answer to the one before; `sent` are those answered with 200 to 299.
     * Rejects with `SandboxError` (`unknown_type`, `bad_target`, `unreachable`, `closed`).
     */
    async send(target, types) {
      open()
      if (!current) become({ sent: 0, failed: 0, lastError: null })
      const steps = sampleSteps(types, { random: seeded(randomSeed()), brand: target.brand })
      let sent = 0
      for (const step of steps) {
        const outcome = await deliver(target, step)
        count(outcome)
        if (answered(outcome).ok) sent += 1
      }
      return { sent }
    },

    /** Resolves when it has begun; it goes on until `stop`. Rejects with `SandboxError` (`bad_rate`, `bad_target`, `closed`). */
    startEvening: (target, { rate, seed = randomSeed() }) =>
      inTurn(async () => {
        open()
        checkRate(rate)
        parseTargetUrl(target.url)
        await end()
        const stop = new AbortController()
        const cut = new AbortController()
        become({ running: true, rate, sent: 0, failed: 0, lastError: null })
        const done = run({
          steps: evening({ seed, brand: target.brand, count: Infinity }),
          rate,
          clock,
          send: (step) => deliver(target, step, cut.signal),
          onOutcome: count,
          signal: stop.signal,
        })
          .catch((error: unknown) => {
            become({ lastError: error instanceof Error ? error.message : String(error) })
          })
          .finally(() => {
            current = null
            become({ running: false })
          })
        current = { stop, cut, done }
        return state
      }),

    stop: () =>
      inTurn(async () => {
        await end()
        return state
      }),

    state: () => state,

    onChange: (listener) => changes.listen(listener),

    close: () =>
      inTurn(async () => {
        closed = true
        await end()
        changes.close()
        sender.close()
      }),
  }
}
