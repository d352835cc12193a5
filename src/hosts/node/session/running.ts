import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { CliEvent, CliLine } from '#contract/cli-output.ts'
import { describeDamage } from '#contract/damaged-file.ts'
import type { HoldState } from '#contract/hold.ts'
import type { DamagedFile, Endpoint, ListenerState } from '#contract/models.ts'
import type { TunnelSetup } from '#contract/tunnel.ts'
import type { Engine } from '#engine/app/engine.ts'
import { AppError } from '#engine/platform/errors.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { defineCommand, type Example } from '../command-line/command.ts'
import { dataFolder, globals } from '../command-line/globals.ts'
import { collect, integer, port, secretFrom } from '../command-line/values.ts'
import { confirming } from '../command-line/confirm.ts'
import { printMessage, writeJson } from '../output/output.ts'
import { openLasting } from './session.ts'
import { UsageError } from '../command-line/errors.ts'
import { io } from '../command-line/io.ts'

// Shared by `serve` and `listen`: their options, and the engine that runs until it is stopped.

export function runningCommand(
  name: string,
  description: string,
  examples: readonly [Example, Example, ...Example[]],
) {
  return defineCommand(name, description, examples)
    .option('--port <port>', 'Port of the listener (0: any free port)', port('--port'))
    .option('--secret <secret>', 'Secret of the default endpoint')
    .option('--secret-env <name>', 'Environment variable that holds the secret')
    .option('--ephemeral', 'Use a temporary data folder that is deleted at exit')
    .option('--forward-to <url>', 'Forward deliveries to this URL (repeatable)', collect)
    .option('--forward-types <types>', 'Forward only these event types, separated by commas')
    .option('--forward-return', "Return the target's response to the sender")
    .option(
      '--forward-retries <count>',
      'Retries of a failed attempt, 0 to 20',
      integer('--forward-retries', 0, 20),
    )
    .option('--allow-target', 'Allow a target outside the local network')
    .option(
      '--tunnel <tunnel>',
      'Open a tunnel: localtunnel[:SUBDOMAIN][@HOST], manual:URL, cloudflared, ngrok[:DOMAIN] or none',
    )
}

export type RunValues = ReturnType<ReturnType<typeof runningCommand>['opts']>

interface ForwardRequest {
  readonly urls: readonly string[]
  /** Empty: all. */
  readonly types: string[]
  readonly mode: 'after' | 'return'
  readonly retries: number
  readonly allowed: boolean
}

export interface RunRequest {
  readonly dataDir: string
  readonly port: number | undefined
  readonly secret: string | undefined
  readonly forwarding: ForwardRequest
  /** `none`: open no tunnel; undefined: as stored. */
  readonly tunnel: TunnelSetup | 'none' | undefined
}

/** With `--ephemeral` it creates the data folder. Throws `UsageError`. */
export async function runRequest(values: RunValues): Promise<RunRequest> {
  const { tunnelSetupOf } = await import('../command-line/tunnel-option.ts')
  return {
    port: values.port,
    secret: secretFrom('secret', values.secret, values.secretEnv),
    forwarding: await forwardRequest(values),
    tunnel: tunnelSetupOf(values.tunnel),
    dataDir: runFolder(values.ephemeral ?? false),
  }
}

export async function forwardRequest(
  values: Pick<
    RunValues,
    'forwardTo' | 'forwardTypes' | 'forwardReturn' | 'forwardRetries' | 'allowTarget'
  >,
): Promise<ForwardRequest> {
  const { forwardTo: urls = [], forwardTypes, forwardRetries: retries = 0 } = values
  const returns = values.forwardReturn ?? false
  if (urls.length === 0 && (forwardTypes !== undefined || returns || retries > 0)) {
    throw new UsageError(
      '--forward-types, --forward-return and --forward-retries require --forward-to URL.',
    )
  }
  if (urls.length > 1 && returns) {
    throw new UsageError(
      'Only one response can be returned: use --forward-return with one --forward-to.',
    )
  }
  const { typesOf } = await import('../command-line/forwarding.ts')
  return {
    urls,
    types: typesOf(forwardTypes),
    mode: returns ? 'return' : 'after',
    retries,
    allowed: values.allowTarget ?? false,
  }
}

/** Absolute. An ephemeral folder is deleted when the process exits, even after a second Ctrl+C or an error. Throws `UsageError`. */
export function runFolder(ephemeral: boolean): string {
  if (!ephemeral) return dataFolder()
  if (globals.data !== undefined) {
    throw new UsageError('Use --data or --ephemeral, not both.')
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'tabscope-'))
  io.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

export interface Running {
  readonly engine: Engine
  readonly listener: ListenerState
  readonly endpoint: Endpoint | null
  readonly damagedFiles: DamagedFile[]
}

/** With the control socket, and the secret of the default endpoint if given. Throws `AppError` if the listener cannot use the given port. */
export async function startRunning(
  { dataDir, port: listenerPort, secret, tunnel }: RunRequest,
  program: string,
  options: { opensBrowser?: boolean } = {},
): Promise<Running> {
  const engine = await openLasting(
    {
      dataDir,
      listenerPort,
      tunnel: tunnel === undefined ? undefined : 'none',
      opensBrowser: options.opensBrowser,
    },
    program,
  )
  return closedOnError(engine, async () => {
    const first = (await engine.call('app.snapshot', {})).endpoints[0] ?? null
    const endpoint =
      first && secret !== undefined
        ? await engine.call('endpoints.rotateSecret', {
            id: first.id,
            secret,
            // Only the secret of the command counts: a signature under an older one must not pass.
            keepPrevious: false,
          })
        : first
    const { listener, damagedFiles } = await engine.call('app.snapshot', {})
    if (listener.state === 'failed' && listenerPort !== undefined) {
      const code = listener.code === 'internal' ? 'listener_down' : listener.code
      throw new AppError(code, await failedListener(listener))
    }
    return { engine, listener, endpoint, damagedFiles }
  })
}

export function damageLines(files: readonly DamagedFile[]): string[] {
  return files.map((file) => `${describeDamage(file)} The damaged file is kept: ${file.path}`)
}

async function closedOnError<T>(engine: Engine, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** With a command line that uses a free port. `option`: the option for the port. */
export async function failedListener(
  { message, freePort }: Extract<ListenerState, { state: 'failed' }>,
  option = '--port',
): Promise<string> {
  if (freePort === null) return message
  const words = io.argv.slice(2)
  return `${message} To use it: ${await commandLineWith(words, option, String(freePort))}`
}

/** To be shown, with a different value of an option, and `…` for `--secret`. */
export async function commandLineWith(
  words: readonly string[],
  option: string,
  value: string,
): Promise<string> {
  const { plainOrQuoted } = await import('#engine/platform/posix-quote.ts')
  const shown: string[] = ['tabscope']
  const replaced: Readonly<Record<string, string>> = { [option]: value, '--secret': '…' }
  let isGiven = false
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? ''
    const [name = '', inline] = word.split('=', 2)
    const replacement = replaced[name]
    isGiven ||= name === option
    if (replacement === undefined) {
      shown.push(/^--[a-z-]+$/.test(word) ? word : plainOrQuoted(word))
    } else if (inline === undefined) {
      shown.push(name, replacement)
      index += 1
    } else shown.push(`${name}=${replacement}`)
  }
  return (isGiven ? shown : [...shown, option, value]).join(' ')
}

/** For the first line of output. */
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

/** With `--json` an object on stdout, else messages on stderr. */
export function announce<E extends CliEvent>(
  event: E,
  value: CliLine<E>,
  lines: readonly string[],
): void {
  if (globals.json) writeJson(event, value)
  else for (const line of lines) printMessage(line)
}

/** Deliveries cannot be stored or shown, or can again. */
export function warnWhileFailing({ engine, listener }: Running): void {
  let reported: string | null = null
  const report = (state: ListenerState): void => {
    const failing = state.state === 'listening' ? state.failing : null
    if (failing === reported) return
    reported = failing
    const line = failing === null ? 'Deliveries are stored and shown again.' : `Warning: ${failing}`
    announce('storage', { failing }, [line])
  }
  engine.on('listener.changed', report)
  report(listener)
}

/** Deliveries as they are held, and those that are held again since the last time. */
export async function reportHeld({ engine }: Running): Promise<void> {
  let known: ReadonlySet<number> = new Set()
  const report = ({ held }: HoldState): void => {
    for (const each of held) {
      const { deliveryId, at, reason } = each
      if (known.has(deliveryId)) continue
      const where = at === 'forward' ? 'before forwarding' : 'before the response'
      announce('held', each, [
        escapeControls(
          `Delivery ${deliveryId} is held ${where}.${reason === null ? '' : ` ${reason}`} To release it: tabscope hold release ${deliveryId}`,
        ),
      ])
    }
    known = new Set(held.map(({ deliveryId }) => deliveryId))
  }
  engine.on('hold.changed', report)
  report(await engine.call('hold.state', {}))
}

/** While this engine runs. Throws like `forwards.add`. */
export async function startForwarding(
  { engine, endpoint }: Running,
  { urls, types, mode, retries, allowed }: ForwardRequest,
): Promise<void> {
  if (urls.length === 0) return
  await closedOnError(engine, async () => {
    if (!endpoint) throw new UsageError('No endpoint to forward from.')
    for (const url of urls) {
      await confirming(engine, { allowed, asks: !globals.json }, () =>
        engine.call('forwards.add', {
          endpointId: endpoint.id,
          url,
          types,
          mode,
          retries,
          temporary: true,
        }),
      )
    }
  })
}

/** Call it after the first line of output. */
export async function startTunnel(
  { engine, endpoint }: Running,
  tunnel: RunRequest['tunnel'],
): Promise<void> {
  const { followTunnel } = await import('./tunnel-follow.ts')
  await closedOnError(engine, () =>
    // With `none`, a tunnel can still be opened from the interface.
    followTunnel(
      engine,
      tunnel === 'none' ? undefined : tunnel,
      endpoint?.slug ?? null,
      globals.json,
    ),
  )
}
