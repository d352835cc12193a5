import { visible } from '../../components/text/visible.ts'
import type { Transfer } from './store.ts'
import { describeExport, describeImport, shareOf } from './labels.ts'

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
