import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import Database from 'better-sqlite3'
import type { Clock } from '../../clock.ts'
import { AppError } from '../../errors.ts'
import { migrations, newestVersion } from '../../store/migrations/migrations.ts'
import type { ReaderApi, ReaderThreadData } from '../../store/reader-api.ts'
import { storageFailure } from '../../storage-failure.ts'
import { connectApi, type ThreadClient } from '../../threads/rpc.ts'
import type { UpgradeThreadData } from './messages.ts'

/** A log that nobody has asked for so long is closed, in milliseconds. */
const keptOpenMs = 5 * 60_000

/** The store of one log, opened when something is asked of it. */
export class OpenedLog {
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

export interface OpenedParts {
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
