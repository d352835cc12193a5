import type { CallInput } from '#contract/calls.ts'
import type { Client } from '../../../platform/client.ts'
import type { Wish } from './use-preview.ts'

/**
 * Begins it: the host asks where to where it has dialogs, else the browser takes it as a download, straight from the host, so that nothing of
 * it is held here. False: the user has changed their mind.
 */
export async function startExport(
  client: Client,
  wish: Wish,
  { name, dialogs }: { readonly name: string; readonly dialogs: boolean },
): Promise<boolean> {
  const to = { kind: dialogs ? 'ask' : 'pull', name } satisfies CallInput<'logs.export'>['to']
  const { export: begun, ticket } = await client.call('logs.export', { ...wish, to })
  if (ticket !== null) download(ticket, begun.name)
  return begun.state !== 'cancelled'
}

function download(ticket: string, name: string): void {
  const link = document.createElement('a')
  link.href = `/exports/${encodeURIComponent(ticket)}/${encodeURIComponent(name)}`
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
}
