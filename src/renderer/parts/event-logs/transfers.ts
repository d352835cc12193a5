import type { LogExport, LogsView, EventLog } from '#contract/logs.ts'
import type { Client } from '#client/client.ts'
import { toastError } from '#kit/toasts.ts'
import { isTransferActive, type Transfer, useLogs } from '#client/state/logs.ts'
import { escapeControls, shortText } from '#kit/text/visible.ts'
import { describeExport, describeImport, shareOf } from './labels.ts'
import { plural } from '#shared/text/format.ts'
import { confirm } from '#kit/Confirm.tsx'

/** Cancels a transfer and dismisses it. Nothing of it is stored. */
export function cancelTransfer(client: Client, transfer: Transfer): void {
  const { direction, of } = transfer
  const call = direction === 'export' ? 'logs.cancelExport' : 'logs.cancelImport'
  client.call(call, { id: of.id }).then(({ state }) => {
    if (state === 'cancelled') dismissTransfer(client, transfer)
  }, toastError)
}

/** Dismisses a finished transfer: immediately in the interface, then in the engine. */
export function dismissTransfer(client: Client, { direction, of }: Transfer): void {
  if (direction === 'export') {
    useLogs.setState(({ exports }) => ({ exports: exports.filter(({ id }) => id !== of.id) }))
    client.call('logs.dismissExport', { id: of.id }).catch(toastError)
  } else {
    useLogs.setState(({ imports }) => ({ imports: imports.filter(({ id }) => id !== of.id) }))
    client.call('logs.dismissImport', { id: of.id }).catch(toastError)
  }
}

/** The title of a transfer: "Exporting tabscope-2026-11-21-1430.ndjson", "Imported from-the-pub.ndjson". */
export function transferTitle({ direction, of }: Transfer): string {
  const name = escapeControls(of.name)
  const [running, done, failed] =
    direction === 'export'
      ? ['Exporting', 'Exported', 'could not be exported']
      : ['Importing', 'Imported', 'could not be imported']
  switch (of.state) {
    case 'running':
      return `${running} ${name}`
    case 'done':
      return `${done} ${name}`
    case 'cancelled':
      return name
    case 'failed':
      return `${name} ${failed}`
  }
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
