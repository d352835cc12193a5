import { readFileSync } from 'node:fs'
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../../platform/errors.ts'
import { readEndpoints } from '../../endpoints/store.ts'
import type { Db } from '../../platform/sqlite.ts'
import { formatOf } from '../formats.ts'
import type { LogItem } from '../items.ts'
import type { LogSource } from '../read/source.ts'
import { createRedactor, type Redactor } from '../redact/redactor.ts'
import { headOf } from './head.ts'
import type { ExportOrder } from './messages.ts'
import type { Sink } from './sinks.ts'

/** Bytes are written in pieces of about this size. */
const pieceBytes = 256 * 1024
/** After so many milliseconds messages are looked at. */
const sliceMs = 8

/**
 * Draws from a generator into a sink, no faster than the sink takes it. `between` is called every few milliseconds, between two pieces, and may
 * wait or throw. How the bytes are cut depends on them alone, not on how long they took.
 */
export async function pump(
  pieces: Iterable<string | Uint8Array>,
  sink: Sink,
  between: () => Promise<void> | void,
): Promise<void> {
  let text = ''
  let parts: Uint8Array[] = []
  let size = 0
  let sliceEnd = performance.now() + sliceMs
  const takeText = (): void => {
    if (text === '') return
    const bytes = Buffer.from(text)
    text = ''
    parts.push(bytes)
    size += bytes.byteLength
  }
  const flush = async (): Promise<void> => {
    takeText()
    const [only] = parts
    const bytes = parts.length === 1 && only ? only : Buffer.concat(parts)
    parts = []
    size = 0
    if (bytes.byteLength > 0) await sink.write(bytes)
  }
  for (const piece of pieces) {
    if (typeof piece === 'string') text += piece
    else {
      takeText()
      parts.push(piece)
      size += piece.byteLength
    }
    if (size + text.length >= pieceBytes) await flush()
    if (performance.now() < sliceEnd) continue
    await turn()
    await between()
    sliceEnd = performance.now() + sliceMs
  }
  await flush()
}

/** How far an export is, as it goes on. */
export interface ExportCounts {
  deliveries: number
  total: number | null
  behind: number
  removed: Readonly<Record<string, number>>
  redactor: Redactor | null
}

/** What is done between two deliveries, when there was none for long, and every few milliseconds. */
export interface Pauses {
  /** Throws where it is to end. */
  readonly check: () => void
  /** Every few milliseconds; may wait, or throw. */
  readonly between: () => Promise<void> | void
}

/** Without a sign of the search index for so long, in milliseconds, nobody waits for it any longer. */
const indexPatienceMs = { needed: 15_000, welcome: 3000 } as const

/** All of an export: reads, redacts, writes. The source is that of the order. */
export async function produce(
  db: Db,
  source: LogSource,
  order: ExportOrder,
  sink: Sink,
  standing: ExportCounts,
  { check, between }: Pauses,
): Promise<void> {
  const format = formatOf(order.format)
  await untilIndexed(source, standing, between)
  await inSteps(source.counting(), between)
  standing.total = source.counts.deliveries
  const redactor = order.redaction ? await redactorOf(db, source, order.redaction, between) : null
  standing.redactor = redactor
  const before = redactor ? {} : (source.origin?.end?.removed ?? {})
  standing.removed = before
  const plain = headOf(source, {
    app: order.app,
    exportedAt: new Date(order.asOf).toISOString(),
    rules: order.redaction?.rules ?? null,
    keep: order.redaction?.keep,
  })
  function* items(): Generator<LogItem, void, undefined> {
    for (const stored of source.items(check)) {
      check()
      const item = withHeaders(stored, order.endpointHeaders)
      yield redactor ? redactor.item(item) : item
      if (item.kind === 'delivery') standing.deliveries += 1
    }
  }
  let page: string | null = null
  const pieces = format.write(redactor ? redactor.head(plain) : plain, items(), {
    target: order.target,
    page: () => (page ??= readFileSync(new URL(order.viewerPage), 'utf8')),
    removed: () => redactor?.removed() ?? before,
  })
  await pump(pieces, sink, between)
  await sink.end()
}

function withHeaders(item: LogItem, headers: ExportOrder['endpointHeaders']): LogItem {
  const customHeaders = item.kind === 'endpoint' ? headers.get(item.id) : undefined
  return item.kind === 'endpoint' && customHeaders ? { ...item, customHeaders } : item
}

/** Handles are gathered in steps: there may be very many. */
async function redactorOf(
  db: Db,
  source: LogSource,
  options: NonNullable<ExportOrder['redaction']>,
  between: Pauses['between'],
): Promise<Redactor> {
  const handles: string[] = []
  await inSteps(source.handles(), between, (handle) => handles.push(handle))
  const configured = readEndpoints(db).flatMap(({ customHeaders }) => customHeaders)
  const names = [...options.customHeaders, ...configured.map(([name]) => name)]
  return createRedactor({
    ...options,
    customHeaders: [...new Set(names)],
    customValues: [...(options.customValues ?? []), ...configured.map(([, value]) => value)],
    handles,
  })
}

async function inSteps<T>(
  steps: Iterable<T>,
  between: Pauses['between'],
  take: (step: T) => void = () => undefined,
): Promise<void> {
  let sliceEnd = performance.now() + 8
  for (const step of steps) {
    take(step)
    if (performance.now() < sliceEnd) continue
    await pause(0)
    await between()
    sliceEnd = performance.now() + 8
  }
}

/**
 * What the search index does not know yet would be missing, or it would not be said what it repeats: it is waited for as long as it goes on.
 * Where it is only that, it goes without.
 */
async function untilIndexed(
  source: LogSource,
  standing: ExportCounts,
  between: Pauses['between'],
): Promise<void> {
  let movedAt = performance.now()
  for (;;) {
    const behind = source.behind()
    if (behind !== standing.behind) movedAt = performance.now()
    standing.behind = behind
    if (behind === 0) return
    const waited = performance.now() - movedAt
    if (!source.needsIndex && waited > indexPatienceMs.welcome) return
    if (waited > indexPatienceMs.needed) {
      throw new AppError(
        'file_failed',
        `The search index has stopped: ${behind} deliveries are not in it, and would be missing. Restart Tabscope, or remove text and IDs from the filter.`,
        { retry: 'later' },
      )
    }
    await pause(25)
    await between()
  }
}
