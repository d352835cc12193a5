import { useSettings } from '#renderer/state/settings.ts'
import { showSnapshot, useShell } from '#renderer/state/app.ts'
import { sentence } from '#renderer/platform/call-error.ts'
import type { Client } from '#renderer/platform/client.ts'

/** Takes in the one snapshot that there is. Whatever else the interface keeps of a running Tabscope stays empty here. */
export function takeIn(client: Client): void {
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
