import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Endpoint, ListenerState } from '#contract/models.ts'
import type { TunnelWish } from '#contract/tunnel.ts'
import type { Engine } from '#engine/engine.ts'
import { AppError } from '#engine/errors.ts'
import { startForwarding, type ForwardWish } from '../forwarding.ts'
import { folderOf } from '../options.ts'
import { openLasting } from '../session.ts'
import { commandWith } from '../options.ts'
import { say, writeJson } from '../output.ts'
import { followTunnel } from '../tunnel-follow.ts'
import { UsageError } from '../usage-error.ts'

export interface Running {
  readonly engine: Engine
  readonly listener: ListenerState
  readonly endpoint: Endpoint | null
}

/**
 * The data folder of this run. With `--ephemeral` a new temporary one, which is removed when the process ends, also by a second Ctrl+C or an
 * error. Throws `UsageError`.
 */
export function runFolder(
  values: Parameters<typeof folderOf>[0] & { readonly ephemeral?: boolean | undefined },
): string {
  if (!values.ephemeral) return folderOf(values)
  if (values.data !== undefined || values['data-dir'] !== undefined) {
    throw new UsageError('Use --data or --ephemeral, not both.')
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'tabscope-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/**
 * Opens the engine with its listener and its control socket, and sets the default endpoint's secret when one is given. Throws `AppError` when a port that was
 * asked for cannot be had.
 */
export async function startRunning(options: {
  dataDir: string
  port: number | undefined
  secret: string | undefined
  /** What `--tunnel` says: with any word the stored one is not opened by itself. */
  tunnel: TunnelWish | 'none' | undefined
  opensBrowser?: boolean
  /** Of the command: with them it is said how to use a free port where the one asked for is taken. */
  command: readonly [name: string, args: string[]]
}): Promise<Running> {
  const engine = await openLasting({
    dataDir: options.dataDir,
    listenerPort: options.port,
    tunnel: options.tunnel === undefined ? undefined : 'none',
    opensBrowser: options.opensBrowser,
  })
  try {
    const first = (await engine.call('app.snapshot', {})).endpoints[0] ?? null
    const endpoint =
      first && options.secret !== undefined
        ? await engine.call('endpoints.rotateSecret', {
            id: first.id,
            secret: options.secret,
            // Only the secret of the command counts: a signature under an older one must not pass.
            keepPrevious: false,
          })
        : first
    const { listener } = await engine.call('app.snapshot', {})
    if (listener.state === 'failed' && options.port !== undefined) {
      const code = listener.code === 'internal' ? 'listener_down' : listener.code
      throw new AppError(code, failedListener(listener, options.command))
    }
    return { engine, listener, endpoint }
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** Why there is no listener, with the command that uses a free port. */
export function failedListener(
  { message, freePort }: Extract<ListenerState, { state: 'failed' }>,
  [name, args]: readonly [name: string, args: string[]],
  option = 'port',
): string {
  if (freePort === null) return message
  return `${message} To use it: ${commandWith(name, args, option, String(freePort))}`
}

/** Where the listener and the default endpoint are, for the first line of output. */
export function addresses({ listener, endpoint }: Running): {
  listener: string | null
  endpoint: string | null
} {
  const origin = listener.state === 'listening' ? listener.origin : null
  return {
    listener: origin,
    endpoint: origin && endpoint ? `${origin}/hooks/${endpoint.slug}` : null,
  }
}

/** Tells while deliveries cannot be kept or shown, and once they can again. */
export function warnWhileFailing({ engine, listener }: Running, json: boolean): void {
  let told: string | null = null
  const tell = (state: ListenerState): void => {
    const failing = state.state === 'listening' ? state.failing : null
    if (failing === told) return
    told = failing
    if (json) writeJson({ event: 'storage', failing })
    else say(failing === null ? 'Deliveries are kept and shown again.' : `Warning: ${failing}`)
  }
  engine.on('listener.changed', tell)
  tell(listener)
}

/** Forwards as the options ask; an engine that cannot is closed. `tells`: of each attempt. Throws as `forwards.add`. */
export async function beginForwarding(
  { engine, endpoint }: Running,
  wish: ForwardWish,
  json: boolean,
  tells = true,
): Promise<void> {
  try {
    await startForwarding(engine, endpoint, wish, { json, tells })
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** Opens the tunnel that the options ask for, and tells of it; an engine that cannot is closed. After the first line of output. */
export async function beginTunnel(
  { engine, endpoint }: Running,
  wish: TunnelWish | 'none' | undefined,
  json: boolean,
): Promise<void> {
  try {
    // None for now: one may still be opened from elsewhere.
    const first = wish === 'none' ? undefined : wish
    await followTunnel(engine, first, endpoint?.slug ?? null, json)
  } catch (error) {
    await engine.close()
    throw error
  }
}
