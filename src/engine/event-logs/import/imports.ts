import { basename } from 'node:path'
import type { ParsedInput } from '#contract/calls.ts'
import type { LogImport } from '#contract/logs.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import type { FileDialogs } from '../../platform/ports.ts'
import { reasonOf } from '../../platform/storage-failure.ts'
import type { Library } from './library.ts'
import type { ImportApi, ImportEvent, ImportThreadData } from './messages.ts'
import { Worker } from 'node:worker_threads'
import { connectApi, type ThreadClient } from '../../platform/rpc.ts'
import { createMutex, type Mutex } from '#shared/async/mutex.ts'
import { mostHeap, tooMuchMemory } from './memory.ts'

/** Longest name that is shown, in characters. */
const longest = 200

/** The name of a file as it is shown: without folders, whichever system they are of, and without what no name should hold. */
function shownName(given: string): string {
  const [last = ''] = given.split(/[/\\]/).toReversed()
  const clean = last
    .toWellFormed()
    .replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '')
    .trim()
  if (clean === '' || clean === '.' || clean === '..') return 'Event log'
  return clean.length > longest ? `${clean.slice(0, longest).toWellFormed()}…` : clean
}

/** What is not fed so long is cancelled, in milliseconds. */
const fedWithinMs = 60_000
/** Those that ended and were not dismissed: so many are kept. */
const keptEnded = 50

export interface ImportsParts {
  readonly library: Library
  readonly clock: Clock
  readonly entry: URL
  readonly dialogs: FileDialogs | null
}

/** All imports: each is a thread of its own. `changed` is told of what goes on, `ended` of each end. */
export class Imports {
  readonly #parts: ImportsParts
  readonly #on: { changed(): void; ended(): void }
  readonly #views = new Map<number, LogImport>()
  readonly #running = new Map<number, Running>()
  #lastId = 0

  constructor(parts: ImportsParts, on: { changed(): void; ended(): void }) {
    this.#parts = parts
    this.#on = on
  }

  /** Begun last first. */
  views(): LogImport[] {
    return [...this.#views.values()].toReversed()
  }

  /** Throws `bad_input` where the host cannot ask, `run_over` when the user has changed their mind. */
  async begin({ from }: ParsedInput<'logs.import'>): Promise<LogImport> {
    switch (from.kind) {
      case 'path':
        return this.#begin(from.path, basename(from.path), null)
      case 'feed':
        return this.#begin(null, from.name, from.size)
      case 'ask': {
        const { dialogs } = this.#parts
        if (!dialogs) {
          throw new AppError('bad_input', 'This host has no dialog for files. Name the file.')
        }
        const path = await dialogs.open()
        if (path === null) throw new AppError('run_over', 'No file was chosen.')
        return this.#begin(path, basename(path), null)
      }
    }
  }

  /** Throws `not_found`, and `run_over` once it has ended. */
  async feed({ id, bytes, end }: ParsedInput<'logs.feed'>): Promise<LogImport> {
    const view = this.#view(id)
    const running = this.#running.get(id)
    if (!running || !running.fed || running.whole || running.ending) {
      throw new AppError(
        'run_over',
        view.error ? view.error.message : 'This import takes nothing more: it is over.',
      )
    }
    running.callOff?.()
    running.whole = end
    running.feeding += 1
    // Its end says itself why, if it ends meanwhile.
    await running.turn(() => running.api.call('feed', { bytes, end })).catch(() => undefined)
    running.feeding -= 1
    if (!running.whole && running.feeding === 0 && !running.ending) this.#await(id, running)
    return this.#view(id)
  }

  /** Resolves when it has ended. Throws `not_found`. */
  async ended(id: number): Promise<LogImport> {
    this.#view(id)
    await this.#running.get(id)?.over.promise
    return this.#view(id)
  }

  async cancel(id: number): Promise<LogImport> {
    this.#view(id)
    const running = this.#running.get(id)
    if (running?.finishing) await running.over.promise
    else if (running) await this.#end(id, running, { state: 'cancelled' })
    return this.#view(id)
  }

  /** One that runs stays. Throws `not_found`. */
  dismiss(id: number): void {
    this.#view(id)
    if (this.#running.has(id)) return
    this.#views.delete(id)
    this.#on.ended()
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((id) => this.cancel(id)))
  }

  #begin(path: string | null, given: string, size: number | null): LogImport {
    const { library, clock, entry } = this.#parts
    this.#lastId += 1
    const id = this.#lastId
    const name = shownName(given)
    const part = library.newPart()
    const running = startRunning(entry, { kind: 'import', path, name, part })
    this.#running.set(id, running)
    this.#views.set(id, {
      id,
      name,
      state: 'running',
      deliveries: 0,
      read: 0,
      size,
      startedAt: clock.now(),
      endedAt: null,
      logId: null,
      known: false,
      error: null,
    })
    running.thread.on('message', (message: ImportEvent | { rpc: string }) => {
      if ('event' in message) void this.#take(id, running, message)
    })
    running.thread.on('error', (error) => {
      void this.#end(id, running, { state: 'failed', error: diedOf(error) })
    })
    if (running.fed) this.#await(id, running)
    this.#on.ended()
    return this.#view(id)
  }

  async #take(id: number, running: Running, event: ImportEvent): Promise<void> {
    if (running.ending) return
    switch (event.event) {
      case 'progress': {
        const { read, size, deliveries } = event
        const before = this.#view(id)
        this.#views.set(id, { ...before, read, deliveries, size: size ?? before.size })
        this.#on.changed()
        return
      }
      case 'failed': {
        const { code, message } = event
        return this.#end(id, running, { state: 'failed', error: { code, message } })
      }
      case 'done': {
        running.finishing = true
        try {
          const { log, known } = await this.#parts.library.add(running.part, event.log)
          await this.#end(id, running, {
            state: 'done',
            deliveries: log.deliveries,
            logId: log.id,
            known,
          })
        } catch (error) {
          await this.#end(id, running, {
            state: 'failed',
            error: {
              code: 'file_failed',
              message: `The log could not be stored. ${reasonOf(error)}`,
            },
          })
        }
      }
    }
  }

  /** Whoever feeds it and does so no more has gone. */
  #await(id: number, running: Running): void {
    running.callOff?.()
    running.callOff = this.#parts.clock.after(fedWithinMs, () => void this.cancel(id))
  }

  async #end(id: number, running: Running, how: Partial<LogImport>): Promise<void> {
    if (running.ending) return running.over.promise
    running.ending = true
    running.callOff?.()
    await running.thread.terminate()
    if (how.state !== 'done') this.#parts.library.drop(running.part)
    this.#views.set(id, { ...this.#view(id), ...how, endedAt: this.#parts.clock.now() })
    this.#running.delete(id)
    for (const old of [...this.#views.keys()].slice(0, -keptEnded)) {
      if (!this.#running.has(old)) this.#views.delete(old)
    }
    running.over.resolve()
    this.#on.ended()
  }

  #view(id: number): LogImport {
    const view = this.#views.get(id)
    if (view) return view
    throw new AppError('not_found', `There is no import ${id}.`)
  }
}

/** One import while it goes on. */
interface Running {
  readonly thread: Worker
  readonly api: ThreadClient<ImportApi>
  readonly part: string
  readonly over: PromiseWithResolvers<void>
  readonly fed: boolean
  /** Pieces one after the other, in the order in which they came. */
  readonly turn: Mutex
  /** Pieces that it has not taken yet. */
  feeding: number
  /** The end of what is fed has come. */
  whole: boolean
  /** All is read, and it is taken among the logs: too late to cancel. */
  finishing: boolean
  /** It has ended; its thread and its files go. */
  ending: boolean
  callOff: (() => void) | null
}

/** Begins the thread of an import. */
function startRunning(entry: URL, data: ImportThreadData): Running {
  const thread = new Worker(entry, {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: mostHeap / 1024 / 1024 },
  })
  return {
    thread,
    api: connectApi<ImportApi>(thread),
    part: data.part,
    over: Promise.withResolvers(),
    fed: data.path === null,
    feeding: 0,
    turn: createMutex(),
    whole: false,
    finishing: false,
    ending: false,
    callOff: null,
  }
}

/** What a thread died of, in words. */
function diedOf(error: Error): { code: string; message: string } {
  const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  const message = `The file cannot be read: ${error.message}.`
  return { code: 'log_unreadable', message: isMemory ? tooMuchMemory().message : message }
}
