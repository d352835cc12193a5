import { createChanges } from './changes.ts'
import { systemClock } from './clock.ts'
import type { Clock } from './clock.ts'
import { SandboxError } from './errors.ts'
import { evening } from './evening.ts'
import { seeded } from './random.ts'
import { compose, parseTargetUrl } from './request.ts'
import type { Target } from './request.ts'
import { checkRate, run } from './run.ts'
import { requireResponse, createSender } from './sender.ts'
import type { Outcome, Sender } from './sender.ts'
import { sampleSteps } from './steps.ts'
import type { Step } from './steps.ts'
import { messageOf } from '#shared/text/errors.ts'

/** The counts belong to the current run, or to the last one if none is running. */
export interface State {
  readonly running: boolean
  readonly rate: number
  /** Deliveries with a status of 200 to 299. */
  readonly sent: number
  readonly failed: number
  readonly lastError: string | null
}

export interface Sending {
  send(target: Target, types: readonly string[]): Promise<{ sent: number }>
  startTraffic(target: Target, options: { rate: number; seed: number | undefined }): Promise<State>
  stop(): Promise<State>
  state(): State
  onChange(listener: (state: State) => void): () => void
  close(): Promise<void>
}

export interface SendingOptions {
  readonly clock?: Clock
  readonly randomSeed?: () => number
  readonly sender?: Sender
  /** Milliseconds that `stop` waits for pending responses before it aborts them. */
  readonly stopTimeout?: number
}

interface Run {
  readonly stop: AbortController
  readonly cut: AbortController
  readonly done: Promise<void>
}

export function createSending(options: SendingOptions = {}): Sending {
  const {
    clock = systemClock,
    randomSeed = () => Math.floor(Math.random() * 2 ** 32),
    sender = createSender({ clock }),
    stopTimeout = 2000,
  } = options
  let state: State = { running: false, rate: 0, sent: 0, failed: 0, lastError: null }
  let current: Run | null = null
  let closed = false
  // Starts and stops run one after the other: two concurrent starts would leave a run that cannot be stopped.
  let lastJob: Promise<unknown> = Promise.resolve()
  const enqueue = <T>(job: () => Promise<T>): Promise<T> => {
    const result = lastJob.then(job)
    lastJob = result.catch(() => {})
    return result
  }
  const changes = createChanges(clock, () => state)
  const update = (change: Partial<State>) => {
    state = { ...state, ...change }
    changes.touch()
  }
  const count = ({ ok, error }: Outcome) =>
    update(
      ok
        ? { sent: state.sent + 1 }
        : { failed: state.failed + 1, lastError: error ?? state.lastError },
    )
  const deliver = (target: Target, step: Step, signal?: AbortSignal) =>
    sender.deliver(compose(target, step.payload(clock.date())), signal)
  const checkOpen = () => {
    if (closed) throw new SandboxError('closed', 'The sandbox is closed.')
  }

  const end = async () => {
    if (!current) return
    const { stop, cut, done } = current
    stop.abort()
    const cancel = clock.after(stopTimeout, () => cut.abort())
    await done
    cancel()
  }

  return {
    /**
     * Sends one sample of each type, each after the response to the previous one. `sent` counts the responses with 200 to 299. Rejects with `SandboxError`
     * (`unknown_type`, `bad_target`, `unreachable`, `closed`).
     */
    async send(target, types) {
      checkOpen()
      if (!current) update({ sent: 0, failed: 0, lastError: null })
      const steps = sampleSteps(types, { random: seeded(randomSeed()), brand: target.brand })
      let sent = 0
      for (const step of steps) {
        const outcome = await deliver(target, step)
        count(outcome)
        if (requireResponse(outcome).ok) sent += 1
      }
      return { sent }
    },

    /** Resolves when the run has started, which continues until `stop`. Rejects with `SandboxError` (`bad_rate`, `bad_target`, `closed`). */
    startTraffic: (target, { rate, seed = randomSeed() }) =>
      enqueue(async () => {
        checkOpen()
        checkRate(rate)
        parseTargetUrl(target.url)
        await end()
        const stop = new AbortController()
        const cut = new AbortController()
        update({ running: true, rate, sent: 0, failed: 0, lastError: null })
        const done = run({
          steps: evening({ seed, brand: target.brand, count: Infinity }),
          rate,
          clock,
          send: (step) => deliver(target, step, cut.signal),
          onOutcome: count,
          signal: stop.signal,
        })
          .catch((error: unknown) => {
            update({ lastError: messageOf(error) })
          })
          .finally(() => {
            current = null
            update({ running: false })
          })
        current = { stop, cut, done }
        return state
      }),

    stop: () =>
      enqueue(async () => {
        await end()
        return state
      }),

    state: () => state,

    onChange: (listener) => changes.listen(listener),

    close: () =>
      enqueue(async () => {
        closed = true
        await end()
        changes.close()
        sender.close()
      }),
  }
}
