import { sentence } from '../../platform/call-error.ts'
import type { TunnelWarning } from '#contract/tunnel.ts'
import type { Client } from '../../platform/client.ts'
import { copyText } from '../../platform/clipboard.ts'
import { say } from '../shell/toasts.ts'

// What comes of each is told by `tunnel.changed`: an answer could be older than what was pushed since.

/** By the stored setup. */
export function openTunnel(client: Client): Promise<void> {
  return client.call('tunnel.open', {}).then(() => undefined, refused)
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
