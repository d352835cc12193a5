import { formatSize } from '#shared/text/format.ts'
import { draftBodyLimit } from '#contract/constants.ts'
import { sentence } from '../../../platform/call-error.ts'
import { useClient } from '../../../platform/use-client.ts'
import { say } from '../../../platform/toasts.ts'
import { openFile } from '../open.ts'
import type { Client } from '../../../platform/client.ts'
import { refreshPreview } from '../preview.ts'
import { flush } from '../save.ts'
import { sessionNow, useCompose } from '../store.ts'

/** Starts a draft with a file as its body. Shows errors as notifications. */
export function useFileStart(): (file: File) => void {
  const client = useClient()
  return (file) => {
    if (file.size > draftBodyLimit) {
      say(
        'invalid',
        `The file is too large. A body can have at most ${formatSize(draftBodyLimit)}.`,
      )
      return
    }
    openFile(client, file).catch((error: unknown) => say('invalid', sentence(error)))
  }
}

/** Keeps the drafts and the preview up to date. Called once, when the page is first shown. */
export function followDrafts(client: Client): void {
  client.on('drafts.changed', (drafts) => useCompose.setState({ drafts, draftsError: null }))
  client.onReload(() => {
    fetchDrafts(client)
    refreshPreview(client)
    // Save changes made while the engine was not reachable.
    void flush(client)
  })
  // Secrets and the listener address affect the preview.
  for (const name of ['endpoints.changed', 'integrations.changed', 'listener.changed'] as const) {
    client.on(name, () => sessionNow() && refreshPreview(client))
  }
  window.addEventListener('pagehide', () => void flush(client))
  fetchDrafts(client)
}

export function fetchDrafts(client: Client): void {
  client.call('compose.list', {}).then(
    (drafts) => useCompose.setState({ drafts, draftsError: null }),
    (error: unknown) => useCompose.setState({ draftsError: sentence(error) }),
  )
}
