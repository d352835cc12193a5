import { formatSize as byteSize } from '#shared/text/format.ts'
import { draftBodyLimit } from '#contract/compose.ts'
import { sentence } from '../../../platform/call-error.ts'
import { useClient } from '../../../platform/use-client.ts'
import { say } from '../../../platform/toasts.ts'
import { openFile } from '../open.ts'
import type { Client } from '../../../platform/client.ts'
import { look } from '../look.ts'
import { flush } from '../save.ts'
import { sessionNow, useCompose } from '../store.ts'

/** Begins a draft with a file as its body; what goes wrong is said. */
export function useFileStart(): (file: File) => void {
  const client = useClient()
  return (file) => {
    if (file.size > draftBodyLimit) {
      say('invalid', `A body is at most ${byteSize(draftBodyLimit)} here.`)
      return
    }
    openFile(client, file).catch((error: unknown) => say('invalid', sentence(error)))
  }
}

/** Follows the drafts and all that a preview depends on. Called once, when the page is first shown. */
export function followDrafts(client: Client): void {
  client.on('drafts.changed', (drafts) => useCompose.setState({ drafts, draftsError: null }))
  client.onReload(() => {
    askForDrafts(client)
    look(client)
    // What was typed while there was no engine, or was lost on its way to it.
    void flush(client)
  })
  // Another secret signs otherwise, another address is another own listener.
  for (const name of ['endpoints.changed', 'integrations.changed', 'listener.changed'] as const) {
    client.on(name, () => sessionNow() && look(client))
  }
  window.addEventListener('pagehide', () => void flush(client))
  askForDrafts(client)
}

export function askForDrafts(client: Client): void {
  client.call('compose.list', {}).then(
    (drafts) => useCompose.setState({ drafts, draftsError: null }),
    (error: unknown) => useCompose.setState({ draftsError: sentence(error) }),
  )
}
