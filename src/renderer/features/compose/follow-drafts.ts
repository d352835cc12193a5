import { sentence } from '../../platform/call-error.ts'
import type { Client } from '../../platform/client.ts'
import { look } from './look.ts'
import { flush } from './save.ts'
import { sessionNow, useCompose } from './store.ts'

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
