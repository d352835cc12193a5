import { basename } from 'node:path'
import type { ParsedInput } from '#contract/calls.ts'
import type { LogImport } from '#contract/logs.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import { heapLimits } from '../../platform/heap-limits.ts'
import type { FileDialogs } from '../../platform/ports.ts'
import { reasonOf, storageReason } from '../../platform/storage-failure.ts'
import type { Library, LogReads } from './library.ts'
import type { LibraryLog } from '../store.ts'
import { TaskList, type TaskListener } from '../task-list.ts'
import type { CopyTask, ImportShape } from './messages.ts'
import { Task, type TaskEnd } from '../../platform/task.ts'
import { createMutex, type Mutex } from '#shared/async/mutex.ts'

const maxNameLength = 200

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

export interface ImportsParts {
  readonly library: Library<LogReads>
  readonly clock: Clock
  readonly entry: URL
  readonly dialogs: FileDialogs | null
}

export class Imports {
  readonly #parts: ImportsParts
  readonly #list: TaskList<LogImport, ImportOf>
  readonly #copying = new Set<Task<ImportShape>>()

  constructor(parts: ImportsParts, on: TaskListener) {
    this.#parts = parts
    this.#list = new TaskList('Import', parts.clock, on)
  }

  views(): LogImport[] {
    return this.#list.views()
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
    // It may be dismissed while this waits.
    const entry = this.#list.get(id)
    const { view, task: running } = entry
    if (view.state !== 'running' || !running.fed || running.complete) {
      throw new AppError(
        'run_over',
        view.error ? view.error.message : 'This import has already ended. Start a new import.',
      )
    }
    running.cancelTimeout?.()
    running.complete = end
    running.feeding += 1
    // If the import ends meanwhile, its view has the reason.
    await running.mutex(() => running.task.api.call('feed', { bytes, end })).catch(() => undefined)
    running.feeding -= 1
    if (!running.complete && running.feeding === 0 && this.#list.isRunning(id)) {
      this.#restartFeedTimeout(id, running)
    }
    return entry.view
  }

  /** Resolves when it has ended. Throws `not_found`. */
  async ended(id: number): Promise<LogImport> {
    const entry = this.#list.get(id)
    await entry.task.ended
    return entry.view
  }

  /** Everything that was read is being added to the library: then it is too late. */
  async cancel(id: number): Promise<LogImport> {
    const { view, task: running } = this.#list.get(id)
    if (view.state === 'running') await running.task.cancel()
    return this.ended(id)
  }

  dismiss(id: number): void {
    this.#list.dismiss(id)
  }

  /** Copies deliveries to a log. Throws `bad_filter`, `not_found`, `bad_input`, and `run_over` if Tabscope closes first. */
  async copy(name: string, copy: CopyTask): Promise<LibraryLog> {
    const { library, entry } = this.#parts
    const part = library.newPart()
    const task = new Task<ImportShape>({
      entry,
      limits: heapLimits.importer,
      input: { path: null, copy, name, part },
      reports: { progress: () => undefined },
    })
    this.#copying.add(task)
    try {
      const end = await task.ended
      if (end.kind === 'failed') throw end.error
      if (end.kind === 'done') return (await library.add(part, end.output)).log
      throw new AppError('run_over', 'Tabscope closed before the deliveries were saved.')
    } finally {
      this.#copying.delete(task)
      library.drop(part)
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#copying].map((task) => task.cancel()))
    await Promise.all(this.#list.running().map(({ id }) => this.cancel(id)))
  }

  #start(path: string | null, fileName: string, size: number | null): LogImport {
    const { library, clock, entry } = this.#parts
    const id = this.#list.nextId()
    const name = displayName(fileName)
    const part = library.newPart()
    const view: LogImport = {
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
    }
    const task = new Task<ImportShape>({
      entry,
      limits: heapLimits.importer,
      input: { path, copy: null, name, part },
      reports: { progress: (progress) => this.#list.change(id, progress) },
    })
    const running: ImportOf = {
      task,
      fed: path === null,
      mutex: createMutex(),
      feeding: 0,
      complete: false,
      cancelTimeout: null,
      ended: task.ended.then((end) => this.#end(id, part, end)),
    }
    this.#list.add(view, running)
    if (running.fed) this.#restartFeedTimeout(id, running)
    return view
  }

  #restartFeedTimeout(id: number, running: ImportOf): void {
    running.cancelTimeout?.()
    running.cancelTimeout = this.#parts.clock.after(feedTimeoutMs, () => void this.cancel(id))
  }

  async #end(id: number, part: string, end: TaskEnd<ImportShape['output']>): Promise<void> {
    const { library } = this.#parts
    this.#list.get(id).task.cancelTimeout?.()
    if (end.kind !== 'done') library.drop(part)
    switch (end.kind) {
      case 'cancelled':
        return this.#list.end(id, 'cancelled')
      case 'failed':
        return this.#list.end(id, 'failed', { error: toError(end.error) })
      case 'done':
        try {
          const { log, known } = await library.add(part, end.output)
          const { deliveries, id: logId } = log
          this.#list.end(id, 'done', { deliveries, logId, known })
        } catch (error) {
          library.drop(part)
          const message = `The log could not be stored. ${reasonOf(error)}`
          this.#list.end(id, 'failed', { error: { code: 'file_failed', message } })
        }
    }
  }
}

interface ImportOf {
  readonly task: Task<ImportShape>
  readonly fed: boolean
  /** Passes pieces on in the order in which they were received. */
  readonly mutex: Mutex
  /** Pieces that the thread has not processed yet. */
  feeding: number
  complete: boolean
  cancelTimeout: (() => void) | null
  /** Resolves when the view has its end. */
  readonly ended: Promise<void>
}

function toError(error: Error): { code: string; message: string } {
  if (error instanceof AppError) return { code: error.code, message: error.message }
  const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  if (isMemory) {
    const message =
      'The file needs more memory than the limit for event logs. It is damaged, or was made to exhaust memory.'
    return { code: 'log_unreadable', message }
  }
  const reason = storageReason(error) ?? 'Try again.'
  return { code: 'log_unreadable', message: `The import ended unexpectedly. ${reason}` }
}
