import { basename } from 'node:path'
import type { ParsedInput } from '#contract/calls.ts'
import type { LogImport } from '#contract/logs.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import { heapLimits } from '../../platform/heap-limits.ts'
import type { FileDialogs } from '../../platform/ports.ts'
import { reasonOf, storageReason } from '../../platform/storage-failure.ts'
import type { Library } from './library.ts'
import type { LibraryLog } from '../store.ts'
import type { CopyTask, ImportApi, ImportedLog, ImportEvent, ImportThreadData } from './messages.ts'
import { Worker } from 'node:worker_threads'
import { connectApi, type ThreadClient } from '../../platform/rpc.ts'
import { createMutex, type Mutex } from '#shared/async/mutex.ts'

const maxNameLength = 200

/** Without folders (of any operating system) and control characters. */
function displayName(fileName: string): string {
  const [lastSegment = ''] = fileName.split(/[/\\]/).toReversed()
  const clean = lastSegment
    .toWellFormed()
    .replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '')
    .trim()
  if (clean === '' || clean === '.' || clean === '..') return 'Event log'
  return clean.length > maxNameLength ? `${clean.slice(0, maxNameLength).toWellFormed()}…` : clean
}

const feedTimeoutMs = 60_000
const maxEnded = 50

export interface ImportsParts {
  readonly library: Library
  readonly clock: Clock
  readonly entry: URL
  readonly dialogs: FileDialogs | null
}

/** Each import has its own thread. */
export class Imports {
  readonly #parts: ImportsParts
  readonly #on: { changed(): void; ended(): void }
  readonly #views = new Map<number, LogImport>()
  readonly #running = new Map<number, RunningImport>()
  readonly #copying = new Set<Worker>()
  #lastId = 0

  constructor(parts: ImportsParts, on: { changed(): void; ended(): void }) {
    this.#parts = parts
    this.#on = on
  }

  /** Most recently started first. */
  views(): LogImport[] {
    return [...this.#views.values()].toReversed()
  }

  /** Throws `bad_input` if the host has no file dialog, and `run_over` if the user cancelled it. */
  async start({ from }: ParsedInput<'logs.import'>): Promise<LogImport> {
    switch (from.kind) {
      case 'path':
        return this.#start(from.path, basename(from.path), null)
      case 'feed':
        return this.#start(null, from.name, from.size)
      case 'ask': {
        const { dialogs } = this.#parts
        if (!dialogs) {
          throw new AppError(
            'bad_input',
            'This host has no file dialog. Enter the path of the file.',
          )
        }
        const path = await dialogs.open()
        if (path === null) throw new AppError('run_over', 'No file was selected.')
        return this.#start(path, basename(path), null)
      }
    }
  }

  /** Throws `not_found`, and `run_over` once it has ended. */
  async feed({ id, bytes, end }: ParsedInput<'logs.feed'>): Promise<LogImport> {
    const view = this.#view(id)
    const running = this.#running.get(id)
    if (!running || !running.fed || running.complete || running.ending) {
      throw new AppError(
        'run_over',
        view.error ? view.error.message : 'This import has already ended. Start a new import.',
      )
    }
    running.cancelTimeout?.()
    running.complete = end
    running.feeding += 1
    // If the import ends meanwhile, its view has the reason.
    await running.mutex(() => running.api.call('feed', { bytes, end })).catch(() => undefined)
    running.feeding -= 1
    if (!running.complete && running.feeding === 0 && !running.ending)
      this.#restartFeedTimeout(id, running)
    return this.#view(id)
  }

  /** Resolves when it has ended. Throws `not_found`. */
  async ended(id: number): Promise<LogImport> {
    this.#view(id)
    await this.#running.get(id)?.done.promise
    return this.#view(id)
  }

  async cancel(id: number): Promise<LogImport> {
    this.#view(id)
    const running = this.#running.get(id)
    if (running?.finishing) await running.done.promise
    else if (running) await this.#end(id, running, { state: 'cancelled' })
    return this.#view(id)
  }

  /** A running import stays. Throws `not_found`. */
  dismiss(id: number): void {
    this.#view(id)
    if (this.#running.has(id)) return
    this.#views.delete(id)
    this.#on.ended()
  }

  /** Copies deliveries to a log. Throws `bad_filter`, `not_found`, `bad_input`, and `run_over` if Tabscope closes first. */
  async copy(name: string, copy: CopyTask): Promise<LibraryLog> {
    const { library, entry } = this.#parts
    const part = library.newPart()
    const { thread } = startRunning(entry, { path: null, copy, name, part })
    const done = Promise.withResolvers<ImportedLog>()
    thread.on('message', (message: ImportEvent) => {
      if (message.event === 'done') done.resolve(message.log)
      if (message.event === 'failed') done.reject(new AppError(message.code, message.message))
    })
    thread.on('error', done.reject)
    thread.on('exit', () =>
      done.reject(new AppError('run_over', 'Tabscope closed before the deliveries were saved.')),
    )
    this.#copying.add(thread)
    try {
      const imported = await done.promise
      return (await library.add(part, imported)).log
    } finally {
      this.#copying.delete(thread)
      await thread.terminate()
      library.drop(part)
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#copying].map((thread) => thread.terminate()))
    await Promise.all([...this.#running.keys()].map((id) => this.cancel(id)))
  }

  #start(path: string | null, fileName: string, size: number | null): LogImport {
    const { library, clock, entry } = this.#parts
    this.#lastId += 1
    const id = this.#lastId
    const name = displayName(fileName)
    const part = library.newPart()
    const running = startRunning(entry, { path, copy: null, name, part })
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
      if ('event' in message) void this.#handleEvent(id, running, message)
    })
    running.thread.on('error', (error) => {
      void this.#end(id, running, { state: 'failed', error: threadError(error) })
    })
    if (running.fed) this.#restartFeedTimeout(id, running)
    this.#on.ended()
    return this.#view(id)
  }

  async #handleEvent(id: number, running: RunningImport, event: ImportEvent): Promise<void> {
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

  #restartFeedTimeout(id: number, running: RunningImport): void {
    running.cancelTimeout?.()
    running.cancelTimeout = this.#parts.clock.after(feedTimeoutMs, () => void this.cancel(id))
  }

  async #end(id: number, running: RunningImport, result: Partial<LogImport>): Promise<void> {
    if (running.ending) return running.done.promise
    running.ending = true
    running.cancelTimeout?.()
    await running.thread.terminate()
    if (result.state !== 'done') this.#parts.library.drop(running.part)
    this.#views.set(id, { ...this.#view(id), ...result, endedAt: this.#parts.clock.now() })
    this.#running.delete(id)
    for (const endedId of [...this.#views.keys()].slice(0, -maxEnded)) {
      if (!this.#running.has(endedId)) this.#views.delete(endedId)
    }
    running.done.resolve()
    this.#on.ended()
  }

  #view(id: number): LogImport {
    const view = this.#views.get(id)
    if (view) return view
    throw new AppError('not_found', `Import ${id} does not exist. It may have been dismissed.`)
  }
}

interface RunningImport {
  readonly thread: Worker
  readonly api: ThreadClient<ImportApi>
  readonly part: string
  readonly done: PromiseWithResolvers<void>
  readonly fed: boolean
  /** Passes pieces on in the order in which they were received. */
  readonly mutex: Mutex
  /** Pieces that the thread has not processed yet. */
  feeding: number
  complete: boolean
  /** Everything is read and the log is being added to the library: too late to cancel. */
  finishing: boolean
  /** The import has ended; its thread and temporary files are being removed. */
  ending: boolean
  cancelTimeout: (() => void) | null
}

function startRunning(entry: URL, data: ImportThreadData): RunningImport {
  const thread = new Worker(entry, {
    workerData: data,
    resourceLimits: heapLimits.importer,
  })
  return {
    thread,
    api: connectApi<ImportApi>(thread),
    part: data.part,
    done: Promise.withResolvers(),
    fed: data.path === null,
    feeding: 0,
    mutex: createMutex(),
    complete: false,
    finishing: false,
    ending: false,
    cancelTimeout: null,
  }
}

function threadError(error: Error): { code: string; message: string } {
  const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  if (isMemory) {
    const message =
      'The file needs more memory than the limit for event logs. It is damaged, or was made to exhaust memory.'
    return { code: 'log_unreadable', message }
  }
  const reason = storageReason(error) ?? 'Try again.'
  return { code: 'log_unreadable', message: `The import ended unexpectedly. ${reason}` }
}
