import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { LogExport } from '#contract/logs.ts'
import { AppError } from '../../platform/errors.ts'
import type { LogParts } from '../items.ts'
import { type ExportEnd, type ExportThread, startExport } from './export-thread.ts'
import { type KeptRules, type LogPath, orderOf } from './orders.ts'
import type { ExportTo } from './messages.ts'
import { type Place, placeOf } from './place.ts'
import { createMutex } from '#shared/async/mutex.ts'

/** Exports that are shown, those that run among them. */
const shownExports = 50
/** More at once would only be in each other's way. */
const mostRunning = 8
/** What is not pulled for so long is cancelled, in milliseconds. */
const pullPatienceMs = 60_000

export interface ExportsParts extends LogParts {
  readonly rules: KeptRules
  readonly pathOf: LogPath
}

interface Held {
  view: LogExport
  readonly thread: ExportThread
  readonly pull: Pull | null
  readonly ticket: string | null
}

type Wish = ParsedInput<'logs.export'>

/** The exports: those that run, and those that ended until they are dismissed. */
export class Exports {
  readonly #parts: ExportsParts
  readonly #tell: { readonly changed: () => void; readonly ended: () => void }
  readonly #held = new Map<number, Held>()
  #lastId = 0
  #closed = false

  /** `changed`: one has gone on; `ended`: one has begun or ended. */
  constructor(parts: ExportsParts, tell: { changed: () => void; ended: () => void }) {
    this.#parts = parts
    this.#tell = tell
  }

  /** Begun last first. */
  views(): LogExport[] {
    return [...this.#held.values()].map(({ view }) => view).toReversed()
  }

  /** Throws `bad_filter`, `bad_input`, `not_found`, `file_exists`, `file_failed`. */
  async begin(wish: Wish): Promise<CallOutput<'logs.export'>> {
    const running = this.views().filter(({ state }) => state === 'running')
    if (running.length >= mostRunning) {
      throw new AppError(
        'bad_input',
        `${running.length} exports run already. Wait until one has ended, or cancel one.`,
        { retry: 'later' },
      )
    }
    const place = await placeOf(wish.to, this.#parts)
    if (!place) return { export: this.#unwanted(wish), ticket: null }
    const { rules, pathOf } = this.#parts
    const order = await orderOf(this.#parts, rules, pathOf, wish, place.to)
    const pull = place.to.kind === 'pieces' ? createPull((bytes) => thread.taken(bytes)) : null
    const thread = startExport(this.#parts.ports.threads.exporter, order, {
      progress: (told) => {
        this.#change(id, {
          deliveries: told.deliveries,
          total: told.total ?? 0,
          bytes: told.bytes,
          removed: told.removed,
        })
        this.#tell.changed()
      },
      piece: (piece) => pull?.give(piece),
    })
    const id = (this.#lastId += 1)
    await thread.begun
    const view = this.#newView(id, wish, place)
    const ticket = pull ? randomBytes(32).toString('hex') : null
    this.#held.set(id, { view, thread, pull, ticket })
    this.#makeRoom()
    if (pull) this.#watchPull(id)
    void thread.ended.then((end) => this.#ended(id, end))
    if (this.#closed) await thread.cancel()
    this.#tell.ended()
    return { export: view, ticket }
  }

  /** Throws `not_found`, `file_failed`, `run_over`. */
  async pull(ticket: string): Promise<CallOutput<'logs.pull'>> {
    const [id, held] =
      [...this.#held].find(([, each]) => each.ticket !== null && each.ticket === ticket) ?? []
    if (id === undefined || !held?.pull || held.view.state === 'done') {
      throw new AppError('not_found', 'There is no export with this ticket. Begin it again.')
    }
    this.#watchPull(id)?.()
    const pulled = await held.pull.next()
    if (pulled.done) this.#finish(id, { state: 'done' })
    else this.#watchPull(id)
    return { ...pulled, id }
  }

  /** Nothing is left under the final name. One that has ended stays as it is. Throws `not_found`. */
  async cancel(id: number): Promise<LogExport> {
    const held = this.#get(id)
    if (held.view.state === 'running') {
      const end = await held.thread.cancel()
      this.#ended(id, end.kind === 'done' && held.pull ? { kind: 'cancelled' } : end)
    }
    return this.#get(id).view
  }

  /** One that runs goes on, and is shown. */
  dismiss(id: number): void {
    if (this.#held.get(id)?.view.state === 'running') return
    if (this.#held.delete(id)) this.#tell.ended()
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all([...this.#held.keys()].map((id) => this.cancel(id)))
  }

  readonly #callOff = new Map<number, () => void>()

  /** From now on it is cancelled when nobody pulls; returns how to call that off. */
  #watchPull(id: number): (() => void) | undefined {
    this.#callOff.get(id)?.()
    const callOff = this.#parts.clock.after(pullPatienceMs, () => void this.cancel(id))
    this.#callOff.set(id, callOff)
    return callOff
  }

  #ended(id: number, end: ExportEnd): void {
    const held = this.#held.get(id)
    if (held?.view.state !== 'running') return
    switch (end.kind) {
      case 'done':
        this.#change(id, {
          deliveries: end.told.deliveries,
          total: end.told.total ?? end.told.deliveries,
          bytes: end.told.bytes,
          removed: end.told.removed,
        })
        // What waits to be pulled has not arrived yet.
        if (held.pull) held.pull.end(null)
        else this.#finish(id, { state: 'done' })
        break
      case 'cancelled':
        held.pull?.end(new AppError('run_over', 'The export was cancelled. Begin it again.'))
        this.#finish(id, { state: 'cancelled' })
        break
      case 'failed': {
        const error = this.#failure(end.error)
        held.pull?.end(error)
        this.#finish(id, { state: 'failed', error: error.message })
        break
      }
    }
  }

  #failure(error: Error): AppError {
    if (error instanceof AppError) {
      return error.code === 'file_failed' || error.code === 'file_exists'
        ? error
        : new AppError('file_failed', error.message, { cause: error })
    }
    const logId = this.#parts.ports.log.error('an export failed', error)
    return new AppError(
      'file_failed',
      `The export failed for a reason that was not foreseen. Look for ${logId} in the log.`,
    )
  }

  #finish(id: number, end: Pick<LogExport, 'state'> & Partial<LogExport>): void {
    this.#callOff.get(id)?.()
    this.#callOff.delete(id)
    this.#change(id, { endedAt: this.#parts.clock.now(), ...end })
    this.#tell.ended()
  }

  #change(id: number, change: Partial<LogExport>): void {
    const held = this.#held.get(id)
    if (held?.view.state === 'running') held.view = { ...held.view, ...change }
  }

  #newView(id: number, { format, redact }: Wish, { name, path: file }: Place): LogExport {
    return {
      id,
      format,
      name,
      path: file,
      state: 'running',
      redacted: redact,
      deliveries: 0,
      total: 0,
      bytes: 0,
      startedAt: this.#parts.clock.now(),
      endedAt: null,
      error: null,
      removed: {},
    }
  }

  /** The user was asked where to, and has changed their mind: nobody needs to see it in a list. */
  #unwanted(wish: Wish): LogExport {
    const name = wish.to.kind === 'file' ? path.basename(wish.to.path) : wish.to.name
    const to: ExportTo = { kind: 'count' }
    const view = this.#newView((this.#lastId += 1), wish, { name, path: null, to })
    return { ...view, state: 'cancelled', endedAt: view.startedAt }
  }

  #makeRoom(): void {
    for (const [id, { view }] of this.#held) {
      if (this.#held.size <= shownExports) return
      if (view.state !== 'running') this.#held.delete(id)
    }
  }

  #get(id: number): Held {
    const held = this.#held.get(id)
    if (held) return held
    throw new AppError('not_found', `There is no export ${id}. It may have been dismissed.`)
  }
}

interface Pulled {
  readonly bytes: Uint8Array
  readonly done: boolean
}

/** Pieces of an export that are handed out one by one, in order, to whoever asks. */
interface Pull {
  give(piece: Uint8Array): void
  /** No more follow. With a reason those that ask are refused, also while pieces wait. */
  end(reason: Error | null): void
  /** The next piece, once there is one. Those that ask at the same time get theirs one after the other. */
  next(): Promise<Pulled>
}

/** `taken`: so many bytes wait no more. */
function createPull(taken: (bytes: number) => void): Pull {
  const turn = createMutex()
  const waiting: Uint8Array[] = []
  let ended: { readonly reason: Error | null } | null = null
  let came: (() => void) | null = null
  const tell = (): void => {
    came?.()
    came = null
  }
  const next = async (): Promise<Pulled> => {
    while (waiting.length === 0 && !ended) {
      await new Promise<void>((resolve) => (came = resolve))
    }
    if (ended?.reason) throw ended.reason
    const piece = waiting.shift() ?? new Uint8Array()
    if (piece.byteLength > 0) taken(piece.byteLength)
    return { bytes: piece, done: ended !== null && waiting.length === 0 }
  }
  return {
    give: (piece) => {
      waiting.push(piece)
      tell()
    },
    end: (reason) => {
      ended ??= { reason }
      if (reason) waiting.length = 0
      tell()
    },
    next: () => turn(next),
  }
}
