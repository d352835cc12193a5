import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { LogFormatView, LogPreview, LogWith } from '#contract/logs.ts'
import { formatOf } from '../formats.ts'
import type { ExportsParts } from './exports.ts'
import { type ExportEnd, type ExportThread, startExport } from './export-thread.ts'
import type { ExportProgress } from './messages.ts'
import { orderOf } from './orders.ts'
import type { KeepableClass } from '#contract/redaction.ts'
import { notRedacted, redactedNote } from './head.ts'

/** It answers after so long, in milliseconds, with what is known by then. */
const answerMs = 300
/** After a question it goes on for so long, in milliseconds, so that the next one finds it further. */
const goOnMs = 1000
/** What nobody asks for so long ends, in milliseconds. */
const patienceMs = 15_000
/** Of several, the one that was asked for longest ago ends. */
const mostPreviews = 4

type Input = ParsedInput<'logs.preview'>

interface Held {
  /** The wish as text: another one under the same key begins anew. */
  readonly wish: string
  readonly input: Input
  readonly thread: ExportThread
  told: ExportProgress
  end: ExportEnd | null
  callOff: () => void
}

const nothingYet: ExportProgress = {
  deliveries: 0,
  total: null,
  bytes: 0,
  removed: {},
  removals: [],
  behind: 0,
}

/** Exports that write nothing, but tell what they would. They go on only while somebody asks. */
export class Previews {
  readonly #parts: ExportsParts
  readonly #held = new Map<string, Held>()
  readonly #beginning = new Map<string, Promise<Held>>()

  constructor(parts: ExportsParts) {
    this.#parts = parts
  }

  /** Throws `bad_filter`, `bad_input`, `not_found`. */
  async ask(input: Input): Promise<CallOutput<'logs.preview'>> {
    const { key, ...rest } = input
    const wish = JSON.stringify(rest)
    const held = await this.#heldFor(key, wish, input)
    held.callOff()
    held.callOff = this.#parts.clock.after(patienceMs, () => this.#drop(key, held))
    held.thread.goOnUntil(performance.timeOrigin + performance.now() + answerMs + goOnMs)
    await Promise.race([held.thread.ended, pause(answerMs)])
    if (held.end?.kind === 'failed') {
      this.#drop(key, held)
      throw held.end.error
    }
    return viewOf(held)
  }

  async close(): Promise<void> {
    const all = [...this.#held]
    for (const [key, held] of all) this.#drop(key, held)
    await Promise.all(all.map(([, { thread }]) => thread.ended))
  }

  async #heldFor(key: string, wish: string, input: Input): Promise<Held> {
    const known = this.#held.get(key)
    if (known?.wish === wish) {
      // Asked for last: the others go before it.
      this.#held.delete(key)
      this.#held.set(key, known)
      return known
    }
    const under = `${key} ${wish}`
    const beginning = this.#beginning.get(under) ?? this.#begin(key, wish, input)
    this.#beginning.set(under, beginning)
    try {
      return await beginning
    } finally {
      this.#beginning.delete(under)
    }
  }

  async #begin(key: string, wish: string, input: Input): Promise<Held> {
    const { rules, pathOf } = this.#parts
    const order = await orderOf(this.#parts, rules, pathOf, input, { kind: 'count' })
    const before = this.#held.get(key)
    if (before) this.#drop(key, before)
    for (const [oldest, held] of this.#held) {
      if (this.#held.size < mostPreviews) break
      this.#drop(oldest, held)
    }
    const thread = startExport(this.#parts.ports.threads.exporter, order, {
      progress: (told) => (held.told = told),
    })
    const held: Held = {
      wish,
      input,
      thread,
      told: nothingYet,
      end: null,
      callOff: () => undefined,
    }
    void follow(held)
    this.#held.set(key, held)
    return held
  }

  #drop(key: string, held: Held): void {
    held.callOff()
    if (this.#held.get(key) === held) this.#held.delete(key)
    void held.thread.cancel()
  }
}

async function follow(held: Held): Promise<void> {
  const end = await held.thread.ended
  held.end = end
  if (end.kind === 'done') held.told = end.told
}

function viewOf({ told, end, input }: Held): LogPreview {
  const complete = end?.kind === 'done'
  const total = complete ? told.deliveries : (told.total ?? 0)
  const share = told.deliveries > 0 ? total / told.deliveries : 1
  return {
    complete,
    looked: told.deliveries,
    deliveries: total,
    bytes: told.bytes,
    bytesInAll: complete ? told.bytes : Math.round(told.bytes * Math.max(1, share)),
    removals: told.removals,
    notes: previewNotes(formatOf(input.format), input, { deliveries: total, behind: told.behind }),
  }
}

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms).unref())
}

/** What is to be known before a file leaves, as sentences. */
function previewNotes(
  format: Pick<LogFormatView, 'label' | 'comfortable' | 'returns'>,
  wish: {
    readonly redact: boolean
    readonly keep: readonly KeepableClass[]
    readonly with: LogWith
  },
  { deliveries, behind }: { readonly deliveries: number; readonly behind: number },
): string[] {
  const notes = [wish.redact ? redactedNote(wish.keep) : notRedacted]
  if (behind > 0) {
    notes.push(`${behind} deliveries are still to go into the search index. It waits for them.`)
  }
  if (format.comfortable !== null && deliveries > format.comfortable) {
    notes.push(
      `${format.label} is unwieldy above ${format.comfortable} deliveries where it is opened. Choose fewer, or an event log, which can be as large as you like.`,
    )
  }
  switch (format.returns) {
    case 'whole':
      break
    case 'in_part':
      notes.push('When opened in Tabscope again, it contains less than an event log.')
      break
    case 'no':
      notes.push('It cannot be opened in Tabscope again: that is what the event log is for.')
      break
  }
  return notes
}
