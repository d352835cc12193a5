import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../platform/errors.ts'
import type { Db } from '../../platform/sqlite.ts'
import { assertReadable } from '../../deliveries/damage.ts'
import { type FormatEnv, formatOf } from '../formats.ts'
import type { LogItem } from '../items.ts'
import type { LogSource } from '../read/source.ts'
import { FieldUses } from '../../payload/masking/field-uses.ts'
import { RecordMasker } from '../record-masker.ts'
import { createLogHead } from './head.ts'
import type { ExportTask } from './messages.ts'
import { inPieces } from './output.ts'

export interface ExportCounts {
  deliveries: number
  /** As in the file: compressed, if it is. */
  bytes: number
  total: number | null
  rehearsals: number
  unindexed: number
  removed: () => Readonly<Record<string, number>>
  uses: FieldUses | null
  /** Selected fields that no record has had so far. */
  unknownFields: () => string[]
}

/** How long to wait while the search index makes no progress. `optional`: only the repetitions would be missing. */
const indexTimeoutMs = { required: 15_000, optional: 3000 } as const

/** `source` must be opened from `task`. `throwIfCancelled` is also called before each delivery. */
export async function runExport(
  db: Db,
  source: LogSource,
  task: ExportTask,
  write: (pieces: AsyncIterable<Uint8Array>) => Promise<void>,
  counts: ExportCounts,
  throwIfCancelled: () => void,
): Promise<void> {
  const format = formatOf(task.format)
  await waitForIndex(source, counts, throwIfCancelled)
  await inSteps(source.counting(), throwIfCancelled)
  counts.total = source.counts.deliveries
  if (task.to.kind !== 'count') assertReadable(db, counts.total ?? 0)
  counts.rehearsals = source.counts.rehearsals ?? 0
  // Later choices replace earlier ones.
  const choices = new Map(task.redaction?.choices.map(({ field, as }) => [field, as]))
  const fieldsTo = (as: 'keep' | 'mask'): string[] =>
    [...choices].flatMap(([field, choice]) => (choice === as ? [field] : []))
  const kept = fieldsTo('keep')
  const masked = fieldsTo('mask')
  counts.uses =
    task.redaction && task.to.kind === 'count' ? new FieldUses(task.redaction.secrets) : null
  const redactor =
    task.redaction &&
    new RecordMasker({
      choices: task.redaction.choices,
      secrets: task.redaction.secrets,
      uses: counts.uses,
      masked: source.redaction?.on ?? false,
    })
  const previouslyRemoved = redactor ? {} : (source.origin?.end?.removed ?? {})
  const head = createLogHead(source, {
    app: task.app,
    exportedAt: new Date(task.asOf).toISOString(),
    fields: task.redaction && { kept, masked },
  })
  counts.removed = () => redactor?.counts ?? previouslyRemoved
  counts.unknownFields = () =>
    redactor ? (task.redaction?.own ?? []).filter((field) => !redactor.hasField(field)) : []

  function* items(): Generator<LogItem, void, undefined> {
    for (const stored of source.records()) {
      throwIfCancelled()
      const item = addCustomHeaders(stored, task.endpointHeaders)
      yield redactor ? redactor.item(item) : item
    }
    for (const ids of source.deliveryIds()) {
      throwIfCancelled()
      for (const delivery of source.deliveries(ids)) {
        throwIfCancelled()
        const item: LogItem = { kind: 'delivery', delivery }
        yield redactor ? redactor.item(item) : item
        counts.deliveries += 1
      }
    }
  }
  const env: FormatEnv = {
    target: task.target,
    removed: () => counts.removed(),
  }
  const pieces = format.write(redactor ? redactor.head(head) : head, items(), env)
  await write(inPieces(pieces, throwIfCancelled))
}

function addCustomHeaders(item: LogItem, headers: ExportTask['endpointHeaders']): LogItem {
  const customHeaders = item.kind === 'endpoint' ? headers.get(item.id) : undefined
  return item.kind === 'endpoint' && customHeaders ? { ...item, customHeaders } : item
}

async function inSteps(steps: Iterable<unknown>, throwIfCancelled: () => void): Promise<void> {
  let sliceEnd = performance.now() + 8
  for (const _step of steps) {
    if (performance.now() < sliceEnd) continue
    await sleep(0)
    throwIfCancelled()
    sliceEnd = performance.now() + 8
  }
}

/**
 * Waits as long as the index makes progress. A filter that needs a stalled index would miss deliveries, so that is an error (`file_failed`). Otherwise
 * the export continues without the information which delivery repeats which.
 */
export async function waitForIndex(
  source: Pick<LogSource, 'unindexed' | 'needsIndex'>,
  counts: Pick<ExportCounts, 'unindexed'>,
  throwIfCancelled: () => void,
): Promise<void> {
  let progressAt = performance.now()
  for (;;) {
    const unindexed = source.unindexed()
    if (unindexed !== counts.unindexed) progressAt = performance.now()
    counts.unindexed = unindexed
    if (unindexed === 0) return
    const stalledMs = performance.now() - progressAt
    if (!source.needsIndex && stalledMs > indexTimeoutMs.optional) return
    if (stalledMs > indexTimeoutMs.required) {
      throw new AppError(
        'file_failed',
        `The search index has stopped. ${unindexed} deliveries are not indexed and would be missing. Restart Tabscope, or remove text and IDs from the filter.`,
        { retry: 'later' },
      )
    }
    await sleep(25)
    throwIfCancelled()
  }
}
