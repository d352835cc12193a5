import { setTimeout as sleep } from 'node:timers/promises'
import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { LogFormatView, LogPreview, LogWith } from '#contract/logs.ts'
import { formatOf } from '../formats.ts'
import {
  startExport,
  type ExportEnd,
  type ExportsParts,
  type RunningExport,
} from './export-task.ts'
import type { ExportProgress } from './messages.ts'
import { notRedacted } from './head.ts'

const responseMs = 300
const idleTimeoutMs = 15_000
/** Beyond it, the least recently requested one is cancelled. */
const maxPreviews = 4

type Input = ParsedInput<'logs.preview'>

interface RunningPreview {
  /** The request as text. A different request under the same key starts a new preview. */
  readonly request: string
  readonly input: Input
  readonly thread: RunningExport
  progress: ExportProgress
  end: ExportEnd | null
  cancelTimeout: () => void
}

const noProgress: ExportProgress = {
  deliveries: 0,
  total: null,
  rehearsals: 0,
  bytes: 0,
  removed: {},
  unknownFields: [],
  fields: [],
  texts: [],
  unindexed: 0,
}

/** Exports that only report what they would write. They are cancelled when they are no longer requested. */
export class Previews {
  readonly #parts: ExportsParts
  readonly #previews = new Map<string, RunningPreview>()
  readonly #starting = new Map<string, Promise<RunningPreview>>()

  constructor(parts: ExportsParts) {
    this.#parts = parts
  }

  /** Throws `bad_filter`, `bad_input`, `not_found`. */
  async get(input: Input): Promise<CallOutput<'logs.preview'>> {
    const { key, ...rest } = input
    const request = JSON.stringify(rest)
    const preview = await this.#previewFor(key, request, input)
    preview.cancelTimeout()
    preview.cancelTimeout = this.#parts.clock.after(idleTimeoutMs, () => this.#drop(key, preview))
    await Promise.race([preview.thread.ended, sleep(responseMs, undefined, { ref: false })])
    if (preview.end?.kind === 'failed') {
      this.#drop(key, preview)
      throw preview.end.error
    }
    return viewOf(preview)
  }

  async close(): Promise<void> {
    const all = [...this.#previews]
    for (const [key, preview] of all) this.#drop(key, preview)
    await Promise.all(all.map(([, { thread }]) => thread.ended))
  }

  async #previewFor(key: string, request: string, input: Input): Promise<RunningPreview> {
    const current = this.#previews.get(key)
    if (current?.request === request) {
      // Move it to the end: the map is in order of the last request.
      this.#previews.delete(key)
      this.#previews.set(key, current)
      return current
    }
    const startKey = `${key} ${request}`
    const starting = this.#starting.get(startKey) ?? this.#start(key, request, input)
    this.#starting.set(startKey, starting)
    try {
      return await starting
    } finally {
      this.#starting.delete(startKey)
    }
  }

  async #start(key: string, request: string, input: Input): Promise<RunningPreview> {
    const thread = await startExport(
      this.#parts,
      input,
      { kind: 'count' },
      { progress: (progress) => void (preview.progress = progress) },
    )
    const before = this.#previews.get(key)
    if (before) this.#drop(key, before)
    for (const [oldest, preview] of this.#previews) {
      if (this.#previews.size < maxPreviews) break
      this.#drop(oldest, preview)
    }
    const preview: RunningPreview = {
      request,
      input,
      thread,
      progress: noProgress,
      end: null,
      cancelTimeout: () => undefined,
    }
    void follow(preview)
    this.#previews.set(key, preview)
    return preview
  }

  #drop(key: string, preview: RunningPreview): void {
    preview.cancelTimeout()
    if (this.#previews.get(key) === preview) this.#previews.delete(key)
    void preview.thread.cancel()
  }
}

async function follow(preview: RunningPreview): Promise<void> {
  const end = await preview.thread.ended
  preview.end = end
  if (end.kind === 'done') preview.progress = end.output
}

function viewOf({ progress, end, input }: RunningPreview): LogPreview {
  const complete = end?.kind === 'done'
  const total = complete ? progress.deliveries : (progress.total ?? 0)
  const scale = progress.deliveries > 0 ? total / progress.deliveries : 1
  return {
    complete,
    examined: progress.deliveries,
    deliveries: total,
    ...(progress.rehearsals > 0 && { rehearsals: progress.rehearsals }),
    bytes: progress.bytes,
    totalBytes: complete ? progress.bytes : Math.round(progress.bytes * Math.max(1, scale)),
    fields: progress.fields,
    texts: progress.texts,
    notes: previewNotes(formatOf(input.format), input, {
      deliveries: total,
      unindexed: progress.unindexed,
    }),
  }
}

const importNotes: Readonly<Record<LogFormatView['imports'], readonly string[]>> = {
  complete: [],
  partial: ['You can import this format into Tabscope, but it contains less than an event log.'],
  none: ['You cannot import this format into Tabscope. Export an event log for that.'],
}

function previewNotes(
  format: Pick<LogFormatView, 'comfortable' | 'rehearsals' | 'imports'>,
  request: {
    redact: boolean
    with: LogWith
  },
  { deliveries, unindexed }: { deliveries: number; unindexed: number },
): string[] {
  const notes = request.redact ? [] : [notRedacted]
  if (unindexed > 0) {
    notes.push(
      `${unindexed} deliveries are not in the search index yet. The preview waits for them.`,
    )
  }
  if (format.comfortable !== null && deliveries > format.comfortable) {
    notes.push(
      `This format is slow to open with more than ${format.comfortable} deliveries. Select fewer deliveries, or export an event log, which has no size limit.`,
    )
  }
  const { rehearsals = 'none' } = request.with
  if (rehearsals !== 'none' && format.rehearsals !== true) {
    notes.push('This format does not contain rehearsals. Export an event log or an HTML page.')
  }
  return [...notes, ...importNotes[format.imports]]
}
