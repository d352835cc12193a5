import { Icons, type Icon } from '#kit/icons.tsx'
import { removedLabel } from '#contract/constants.ts'
import type { EventLog, LogExport, LogImport, LogsView } from '#contract/logs.ts'
import { formatCount, formatSize, plural } from '#shared/text/format.ts'
import { clockMinutes, dayDate, shortDate } from '#kit/text/time.ts'
import type { Client } from '#client/client.ts'
import { toastError } from '#kit/toasts.ts'
import { isTransferActive, type Transfer, useLogs } from '#client/state/logs.ts'
import { escapeControls, shortText } from '#kit/text/visible.ts'
import { confirm } from '#kit/Confirm.tsx'

interface StateLabel {
  readonly word: string
  /** What the state means, as a sentence. */
  readonly about: string
  readonly tone: 'valid' | 'warning' | 'invalid' | 'unsigned'
  readonly icon: Icon
}

/** The integrity of a log, as determined from its last line. */
export const logStateLabels = {
  complete: {
    word: 'Complete',
    about: 'The file is complete and unchanged since export.',
    tone: 'valid',
    icon: Icons.BadgeCheck,
  },
  cut_off: {
    word: 'Truncated',
    about: 'The end of the file is missing. Everything before it was imported.',
    tone: 'warning',
    icon: Icons.Scissors,
  },
  changed: {
    word: 'Changed',
    about: 'The file was edited after export, so do not rely on it.',
    tone: 'invalid',
    icon: Icons.FilePenLine,
  },
  unverified: {
    word: 'Unverified',
    about: 'The file contains no proof that it is complete.',
    tone: 'unsigned',
    icon: Icons.CircleDashed,
  },
} as const satisfies Record<EventLog['state'], StateLabel>

/** `21 Nov, 21:09 to 22 Nov, 00:12`, `21 Nov, 18:00 to 21:09`, or a single time if both are equal. */
export function timeSpan(firstAt: number | null, lastAt: number | null): string {
  if (firstAt === null || lastAt === null) return 'no times'
  const [first, last] = [shortDate(firstAt), shortDate(lastAt)]
  if (first === last) return first
  return `${first} to ${dayDate(firstAt) === dayDate(lastAt) ? clockMinutes(lastAt) : last}`
}

/** Whether a log is redacted, as text. */
export function redactionLabel(redacted: boolean | null): string {
  if (redacted === null) return 'redaction unknown'
  return redacted ? 'redacted' : 'not redacted'
}

/** How a log was redacted, as sentences; empty if it was not, or if that is unknown. */
export function redactionDetails({ redaction }: Pick<EventLog, 'redaction'>): string {
  if (redaction === null) return ''
  const { list, kept, masked, removed } = redaction
  return [
    `Redacted${list === null ? '' : ` with list ${list}`}: ${removedLabel(removed)}.`,
    ...(kept.length > 0 ? [`Kept: ${kept.join(', ')}.`] : []),
    ...(masked.length > 0 ? [`Masked: ${masked.join(', ')}.`] : []),
  ].join(' ')
}

function contentLabel({ deliveries, rehearsals = 0 }: LogExport): string {
  const more = rehearsals === 0 ? '' : `, ${plural(rehearsals, 'rehearsal', 'rehearsals')}`
  return `${plural(deliveries, 'delivery', 'deliveries')}${more}`
}

export function describeExport(of: LogExport): string {
  const size = formatSize(of.bytes)
  switch (of.state) {
    case 'running':
      return `${formatCount(of.deliveries)} of ${plural(of.total, 'delivery', 'deliveries')}, ${size}`
    case 'done':
      return `${contentLabel(of)}, ${size}, ${redactionLabel(of.redacted)}${of.redacted ? `: ${removedLabel(of.removed)}` : ''}`
    case 'cancelled':
      return 'Cancelled. The partial file was deleted.'
    case 'failed':
      return of.error ?? 'The export failed. The partial file was deleted.'
  }
}

export function describeImport(of: LogImport): string {
  switch (of.state) {
    case 'running': {
      const read = formatSize(of.read)
      const part = of.size === null ? `${read} read` : `${read} of ${formatSize(of.size)} read`
      return `${part}, ${plural(of.deliveries, 'delivery', 'deliveries')} so far`
    }
    case 'done':
      return of.known
        ? 'Already imported before. The existing log was not changed.'
        : `${plural(of.deliveries, 'delivery', 'deliveries')} imported`
    case 'cancelled':
      return 'Cancelled. Nothing was stored.'
    case 'failed':
      return of.error?.message ?? 'The import failed. Nothing was stored.'
  }
}

/** The progress from 0 to 1; null if the total is unknown. */
export function shareOf(done: number, all: number | null): number | null {
  return all === null || all <= 0 ? null : Math.min(1, done / all)
}

/** Cancels a transfer and dismisses it. Nothing of it is stored. */
export function cancelTransfer(client: Client, transfer: Transfer): void {
  const { direction, of } = transfer
  const call = direction === 'export' ? 'logs.cancelExport' : 'logs.cancelImport'
  client.call(call, { id: of.id }).then(({ state }) => {
    if (state === 'cancelled') dismissTransfer(client, transfer)
  }, toastError)
}

/** Dismisses a finished transfer: immediately in the interface, then in the engine. */
export function dismissTransfer(client: Client, { direction, of: { id } }: Transfer): void {
  const isExport = direction === 'export'
  useLogs.setState(({ exports, imports }) =>
    isExport
      ? { exports: exports.filter((each) => each.id !== id) }
      : { imports: imports.filter((each) => each.id !== id) },
  )
  client.call(isExport ? 'logs.dismissExport' : 'logs.dismissImport', { id }).catch(toastError)
}

/** The title of a transfer: "Exporting tabscope-2026-11-21-1430.ndjson", "Imported from-the-pub.ndjson". */
export function transferTitle({ direction, of }: Transfer): string {
  const name = escapeControls(of.name)
  const [running, done, failed] =
    direction === 'export'
      ? ['Exporting', 'Exported', 'could not be exported']
      : ['Importing', 'Imported', 'could not be imported']
  const titles = {
    running: `${running} ${name}`,
    done: `${done} ${name}`,
    cancelled: name,
    failed: `${name} ${failed}`,
  }
  return titles[of.state]
}

export function describeTransfer(transfer: Transfer): string {
  return transfer.direction === 'export' ? describeExport(transfer.of) : describeImport(transfer.of)
}

/** The progress from 0 to 1; null if the total is unknown. */
export function shareOfTransfer(transfer: Transfer): number | null {
  return transfer.direction === 'export'
    ? shareOf(transfer.of.deliveries, transfer.of.total)
    : shareOf(transfer.of.read, transfer.of.size)
}

/** Exports that were running when the engine ended. The restarted engine does not know them. */
export function interruptedExports(
  before: Pick<LogsView, 'exports'>,
  after: Pick<LogsView, 'exports'>,
): LogExport[] {
  const isKnown = (running: LogExport): boolean =>
    after.exports.some(({ id, startedAt }) => id === running.id && startedAt === running.startedAt)
  return before.exports.filter((entry) => isTransferActive(entry) && !isKnown(entry))
}

/** Removes a log after a confirmation. */
export function confirmRemoval(client: Client, log: EventLog, onRemoved: () => void): void {
  confirm({
    title: `Remove “${shortText(log.name, 120)}”?`,
    description: `Removes its ${plural(log.deliveries, 'delivery', 'deliveries')} from Tabscope. The original file is not changed and can be imported again.`,
    action: 'Remove',
    async run() {
      await client.call('logs.remove', { id: log.id })
      onRemoved()
    },
  })
}
