import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { EventLog } from '#contract/logs.ts'
import { AppError } from '../../platform/errors.ts'
import type { LogFields, StoredLog } from '../store.ts'
import type { ReaderApi, ReaderThreadData } from '../../store/reader-api.ts'
import { type ThreadClient, connectApi } from '../../platform/rpc.ts'
import { createMutex } from '#shared/async/mutex.ts'
import type { ImportedLog, UpgradeThreadData } from './messages.ts'
import { Worker } from 'node:worker_threads'
import Database from 'better-sqlite3'
import type { Clock } from '../../platform/clock.ts'
import { migrations, newestVersion } from '../../store/migrations/migrations.ts'
import { storageFailure } from '../../platform/storage-failure.ts'

/** A log that nobody has asked for so long is closed, in milliseconds. */
const keptOpenMs = 5 * 60_000

/** The store of one log, opened when something is asked of it. */
class OpenedLog {
  readonly client: ThreadClient<ReaderApi>
  readonly #parts: OpenedParts
  #reader: Promise<Reader> | null = null
  #asking = 0
  #callOff: (() => void) | null = null

  constructor(parts: OpenedParts) {
    this.#parts = parts
    this.client = { call: (name, ...input) => this.#ask((reader) => reader.call(name, ...input)) }
  }

  /** Throws `file_failed` when its store has gone. */
  assertThere(): void {
    if (existsSync(this.#parts.path)) return
    throw new AppError(
      'file_failed',
      `The data of the event log "${this.#parts.name}" is no longer in the folder of the logs. Import its file again.`,
    )
  }

  async close(): Promise<void> {
    this.#callOff?.()
    const reader = this.#reader
    this.#reader = null
    await reader?.then(({ end }) => end()).catch(() => undefined)
  }

  async #ask<T>(work: (reader: ThreadClient<ReaderApi>) => Promise<T>): Promise<T> {
    this.#callOff?.()
    this.#asking += 1
    try {
      const { client } = await this.#open()
      return await work(client)
    } finally {
      this.#asking -= 1
      if (this.#asking === 0 && this.#reader) {
        this.#callOff = this.#parts.clock.after(keptOpenMs, () => void this.close())
      }
    }
  }

  async #open(): Promise<Reader> {
    const opening = (this.#reader ??= openReader(this.#parts, () => {
      this.#reader = null
    }))
    try {
      return await opening
    } catch (error) {
      if (this.#reader === opening) this.#reader = null
      throw error
    }
  }
}

interface OpenedParts {
  readonly path: string
  /** Of the log, as it is shown. */
  readonly name: string
  readonly clock: Clock
  readonly entries: { readonly reader: URL; readonly importer: URL }
}

interface Reader {
  readonly client: ThreadClient<ReaderApi>
  readonly end: () => Promise<void>
}

/** `died`: the thread is no more, and whoever asks next begins another. */
async function openReader(parts: OpenedParts, died: () => void): Promise<Reader> {
  const { path, entries } = parts
  await bringUp(parts)
  const data: ReaderThreadData = { storePath: path }
  const thread = new Worker(entries.reader, { workerData: data })
  thread.on('error', died)
  const client = connectApi<ReaderApi>(thread)
  return {
    client,
    end: async () => {
      await client.call('stop').catch(() => undefined)
      await thread.terminate()
    },
  }
}

/** The store of a log that an older Tabscope imported gets what has come since, in a thread: it may be large. */
async function bringUp({ path, name, entries }: OpenedParts): Promise<void> {
  const version = versionOf(path, name)
  const known = newestVersion(migrations)
  if (version === known) return
  if (version > known) {
    throw new AppError(
      'log_too_new',
      `The event log "${name}" was imported by a newer Tabscope (format ${version}, this one knows ${known}). Update Tabscope, or import its file again.`,
      { details: { found: version, known } },
    )
  }
  const data: UpgradeThreadData = { kind: 'upgrade', store: path }
  const thread = new Worker(entries.importer, { workerData: data })
  await new Promise<void>((resolve, reject) => {
    thread.on('error', (error) => reject(storageFailure(error) ?? damaged(name, error)))
    thread.on('exit', () => resolve())
  })
}

function versionOf(path: string, name: string): number {
  try {
    const db = new Database(path, { readonly: true, fileMustExist: true })
    try {
      return Number(db.pragma('user_version', { simple: true }))
    } finally {
      db.close()
    }
  } catch (error) {
    throw storageFailure(error) ?? damaged(name, error)
  }
}

function damaged(name: string, cause: unknown): AppError {
  return new AppError(
    'file_failed',
    `The data of the event log "${name}" cannot be read. Remove the log, and import its file again.`,
    { cause },
  )
}

const partMark = '.part-'

export interface LibraryParts extends Pick<OpenedParts, 'clock' | 'entries'> {
  readonly dataDir: string
  readonly logs: readonly StoredLog[]
  /** True: nobody else writes in the folder, so that what a crash has left half-written is nobody's. */
  readonly holdsFolder: boolean
  /** To the live store. */
  readonly write: {
    putLog(fields: LogFields): Promise<number>
    deleteLog(id: number): Promise<void>
  }
  /** Eight hex digits or so. */
  readonly random: () => string
}

/** The logs that there are: a row each in the live store, a store each in a folder of their own. */
export class Library {
  readonly #parts: LibraryParts
  readonly #folder: string
  readonly #logs = new Map<number, { log: EventLog; store: string; opened: OpenedLog }>()
  readonly #turn = createMutex()

  constructor(parts: LibraryParts) {
    this.#parts = parts
    this.#folder = join(parts.dataDir, 'logs')
    for (const { log, store } of parts.logs) this.#hold(log, store)
    if (!parts.holdsFolder || !existsSync(this.#folder)) return
    for (const name of readdirSync(this.#folder)) {
      if (name.includes(partMark)) rmSync(join(this.#folder, name), { force: true })
    }
  }

  /** Imported last first. */
  views(): EventLog[] {
    return [...this.#logs.values()]
      .map(({ log }) => log)
      .toSorted((a, b) => b.importedAt - a.importedAt || b.id - a.id)
  }

  /** Throws `not_found`. */
  get(id: number): EventLog {
    return this.#held(id).log
  }

  /** Throws `not_found`, and `file_failed` when its store has gone. */
  reader(id: number): ThreadClient<ReaderApi> {
    const { opened } = this.#held(id)
    opened.assertThere()
    return opened.client
  }

  /** Absolute path of its store. Throws as `reader`. */
  pathOf(id: number): string {
    const { store, opened } = this.#held(id)
    opened.assertThere()
    return join(this.#folder, store)
  }

  /** A path for a store while it is filled. */
  newPart(): string {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    return join(this.#folder, `${partMark}${this.#parts.random()}`)
  }

  /** Takes a store that is whole among the logs; one with the same content that is there already stays instead. */
  add(part: string, imported: ImportedLog): Promise<{ log: EventLog; known: boolean }> {
    return this.#turn(async () => {
      const before = [...this.#logs.values()].find(({ log }) => log.sha256 === imported.sha256)
      if (before && existsSync(join(this.#folder, before.store))) {
        this.drop(part)
        return { log: before.log, known: true }
      }
      const store = this.#freeName(imported.sha256)
      renameSync(part, join(this.#folder, store))
      const fields = { ...imported, importedAt: Math.round(this.#parts.clock.now()) }
      try {
        const id = await this.#parts.write.putLog({ log: fields, store })
        await before?.opened.close()
        const log = { ...fields, id }
        this.#hold(log, store)
        return { log, known: false }
      } catch (error) {
        this.drop(join(this.#folder, store))
        throw error
      }
    })
  }

  /** Throws `not_found`. */
  remove(id: number): Promise<void> {
    return this.#turn(async () => {
      const { store, opened } = this.#held(id)
      await this.#parts.write.deleteLog(id)
      this.#logs.delete(id)
      await opened.close()
      this.drop(join(this.#folder, store))
    })
  }

  /** Deletes a store, with what an import or SQLite may have put beside it. */
  drop(path: string): void {
    for (const suffix of ['', '-entries', '-journal', '-wal', '-shm']) {
      try {
        rmSync(path + suffix, { force: true })
      } catch {
        // Some systems keep a file that was open a moment ago. What is half-written goes at the next start.
      }
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#logs.values()].map(({ opened }) => opened.close()))
  }

  #hold(log: EventLog, store: string): void {
    const { clock, entries } = this.#parts
    const opened = new OpenedLog({
      path: join(this.#folder, store),
      name: log.name,
      clock,
      entries,
    })
    this.#logs.set(log.id, { log, store, opened })
  }

  #held(id: number): { log: EventLog; store: string; opened: OpenedLog } {
    const held = this.#logs.get(id)
    if (held) return held
    throw new AppError('not_found', `There is no event log ${id}. It may have been removed.`)
  }

  #freeName(sha256: string): string {
    for (let n = 1; ; n += 1) {
      const name = `${sha256.slice(0, 16)}-${n}.db`
      if (!existsSync(join(this.#folder, name))) return name
    }
  }
}
