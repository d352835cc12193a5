import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { LogExport } from '#contract/logs.ts'
import { AppError } from '../../platform/errors.ts'
import { TaskList, type TaskListener } from '../task-list.ts'
import {
  exportCancelled,
  startExport,
  type ExportEnd,
  type ExportsParts,
  type LogParts,
  type RunningExport,
} from './export-task.ts'
import type { ExportTo } from './messages.ts'
import { createMutex } from '#shared/async/mutex.ts'
import { fileExists } from '../../platform/file-errors.ts'
import { destinationOf, partOf } from '../../platform/save-file.ts'

const maxRunning = 8
/** An export that is not pulled for this long is cancelled. */
const pullTimeoutMs = 60_000

interface ExportOf {
  readonly thread: RunningExport
  readonly queue: PieceQueue | null
  readonly ticket: string | null
  cancelTimeout?: () => void
}

type ExportInput = ParsedInput<'logs.export'>

export class Exports {
  readonly #parts: ExportsParts
  readonly #list: TaskList<LogExport, ExportOf>
  #closed = false

  constructor(parts: ExportsParts, on: TaskListener) {
    this.#parts = parts
    this.#list = new TaskList('Export', parts.clock, on)
  }

  views(): LogExport[] {
    return this.#list.views()
  }

  /** Throws `bad_filter`, `bad_input`, `not_found`, `file_exists`, `file_failed`. */
  async start(input: ExportInput): Promise<CallOutput<'logs.export'>> {
    const running = this.#list.running()
    if (running.length >= maxRunning) {
      throw new AppError(
        'bad_input',
        `${running.length} exports are already running. Wait until one ends, or cancel one.`,
        { retry: 'later' },
      )
    }
    const destination = await resolveDestination(input.to, this.#parts)
    if (!destination) return { export: this.#declinedExport(input), ticket: null }
    const queue = destination.to.kind === 'pieces' ? createPieceQueue() : null
    const view = this.#newView(input, destination)
    const { id } = view
    const thread = await startExport(this.#parts, input, destination.to, {
      progress: ({ deliveries, total, bytes, removed }) =>
        this.#list.change(id, { deliveries, total: total ?? 0, bytes, removed }),
      piece: async (piece) => queue?.push(piece),
    })
    await thread.started
    const ticket = queue ? randomBytes(32).toString('hex') : null
    this.#list.add(view, { thread, queue, ticket })
    if (queue) this.#restartPullTimeout(id)
    void thread.ended.then((end) => this.#ended(id, end))
    if (this.#closed) await thread.cancel()
    return { export: view, ticket }
  }

  /** Throws `not_found`, `file_failed`, `run_over`. */
  async pull(ticket: string): Promise<CallOutput<'logs.pull'>> {
    const found = this.#list.find((candidate) => candidate.ticket === ticket)
    const { queue = null } = found?.task ?? {}
    if (!found || !queue || found.view.state === 'done') {
      throw new AppError('not_found', 'No export has this ticket. Start the export again.')
    }
    found.task.cancelTimeout?.()
    const { id } = found.view
    const next = await queue.next()
    if (next.done) this.#list.end(id, 'done')
    else if (this.#list.isRunning(id)) this.#restartPullTimeout(id)
    return { ...next, id }
  }

  /** Cancels a running export; no file is left under the final name. An ended export does not change. Throws `not_found`. */
  async cancel(id: number): Promise<LogExport> {
    const { view, task } = this.#list.get(id)
    if (view.state === 'running') {
      const end = await task.thread.cancel()
      this.#ended(id, end.kind === 'done' && task.queue ? { kind: 'cancelled' } : end)
    }
    return this.#list.get(id).view
  }

  dismiss(id: number): void {
    this.#list.dismiss(id)
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(this.#list.running().map(({ id }) => this.cancel(id)))
  }

  #restartPullTimeout(id: number): void {
    const { task } = this.#list.get(id)
    task.cancelTimeout?.()
    task.cancelTimeout = this.#parts.clock.after(pullTimeoutMs, () => void this.cancel(id))
  }

  #ended(id: number, end: ExportEnd): void {
    if (!this.#list.isRunning(id)) return
    const { queue, cancelTimeout } = this.#list.get(id).task
    switch (end.kind) {
      case 'done': {
        const { deliveries, total, rehearsals, bytes, removed, unknownFields } = end.output
        const change = {
          deliveries,
          total: total ?? deliveries,
          bytes,
          removed,
          ...(rehearsals > 0 && { rehearsals }),
          ...(unknownFields.length > 0 && { unknownFields: [...unknownFields] }),
        }
        // Buffered pieces still have to be pulled: the export is done after the last one.
        if (queue) {
          this.#list.change(id, change)
          queue.end(null)
        } else this.#list.end(id, 'done', change)
        break
      }
      case 'cancelled':
        cancelTimeout?.()
        queue?.end(exportCancelled())
        this.#list.end(id, 'cancelled')
        break
      case 'failed': {
        const error = this.#toAppError(end.error)
        cancelTimeout?.()
        queue?.end(error)
        this.#list.end(id, 'failed', { error: error.message })
        break
      }
    }
  }

  #toAppError(error: Error): AppError {
    if (error instanceof AppError) {
      return error.code === 'file_failed' || error.code === 'file_exists'
        ? error
        : new AppError('file_failed', error.message, { cause: error })
    }
    const logId = this.#parts.ports.log.error('export failed', error)
    return new AppError(
      'file_failed',
      `The export failed unexpectedly. Look for ${logId} in the application log.`,
    )
  }

  #newView(
    { format, redact }: ExportInput,
    { name, path: file }: Pick<Destination, 'name' | 'path'>,
  ): LogExport {
    return {
      id: this.#list.nextId(),
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

  /** The result for a user who cancelled the file dialog. It is not added to the list. */
  #declinedExport(input: ExportInput): LogExport {
    const name = input.to.kind === 'file' ? path.basename(input.to.path) : input.to.name
    const view = this.#newView(input, { name, path: null })
    return { ...view, state: 'cancelled', endedAt: view.startedAt }
  }
}

interface PulledPiece {
  readonly bytes: Uint8Array
  readonly done: boolean
}

interface PieceQueue {
  /** Resolves when it is pulled. */
  push(piece: Uint8Array): Promise<void>
  /** No more pieces follow. With a reason, all further calls of `next` throw it, and buffered pieces are dropped. */
  end(reason: Error | null): void
  /** Resolves with the next piece once it is available. Concurrent calls are served one after the other. */
  next(): Promise<PulledPiece>
}

function createPieceQueue(): PieceQueue {
  const mutex = createMutex()
  const waiting: { piece: Uint8Array; pulled: () => void }[] = []
  let ended: { reason: Error | null } | null = null
  let wake: (() => void) | null = null
  const notify = (): void => {
    wake?.()
    wake = null
  }
  const pull = async (): Promise<PulledPiece> => {
    while (waiting.length === 0 && !ended) {
      await new Promise<void>((resolve) => (wake = resolve))
    }
    if (ended?.reason) throw ended.reason
    const next = waiting.shift()
    next?.pulled()
    return { bytes: next?.piece ?? new Uint8Array(), done: ended !== null && waiting.length === 0 }
  }
  return {
    push: (piece) =>
      new Promise((resolve) => {
        waiting.push({ piece, pulled: resolve })
        notify()
      }),
    end: (reason) => {
      ended ??= { reason }
      if (reason) waiting.length = 0
      notify()
    },
    next: () => mutex(pull),
  }
}

interface Destination {
  readonly name: string
  /** Null: not a file. */
  readonly path: string | null
  readonly to: ExportTo
}

/** Returns null if the user cancelled the dialog. Throws `bad_input`, `file_exists`, `file_failed`. */
async function resolveDestination(
  to: ExportInput['to'],
  { ports }: LogParts,
): Promise<Destination | null> {
  switch (to.kind) {
    case 'pull':
      return { name: to.name, path: null, to: { kind: 'pieces' } }
    case 'file':
      return fileDestination(to.path, to.overwrite)
    case 'ask': {
      if (!ports.dialogs) {
        throw new AppError(
          'bad_input',
          'This host has no file dialogs. Enter the path of a file, or download the export.',
        )
      }
      const selected = await ports.dialogs.save(to.name)
      // The dialog has already asked whether to replace an existing file.
      return selected === null ? null : fileDestination(selected, true)
    }
  }
}

function fileDestination(file: string, overwrite: boolean): Destination {
  if (!path.isAbsolute(file) || file.includes('\0')) {
    throw new AppError('bad_input', 'The file path must be absolute. Enter the full path.')
  }
  const { final, mode } = destinationOf(path.resolve(file))
  if (!overwrite && mode !== null) throw fileExists(final)
  const to = { kind: 'file' as const, path: final, part: partOf(final), overwrite }
  return { name: path.basename(final), path: final, to }
}
