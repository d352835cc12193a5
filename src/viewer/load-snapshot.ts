import { useSettings } from '#renderer/state/settings.ts'
import { showSnapshot, useShell } from '#renderer/state/app.ts'
import { sentence } from '#renderer/platform/call-error.ts'
import type { Client } from '#renderer/platform/client.ts'

/** Loads the only snapshot. The stores for data of a running Tabscope stay empty. */
export function loadSnapshot(client: Client): void {
  client.onConnection((connection) => useShell.setState({ connection }))
  client.onReload(() => {
    client.call('app.snapshot', {}).then(
      (snapshot) => {
        useSettings.setState({ settings: snapshot.settings })
        showSnapshot(snapshot)
      },
      (error: unknown) => useShell.setState({ failure: sentence(error) }),
    )
  })
}
