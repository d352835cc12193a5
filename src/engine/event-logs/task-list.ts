import type { Clock } from '../platform/clock.ts'
import { AppError } from '../platform/errors.ts'

const maxListed = 50

interface View {
  readonly id: number
  readonly state: 'running' | 'done' | 'cancelled' | 'failed'
  readonly startedAt: number
  readonly endedAt: number | null
}

export interface TaskListener {
  changed(): void
  /** A task has started or ended. */
  ended(): void
}

export class TaskList<V extends View, Task> {
  readonly #what: string
  readonly #clock: Pick<Clock, 'now'>
  readonly #on: TaskListener
  readonly #entries = new Map<number, { view: V; task: Task }>()
  #lastId = 0

  constructor(what: 'Export' | 'Import', clock: Pick<Clock, 'now'>, on: TaskListener) {
    this.#what = what
    this.#clock = clock
    this.#on = on
  }

  /** Most recently started first. */
  views(): V[] {
    return [...this.#entries.values()].map(({ view }) => view).toReversed()
  }

  running(): V[] {
    return this.views().filter(({ state }) => state === 'running')
  }

  find(isWanted: (task: Task) => boolean): { view: V; task: Task } | undefined {
    return [...this.#entries.values()].find(({ task }) => isWanted(task))
  }

  /** Throws `not_found`. */
  get(id: number): { view: V; task: Task } {
    const entry = this.#entries.get(id)
    if (entry) return entry
    throw new AppError(
      'not_found',
      `${this.#what} ${id} does not exist. It may have been dismissed.`,
    )
  }

  isRunning(id: number): boolean {
    return this.#entries.get(id)?.view.state === 'running'
  }

  nextId(): number {
    return (this.#lastId += 1)
  }

  /** The oldest ended ones above the limit leave the list. */
  add(view: V, task: Task): void {
    this.#entries.set(view.id, { view, task })
    for (const [id, { view: each }] of this.#entries) {
      if (this.#entries.size <= maxListed) break
      if (each.state !== 'running') this.#entries.delete(id)
    }
    this.#on.ended()
  }

  /** Does nothing once it has ended. */
  change(id: number, change: Partial<V>): void {
    const entry = this.#entries.get(id)
    if (entry?.view.state !== 'running') return
    entry.view = { ...entry.view, ...change }
    this.#on.changed()
  }

  end(id: number, state: Exclude<View['state'], 'running'>, change: Partial<V> = {}): void {
    const entry = this.#entries.get(id)
    if (entry?.view.state !== 'running') return
    entry.view = { ...entry.view, ...change, state, endedAt: this.#clock.now() }
    this.#on.ended()
  }

  /** A running one stays. Throws `not_found`. */
  dismiss(id: number): void {
    this.get(id)
    if (this.isRunning(id)) return
    this.#entries.delete(id)
    this.#on.ended()
  }
}
