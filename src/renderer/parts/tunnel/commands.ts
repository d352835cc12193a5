import { messageOf } from '#kit/use-action.ts'
import type { TunnelWarning, TunnelSetup } from '#contract/tunnel.ts'
import type { Client } from '#client/client.ts'
import { useClient } from '#client/use-client.ts'
import type { Bindings } from '#client/command-registry.ts'
import { useMainEndpoint } from '#client/state/live-values.ts'
import { useTunnel } from '#client/state/tunnel.ts'
import { checkLabel, publicUrl } from '#client/state/tunnel-labels.ts'
import { copyText } from '#kit/clipboard.ts'
import { toast } from '#kit/toasts.ts'
import { confirmServer, unconfirmedServer } from '#parts/send/ConfirmTarget.tsx'

// The results arrive with `tunnel.changed`. The responses are ignored, because a newer push may have arrived before them.

/** Opens the tunnel with the stored setup. */
export function openTunnel(client: Client): Promise<void> {
  return openConfirmed(client).then(() => undefined, showError)
}

/**
 * Opens the tunnel, with the stored setup if `setup` is omitted. Asks once before a public server run by volunteers is used. Returns false if
 * the user declined. Rejects if `tunnel.open` rejects.
 */
export async function openConfirmed(client: Client, setup?: TunnelSetup): Promise<boolean> {
  const input = setup ? { setup } : {}
  try {
    await client.call('tunnel.open', input)
  } catch (error) {
    const server = unconfirmedServer(error)
    if (server === null) throw error
    if (!(await confirmServer(server))) return false
    await client.call('tunnel.open', { ...input, acceptServer: true })
  }
  return true
}

export function closeTunnel(client: Client): Promise<void> {
  return client.call('tunnel.close', {}).then(() => undefined, showError)
}

/** Connects or runs a self-probe now. */
export function checkTunnel(client: Client): Promise<void> {
  return client.call('tunnel.check', {}).then(() => undefined, showError)
}

/** Copies a public URL, and records that the dashboard probably has it now. Rejects if it cannot be copied. */
export async function copyPublic(client: Client, url: string): Promise<void> {
  await copyText(url)
  client.call('tunnel.copied', { url }).catch(showError)
}

export function dismissWarning(client: Client, kind: TunnelWarning['kind']): Promise<void> {
  return client.call('tunnel.dismiss', { kind }).then(() => undefined, showError)
}

/** The tunnel commands that are currently available, on every page. */
export function useTunnelCommands(): Bindings {
  const client = useClient()
  const view = useTunnel((state) => state.view)
  const first = useMainEndpoint()
  if (view === null) return {}
  const url = view.url !== null && first ? publicUrl(view.url, first.slug) : null
  return {
    ...(view.state === 'off'
      ? { 'tunnel-open': () => void openTunnel(client) }
      : { 'tunnel-close': () => void closeTunnel(client) }),
    ...(checkLabel(view) !== null && { 'tunnel-check': () => void checkTunnel(client) }),
    ...(url !== null && {
      'tunnel-copy': () =>
        void copyPublic(client, url).then(
          () => toast('valid', 'Public webhook URL copied.', { about: 'tunnel' }),
          () => toast('invalid', 'Could not copy the public webhook URL.', { about: 'tunnel' }),
        ),
    }),
  }
}

function showError(error: unknown): void {
  toast('invalid', messageOf(error), { about: 'tunnel' })
}
