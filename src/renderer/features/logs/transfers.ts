import { sentence } from '../../platform/call-error.ts'
import type { Client } from '../../platform/client.ts'
import { say } from '../shell/toasts.ts'
import type { Transfer } from './store.ts'
import { useLogs } from './store.ts'

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
