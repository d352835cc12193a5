import type { SandboxProblem } from '#catalogue/sandbox-problems.ts'
import { createMutex } from '#shared/async/mutex.ts'
import { type Changes, createChanges } from './changes.ts'
import { systemClock, type Clock } from './clock.ts'
import { SandboxError } from './errors.ts'
import { traffic } from './traffic.ts'
import { seeded } from './random.ts'
import { compose, parseTargetUrl, type Target } from './request.ts'
import { checkRate, run } from './run.ts'
import { type Outcome, requireResponse, Sender } from './sender.ts'
import { stepsWith, targetWith } from './problems.ts'
import type { Step } from './steps.ts'
import { messageOf } from '#shared/text/errors.ts'

/** The counts belong to the current run, or to the last one if none is running. */
export interface State {
  readonly running: boolean
  /** Deliveries per second. */
  readonly rate: number
  /** Deliveries with a status of 200 to 299. */
  readonly sent: number
  readonly failed: number
  readonly lastError: string | null
}

export interface SendingOptions {
  readonly clock?: Clock
  readonly randomSeed?: () => number
  readonly sender?: Pick<Sender, 'deliver' | 'close'>
  /** Milliseconds that `stop` waits for pending responses before it aborts them. */
  readonly stopTimeout?: number
}

interface Run {
  readonly stop: AbortController
  readonly cut: AbortController
  readonly done: Promise<void>
}

export class Sending {
  readonly #clock: Clock
  readonly #randomSeed: () => number
  readonly #sender: Pick<Sender, 'deliver' | 'close'>
  readonly #stopTimeout: number
  /** Starts and stops run one after the other: two concurrent starts would leave a run that cannot be stopped. */
  readonly #inOrder = createMutex()
  readonly #changes: Changes<State>
  #state: State = { running: false, rate: 0, sent: 0, failed: 0, lastError: null }
  #run: Run | null = null
  #closed = false

  constructor(options: SendingOptions = {}) {
    this.#clock = options.clock ?? systemClock
    this.#randomSeed = options.randomSeed ?? (() => Math.floor(Math.random() * 2 ** 32))
    this.#sender = options.sender ?? new Sender({ clock: this.#clock })
    this.#stopTimeout = options.stopTimeout ?? 2000
    this.#changes = createChanges(this.#clock, () => this.#state)
  }

  /**
   * Sends one sample of each type, each after the response to the previous one. `sent` counts the responses with 200 to 299. Rejects with `SandboxError`
   * (`unknown_type`, `bad_target`, `unreachable`, `closed`).
   */
  async send(
    target: Target,
    types: readonly string[],
    problem: SandboxProblem | null = null,
  ): Promise<{ sent: number }> {
    this.#checkOpen()
    if (!this.#run) this.#update({ sent: 0, failed: 0, lastError: null })
    const options = { random: seeded(this.#randomSeed()), brand: target.brand }
    let sent = 0
    for (const step of stepsWith(problem, types, options)) {
      const outcome = await this.#deliver(targetWith(problem, target), step)
      this.#count(outcome)
      if (requireResponse(outcome).ok) sent += 1
    }
    return { sent }
  }

  /** Resolves when the run has started, which continues until `stop`. Rejects with `SandboxError` (`bad_rate`, `bad_target`, `closed`). */
  startTraffic(
    target: Target,
    { rate, seed = this.#randomSeed() }: { rate: number; seed: number | undefined },
  ): Promise<State> {
    return this.#inOrder(async () => {
      this.#checkOpen()
      checkRate(rate)
      parseTargetUrl(target.url)
      await this.#end()
      this.#update({ running: true, rate, sent: 0, failed: 0, lastError: null })
      this.#run = this.#start(target, rate, seed)
      return this.#state
    })
  }

  stop(): Promise<State> {
    return this.#inOrder(async () => {
      await this.#end()
      return this.#state
    })
  }

  state(): State {
    return this.#state
  }

  /** Calls the listener on changes, at most ten times a second. Returns a function that removes the listener. */
  onChange(listener: (state: State) => void): () => void {
    return this.#changes.listen(listener)
  }

  close(): Promise<void> {
    return this.#inOrder(async () => {
      this.#closed = true
      await this.#end()
      this.#changes.close()
      this.#sender.close()
    })
  }

  #start(target: Target, rate: number, seed: number): Run {
    const stop = new AbortController()
    const cut = new AbortController()
    const done = run({
      steps: traffic({ seed, brand: target.brand, count: Infinity }),
      rate,
      clock: this.#clock,
      send: (step) => this.#deliver(target, step, cut.signal),
      onOutcome: (outcome) => this.#count(outcome),
      signal: stop.signal,
    })
      .catch((error: unknown) => this.#update({ lastError: messageOf(error) }))
      .finally(() => {
        this.#run = null
        this.#update({ running: false })
      })
    return { stop, cut, done }
  }

  /** Ends the current run, if any: after `stopTimeout`, pending responses are aborted. */
  async #end(): Promise<void> {
    if (!this.#run) return
    const { stop, cut, done } = this.#run
    stop.abort()
    const cancel = this.#clock.after(this.#stopTimeout, () => cut.abort())
    await done
    cancel()
  }

  #deliver(target: Target, step: Step, signal?: AbortSignal): Promise<Outcome> {
    return this.#sender.deliver(
      compose(target, step.payload(this.#clock.date()), step.overrides),
      signal,
    )
  }

  #count({ ok, error }: Outcome): void {
    this.#update(
      ok
        ? { sent: this.#state.sent + 1 }
        : { failed: this.#state.failed + 1, lastError: error ?? this.#state.lastError },
    )
  }

  #update(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change }
    this.#changes.touch()
  }

  #checkOpen(): void {
    if (this.#closed) throw new SandboxError('closed', 'The sandbox is closed.')
  }
}
