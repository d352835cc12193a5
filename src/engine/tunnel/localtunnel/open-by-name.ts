import { setTimeout as pause } from 'node:timers/promises'
import type { ProviderWorld, TunnelSigns } from '../provider.ts'
import type { ClientData } from './messages.ts'
import { openClient, stopped, type OpenClient } from './open-client.ts'

/** The server keeps a name for a second after the last connection of its client is gone. */
const nameKeptMs = 1300

/**
 * Opens a tunnel, and where another name was given than was asked for, closes it and asks once more, a little later: most often it is we ourselves who
 * had that name a moment ago. Rejects with `TunnelFailure`.
 */
export async function openByName(
  world: ProviderWorld,
  wish: ClientData,
  signs: TunnelSigns,
  signal: AbortSignal,
): Promise<OpenClient> {
  const other = new AbortController()
  const client = await openClient(world, wish, signs, AbortSignal.any([signal, other.signal]))
  if (wish.name === null || wish.name === client.id || signal.aborted) return client
  other.abort()
  await client.closed
  try {
    await pause(nameKeptMs, undefined, { signal })
  } catch {
    throw stopped()
  }
  return openClient(world, wish, signs, signal)
}
