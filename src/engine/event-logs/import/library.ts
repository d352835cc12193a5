import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../platform/errors.ts'
import type { LibraryLog, StoredLog } from '../store.ts'
import type { LogFields } from '../writes.ts'
import { logsFolder } from '../../platform/store/data-folder.ts'
import { heapLimits } from '../../platform/heap-limits.ts'
import type { ReaderThreadData } from '../../platform/store/store-port.ts'
import type { WithoutDb } from '../../platform/sqlite.ts'
import type { readLogAuthorization } from '../../authorization/oauth/log-authorization.ts'
import type { ThreadClient } from '../../platform/rpc.ts'
import { Thread } from '../../platform/thread.ts'
import { createMutex } from '#shared/async/mutex.ts'
import type { ImportedLog } from './messages.ts'
import type { Clock } from '../../platform/clock.ts'

const closeAfterMs = 5 * 60_000

/** What is called here of all that the reader of a log serves. */
export type LogReads = WithoutDb<{ logAuthorization: typeof readLogAuthorization }> & {
  stop: () => void
}

const partPrefix = '.part-'

interface Entry {
  readonly log: LibraryLog
  readonly store: string
  readonly reader: Thread<LogReads>
}

export interface LibraryParts {
  readonly clock: Clock
  readonly readerEntry: URL
  readonly dataDir: string
  readonly logs: readonly StoredLog[]
  readonly write: {
    putLog(fields: LogFields): Promise<number>
    deleteLog(id: number): Promise<void>
  }
  readonly random: () => string
}

/** Each log has a row in the live store, and its own store file in the `logs` folder. */
export class Library<Reads extends LogReads> {
  readonly #parts: LibraryParts
  readonly #folder: string
  readonly #logs = new Map<number, Entry>()
  readonly #mutex = createMutex()

  constructor(parts: LibraryParts) {
    this.#parts = parts
    this.#folder = join(parts.dataDir, logsFolder)
    for (const { log, store } of parts.logs) this.#register(log, store)
    if (!existsSync(this.#folder)) return
    for (const name of readdirSync(this.#folder)) {
      if (name.includes(partPrefix)) rmSync(join(this.#folder, name), { force: true })
    }
  }

  /** Most recently imported first. */
  views(): LibraryLog[] {
    return [...this.#logs.values()]
      .map(({ log }) => log)
      .toSorted((a, b) => b.importedAt - a.importedAt || b.id - a.id)
  }

  /** Throws `not_found`. */
  get(id: number): LibraryLog {
    return this.#get(id).log
  }

  /** Throws like `pathOf`. */
  reader(id: number): ThreadClient<Reads> {
    this.pathOf(id)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `readerEntry` serves the same functions for every store
    return this.#get(id).reader.api as ThreadClient<Reads>
  }

  authorization(id: number) {
    this.pathOf(id)
    return this.#get(id).reader.api.call('logAuthorization')
  }

  /** Throws `not_found`, and `file_failed` if the store file is missing. */
  pathOf(id: number): string {
    const { log, store } = this.#get(id)
    const path = join(this.#folder, store)
    if (existsSync(path)) return path
    throw new AppError(
      'file_failed',
      `The data of the event log "${log.name}" is missing. Import its file again.`,
    )
  }

  newPart(): string {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    return join(this.#folder, `${partPrefix}${this.#parts.random()}`)
  }

  /** If a log with the same content exists, keeps that one and deletes the new store. */
  add(part: string, imported: ImportedLog): Promise<{ log: LibraryLog; known: boolean }> {
    return this.#mutex(async () => {
      const duplicate = [...this.#logs.values()].find(({ log }) => log.sha256 === imported.sha256)
      if (duplicate && existsSync(join(this.#folder, duplicate.store))) {
        this.drop(part)
        return { log: duplicate.log, known: true }
      }
      const store = this.#freeName(imported.sha256)
      renameSync(part, join(this.#folder, store))
      const fields = { ...imported, importedAt: Math.round(this.#parts.clock.now()) }
      try {
        const id = await this.#parts.write.putLog({ log: fields, store })
        await duplicate?.reader.close()
        const log = { ...fields, id }
        this.#register(log, store)
        return { log, known: false }
      } catch (error) {
        this.drop(join(this.#folder, store))
        throw error
      }
    })
  }

  /** Throws `not_found`. */
  remove(id: number): Promise<void> {
    return this.#mutex(async () => {
      const { store, reader } = this.#get(id)
      await this.#parts.write.deleteLog(id)
      this.#logs.delete(id)
      await reader.close()
      this.drop(join(this.#folder, store))
    })
  }

  /** Includes the temporary files that SQLite may have created next to it. */
  drop(path: string): void {
    for (const suffix of ['', '-journal', '-wal', '-shm']) {
      try {
        rmSync(path + suffix, { force: true })
      } catch {
        // Some systems lock a file shortly after it was closed. Partial files are deleted at the next start.
      }
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#logs.values()].map(({ reader }) => reader.close()))
  }

  #register(log: LibraryLog, store: string): void {
    const { clock, readerEntry } = this.#parts
    const data: ReaderThreadData = { storePath: join(this.#folder, store) }
    const reader = new Thread<LogReads>({
      entry: readerEntry,
      limits: heapLimits.reader,
      data: () => data,
      died: () => undefined,
      idle: { clock, ms: closeAfterMs, stop: (api) => api.call('stop') },
    })
    this.#logs.set(log.id, { log, store, reader })
  }

  #get(id: number): Entry {
    const entry = this.#logs.get(id)
    if (entry) return entry
    throw new AppError('not_found', `Event log ${id} does not exist. It may have been removed.`)
  }

  #freeName(sha256: string): string {
    for (let n = 1; ; n += 1) {
      const name = `${sha256.slice(0, 16)}-${n}.db`
      if (!existsSync(join(this.#folder, name))) return name
    }
  }
}
