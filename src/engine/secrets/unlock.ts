import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../context.ts'
import type { SecretBox } from '../ports.ts'

/** How long (ms) opening the engine waits for the system's keyring, which mostly answers at once. */
const OPENING_MS = 3_000

/** Resolves when secrets can be unsealed, or after some seconds. False: they still cannot be. */
export async function unlockedSoon({ unlocked }: SecretBox): Promise<boolean> {
  if (unlocked === undefined) return true
  const over = new AbortController()
  const timeout = delay(OPENING_MS, false, { signal: over.signal }).catch(() => false)
  const isUnlocked = await Promise.race([unlocked.then(() => true), timeout])
  over.abort()
  return isUnlocked
}

/** Opens every secret and token that could not be opened while the keyring was locked, and tells the threads and the interface. */
export async function openLocked(context: Context): Promise<void> {
  const { integrations, registry, bus, tokens } = context
  for (const { id } of integrations.views()) await integrations.put(integrations.stored(id))
  for (const { id } of registry.views()) await registry.put(registry.stored(id))
  await context.configureThreads()
  await tokens.reopen()
  context.secretsLocked = false
  bus.push('integrations.changed', integrations.views())
  bus.push('endpoints.changed', registry.views())
  bus.push('secrets.changed', { locked: false })
}
