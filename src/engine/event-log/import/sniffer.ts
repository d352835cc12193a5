import { AppError } from '../../errors.ts'
import type { DiskBudget } from './disk-budget.ts'
import type { LogStore } from './log-store.ts'
import { HarReader } from './har.ts'
import { NativeReader } from './native.ts'
import type { Problems } from './problems.ts'
import type { LogReader, ReadLog } from './reader.ts'
import { isUtf8 } from 'node:buffer'

type Seems =
  | { readonly kind: 'ndjson' | 'har' }
  | { readonly kind: 'other'; readonly sentence: string }

const wanted =
  'Choose a file that Tabscope has written as "Event log" (ndjson, also compressed), or a HAR file.'

/** First bytes of what is taken for an event log by mistake. */
const signatures: readonly { readonly bytes: readonly number[] | string; readonly is: string }[] = [
  { bytes: 'SQLite format 3\0', is: 'a database (SQLite)' },
  { bytes: 'PK\u0003\u0004', is: 'a zip archive: unpack it first' },
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], is: 'compressed with zstd: unpack it first' },
  { bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a], is: 'compressed with xz: unpack it first' },
  { bytes: 'BZh', is: 'compressed with bzip2: unpack it first' },
  { bytes: [0x1f, 0x8b], is: 'compressed twice: unpack it once' },
  { bytes: '%PDF', is: 'a PDF' },
  { bytes: [0x89, 0x50, 0x4e, 0x47], is: 'a picture' },
  { bytes: [0xff, 0xd8, 0xff], is: 'a picture' },
  { bytes: [0xff, 0xfe], is: 'text in UTF-16: save it as UTF-8' },
  { bytes: [0xfe, 0xff], is: 'text in UTF-16: save it as UTF-8' },
]

/** What a file is, by its first bytes. */
function detectFormat(head: Buffer): Seems {
  if (head.byteLength === 0) return other('empty')
  for (const { bytes, is } of signatures) {
    const start = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : Buffer.from(bytes)
    if (head.subarray(0, start.byteLength).equals(start)) return other(is)
  }
  const text = head.toString('utf8').replace(/^\uFEFF/, '')
  if (/^\s*\{\s*"log"\s*:/.test(text)) return { kind: 'har' }
  if (/^\{[^\n]*[^\s{]/.test(text.trimStart())) return { kind: 'ndjson' }
  if (text.trim() === '') return other('blank')
  if (/^\s*(<!doctype\s+html|<html)/i.test(text)) {
    return other('an HTML page. It can be opened in a browser, but not be imported')
  }
  if (/^\s*[[{]/.test(text)) return other('JSON, but neither an event log nor HAR')
  // The last character may be cut in two.
  if (text.includes('\0') || !isUtf8(head.subarray(0, Math.max(1, head.byteLength - 4)))) {
    return other('no text')
  }
  if (/^\s*(curl|http|https)\s/.test(text) || text.startsWith('#!')) return other('a shell script')
  const [line = ''] = text.split('\n')
  if (line.split(/[,;\t]/).length > 3) return other('a table (CSV)')
  if (/^\s*(#|```|await fetch)/.test(text)) return other('text for people')
  return other('no event log')
}

function other(is: string): Seems {
  return {
    kind: 'other',
    sentence: `The file seems to be ${is}. ${wanted}`,
  }
}

/** So much of a file decides what it is, in bytes. */
const enough = 4096

/** Finds out by the first bytes what a file is, and has it read by the reader of its format. */
export class Sniffer implements LogReader {
  readonly #store: LogStore
  readonly #problems: Problems
  readonly #part: string
  readonly #room: DiskBudget
  #held: Buffer[] = []
  #heldBytes = 0
  #reader: LogReader | null = null

  /** `part`: the name under which other files may be put aside meanwhile. */
  constructor(store: LogStore, problems: Problems, part: string, room: DiskBudget) {
    this.#store = store
    this.#problems = problems
    this.#part = part
    this.#room = room
  }

  take(chunk: Buffer): void {
    if (this.#reader) return this.#reader.take(chunk)
    // A copy: whoever gave the bytes may use them again.
    this.#held.push(Buffer.from(chunk))
    this.#heldBytes += chunk.byteLength
    if (this.#heldBytes >= enough) this.#begin()
  }

  finish(torn: string | null): ReadLog {
    const reader = this.#reader ?? this.#begin()
    return reader.finish(torn)
  }

  close(): void {
    this.#reader?.close()
  }

  #begin(): LogReader {
    const held = Buffer.concat(this.#held)
    this.#held = []
    const seems = detectFormat(held.subarray(0, enough))
    if (seems.kind === 'other') throw new AppError('log_unreadable', seems.sentence)
    const reader = this.#readerOf(seems.kind)
    this.#reader = reader
    reader.take(held)
    return reader
  }

  #readerOf(kind: 'ndjson' | 'har'): LogReader {
    switch (kind) {
      case 'ndjson':
        return new NativeReader(this.#store, this.#problems)
      case 'har':
        return new HarReader(this.#store, this.#problems, `${this.#part}-entries`, this.#room)
    }
  }
}
