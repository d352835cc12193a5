import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { EventLog } from '#contract/logs.ts'
import { AppError } from '../../errors.ts'
import type { LogFields, StoredLog } from '../../store/event-logs.ts'
import type { ReaderApi } from '../../store/reader-api.ts'
import type { ThreadClient } from '../../threads/rpc.ts'
import { createMutex } from '../../mutex.ts'
import type { ImportedLog } from './messages.ts'
import { OpenedLog, type OpenedParts } from './opened.ts'

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
