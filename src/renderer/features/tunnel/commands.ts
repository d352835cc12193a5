import { sentence } from '../../platform/call-error.ts'
import type { TunnelWarning, TunnelSetup } from '#contract/tunnel.ts'
import type { Client } from '../../platform/client.ts'
import { copyText } from '../../platform/clipboard.ts'
import { say } from '../../platform/toasts.ts'
import { confirmServer, unconfirmedServer } from '../targets/index.ts'

// What comes of each is told by `tunnel.changed`: an answer could be older than what was pushed since.

/** By the stored setup. */
export function openTunnel(client: Client): Promise<void> {
  return openConfirmed(client).then(() => undefined, refused)
}

/**
 * Opens the tunnel; without `wish` by the stored setup. A public server run by volunteers is asked about once. False: the user does not
 * want to use it. Rejects as `tunnel.open`.
 */
export async function openConfirmed(client: Client, wish?: TunnelSetup): Promise<boolean> {
  const input = wish ? { wish } : {}
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
  return client.call('tunnel.close', {}).then(() => undefined, refused)
}

/** Tries, or probes, now. */
export function checkTunnel(client: Client): Promise<void> {
  return client.call('tunnel.check', {}).then(() => undefined, refused)
}

/** Copies a public address, and remembers that it is what the dashboard has from now on. Rejects when it could not be copied. */
export async function copyPublic(client: Client, url: string): Promise<void> {
  await copyText(url)
  client.call('tunnel.copied', { url }).catch(refused)
}

/** The user has seen it. */
export function dismissWarning(client: Client, kind: TunnelWarning['kind']): Promise<void> {
  return client.call('tunnel.dismiss', { kind }).then(() => undefined, refused)
}

function refused(error: unknown): void {
  say('invalid', sentence(error), { about: 'tunnel' })
}
