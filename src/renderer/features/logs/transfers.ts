import { sentence } from '../../platform/call-error.ts'
import type { Client } from '../../platform/client.ts'
import { say } from '../../platform/toasts.ts'
import { type Transfer, useLogs } from '../../state/logs.ts'
import { visible } from '../../ui/text/visible.ts'
import { describeExport, describeImport, shareOf } from './labels.ts'

/** Stops it; nothing of it stays, nor needs to be told to whoever stopped it. */
export function cancelTransfer(client: Client, transfer: Transfer): void {
  const { way, of } = transfer
  const call = way === 'export' ? 'logs.cancelExport' : 'logs.cancelImport'
  client.call(call, { id: of.id }).then(({ state }) => {
    if (state === 'cancelled') dismissTransfer(client, transfer)
  }, refused)
}

/** It need not be told of any more. Gone from here at once; the engine hears of it. */
export function dismissTransfer(client: Client, { way, of }: Transfer): void {
  if (way === 'export') {
    useLogs.setState(({ exports }) => ({ exports: exports.filter(({ id }) => id !== of.id) }))
    client.call('logs.dismissExport', { id: of.id }).catch(refused)
  } else {
    useLogs.setState(({ imports }) => ({ imports: imports.filter(({ id }) => id !== of.id) }))
    client.call('logs.dismissImport', { id: of.id }).catch(refused)
  }
}

function refused(error: unknown): void {
  say('invalid', sentence(error))
}

/** What it is: "Exporting tabscope-2026-11-21-1430.ndjson", "Imported from-the-pub.ndjson". */
export function transferTitle({ way, of }: Transfer): string {
  const name = visible(of.name)
  const [going, done, not] =
    way === 'export'
      ? ['Exporting', 'Exported', 'could not be exported']
      : ['Importing', 'Imported', 'could not be imported']
  switch (of.state) {
    case 'running':
      return `${going} ${name}`
    case 'done':
      return `${done} ${name}`
    case 'cancelled':
      return name
    case 'failed':
      return `${name} ${not}`
  }
}

/** How far it is, or what came of it. */
export function describeTransfer(transfer: Transfer): string {
  return transfer.way === 'export' ? describeExport(transfer.of) : describeImport(transfer.of)
}

/** How far, from 0 to 1; null: nobody knows. */
export function shareOfTransfer(transfer: Transfer): number | null {
  return transfer.way === 'export'
    ? shareOf(transfer.of.deliveries, transfer.of.total)
    : shareOf(transfer.of.read, transfer.of.size)
}
