import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { LogExport } from '#contract/logs.ts'
import { AppError } from '../../platform/errors.ts'
import { type ExportEnd, type ExportThread, startExport } from './export-thread.ts'
import { createExportTask, type ExportsParts, type LogParts } from './export-task.ts'
import type { ExportTo } from './messages.ts'
import { createMutex } from '#shared/async/mutex.ts'
import { access, lstat, realpath, stat } from 'node:fs/promises'
import { fileExists, fileFailed } from '../../platform/file-errors.ts'
import { systemCodeOf } from '#shared/text/errors.ts'

const listedExports = 50
const maxRunning = 8
/** An export that is not pulled for this long is cancelled. */
const pullTimeoutMs = 60_000

interface ExportRecord {
  view: LogExport
  readonly thread: ExportThread
  readonly queue: PieceQueue | null
  readonly ticket: string | null
}

type ExportInput = ParsedInput<'logs.export'>

export class Exports {
  readonly #parts: ExportsParts
  readonly #notify: { readonly changed: () => void; readonly ended: () => void }
  readonly #records = new Map<number, ExportRecord>()
  #lastId = 0
  #closed = false

  /** `changed`: an export has made progress. `ended`: an export has started or ended. */
  constructor(parts: ExportsParts, notify: { changed: () => void; ended: () => void }) {
    this.#parts = parts
    this.#notify = notify
  }

  /** Most recently started first. */
  views(): LogExport[] {
    return [...this.#records.values()].map(({ view }) => view).toReversed()
  }

  /** Throws `bad_filter`, `bad_input`, `not_found`, `file_exists`, `file_failed`. */
  async start(input: ExportInput): Promise<CallOutput<'logs.export'>> {
    const running = this.views().filter(({ state }) => state === 'running')
    if (running.length >= maxRunning) {
      throw new AppError(
        'bad_input',
        `${running.length} exports are already running. Wait until one ends, or cancel one.`,
        { retry: 'later' },
      )
    }
    const destination = await resolveDestination(input.to, this.#parts)
    if (!destination) return { export: this.#declinedExport(input), ticket: null }
    const task = await createExportTask(this.#parts, input, destination.to)
    const queue =
      destination.to.kind === 'pieces' ? createPieceQueue((bytes) => thread.consumed(bytes)) : null
    const thread = startExport(this.#parts.ports.threads.exporter, task, {
      progress: ({ deliveries, total, bytes, removed }) => {
        this.#change(id, { deliveries, total: total ?? 0, bytes, removed })
        this.#notify.changed()
      },
      piece: (piece) => queue?.push(piece),
    })
    const id = (this.#lastId += 1)
    await thread.started
    const view = this.#newView(id, input, destination)
    const ticket = queue ? randomBytes(32).toString('hex') : null
    this.#records.set(id, { view, thread, queue, ticket })
    this.#discardOldest()
    if (queue) this.#restartPullTimeout(id)
    void thread.ended.then((end) => this.#ended(id, end))
    if (this.#closed) await thread.cancel()
    this.#notify.ended()
    return { export: view, ticket }
  }

  /** Throws `not_found`, `file_failed`, `run_over`. */
  async pull(ticket: string): Promise<CallOutput<'logs.pull'>> {
    const [id, record] =
      [...this.#records].find(
        ([, candidate]) => candidate.ticket !== null && candidate.ticket === ticket,
      ) ?? []
    if (id === undefined || !record?.queue || record.view.state === 'done') {
      throw new AppError('not_found', 'No export has this ticket. Start the export again.')
    }
    this.#restartPullTimeout(id)?.()
    const next = await record.queue.next()
    if (next.done) this.#finish(id, { state: 'done' })
    else this.#restartPullTimeout(id)
    return { ...next, id }
  }

  /** Cancels a running export; no file is left under the final name. An ended export does not change. Throws `not_found`. */
  async cancel(id: number): Promise<LogExport> {
    const record = this.#get(id)
    if (record.view.state === 'running') {
      const end = await record.thread.cancel()
      this.#ended(id, end.kind === 'done' && record.queue ? { kind: 'cancelled' } : end)
    }
    return this.#get(id).view
  }

  /** Removes an ended export from the list. A running export stays. */
  dismiss(id: number): void {
    if (this.#records.get(id)?.view.state === 'running') return
    if (this.#records.delete(id)) this.#notify.ended()
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all([...this.#records.keys()].map((id) => this.cancel(id)))
  }

  readonly #cancelTimeouts = new Map<number, () => void>()

  #restartPullTimeout(id: number): (() => void) | undefined {
    this.#cancelTimeouts.get(id)?.()
    const cancelTimeout = this.#parts.clock.after(pullTimeoutMs, () => void this.cancel(id))
    this.#cancelTimeouts.set(id, cancelTimeout)
    return cancelTimeout
  }

  #ended(id: number, end: ExportEnd): void {
    const record = this.#records.get(id)
    if (record?.view.state !== 'running') return
    switch (end.kind) {
      case 'done': {
        const { deliveries, total, rehearsals, bytes, removed, unknownFields } = end.progress
        this.#change(id, { deliveries, total: total ?? deliveries, bytes, removed })
        if (rehearsals > 0) this.#change(id, { rehearsals })
        if (unknownFields.length > 0) this.#change(id, { unknownFields: [...unknownFields] })
        // Buffered pieces still have to be pulled: the export is done after the last one.
        if (record.queue) record.queue.end(null)
        else this.#finish(id, { state: 'done' })
        break
      }
      case 'cancelled':
        record.queue?.end(new AppError('run_over', 'The export was cancelled. Start it again.'))
        this.#finish(id, { state: 'cancelled' })
        break
      case 'failed': {
        const error = this.#toAppError(end.error)
        record.queue?.end(error)
        this.#finish(id, { state: 'failed', error: error.message })
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

  #finish(id: number, end: Pick<LogExport, 'state'> & Partial<LogExport>): void {
    this.#cancelTimeouts.get(id)?.()
    this.#cancelTimeouts.delete(id)
    this.#change(id, { endedAt: this.#parts.clock.now(), ...end })
    this.#notify.ended()
  }

  #change(id: number, change: Partial<LogExport>): void {
    const record = this.#records.get(id)
    if (record?.view.state === 'running') record.view = { ...record.view, ...change }
  }

  #newView(
    id: number,
    { format, redact }: ExportInput,
    { name, path: file }: Pick<Destination, 'name' | 'path'>,
  ): LogExport {
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

  /** The result for a user who cancelled the file dialog. It is not added to the list. */
  #declinedExport(input: ExportInput): LogExport {
    const name = input.to.kind === 'file' ? path.basename(input.to.path) : input.to.name
    const view = this.#newView((this.#lastId += 1), input, { name, path: null })
    return { ...view, state: 'cancelled', endedAt: view.startedAt }
  }

  #discardOldest(): void {
    for (const [id, { view }] of this.#records) {
      if (this.#records.size <= listedExports) return
      if (view.state !== 'running') this.#records.delete(id)
    }
  }

  #get(id: number): ExportRecord {
    const record = this.#records.get(id)
    if (record) return record
    throw new AppError('not_found', `Export ${id} does not exist. It may have been dismissed.`)
  }
}

interface PulledPiece {
  readonly bytes: Uint8Array
  readonly done: boolean
}

/** Callers pull the pieces of an export one by one, in order. */
interface PieceQueue {
  push(piece: Uint8Array): void
  /** No more pieces follow. With a reason, all further calls of `next` throw it, and buffered pieces are dropped. */
  end(reason: Error | null): void
  /** Resolves with the next piece once it is available. Concurrent calls are served one after the other. */
  next(): Promise<PulledPiece>
}

function createPieceQueue(consumed: (bytes: number) => void): PieceQueue {
  const mutex = createMutex()
  const waiting: Uint8Array[] = []
  let ended: { readonly reason: Error | null } | null = null
  let wake: (() => void) | null = null
  const notify = (): void => {
    wake?.()
    wake = null
  }
  const next = async (): Promise<PulledPiece> => {
    while (waiting.length === 0 && !ended) {
      await new Promise<void>((resolve) => (wake = resolve))
    }
    if (ended?.reason) throw ended.reason
    const piece = waiting.shift() ?? new Uint8Array()
    if (piece.byteLength > 0) consumed(piece.byteLength)
    return { bytes: piece, done: ended !== null && waiting.length === 0 }
  }
  return {
    push: (piece) => {
      waiting.push(piece)
      notify()
    },
    end: (reason) => {
      ended ??= { reason }
      if (reason) waiting.length = 0
      notify()
    },
    next: () => mutex(next),
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

async function fileDestination(file: string, overwrite: boolean): Promise<Destination> {
  if (!path.isAbsolute(file) || file.includes('\0')) {
    throw new AppError('bad_input', 'The file path must be absolute. Enter the full path.')
  }
  const final = await resolveLink(path.resolve(file))
  if (!overwrite && (await exists(final))) throw fileExists(final)
  const part = `${final}.part-${randomBytes(6).toString('hex')}`
  const name = path.basename(final)
  return { name, path: final, to: { kind: 'file', path: final, part, overwrite } }
}

/**
 * Returns the file to write: the target of the link if the path is a symbolic link. Throws `file_failed` for a device or a pipe, because
 * a rename would replace it: /dev/null would become a regular file.
 */
async function resolveLink(file: string): Promise<string> {
  try {
    const real = (await lstat(file)).isSymbolicLink() ? await realpath(file) : file
    const stats = await stat(real)
    if (stats.isFile() || stats.isDirectory()) return real
  } catch {
    // The file does not exist yet. Problems with its folder are reported when the file is created.
    return file
  }
  throw new AppError(
    'file_failed',
    `${file} is a device or a pipe, not a file. Enter the path of a file, or write to stdout: -o -`,
  )
}

async function exists(file: string): Promise<boolean> {
  try {
    await access(file)
    return true
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return false
    throw fileFailed(file, error)
  }
}
