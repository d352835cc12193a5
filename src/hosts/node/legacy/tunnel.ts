import type { TunnelView, TunnelWish } from '#contract/tunnel.ts'
import { AppError } from '#engine/errors.ts'
import { inSession, readSession } from '../in-session.ts'
import { parse, wholeNumber } from '../options.ts'
import { confirms, say, writeJson, writeLine } from '../output.ts'
import type { Session } from '../session.ts'
import { timeOf } from '../time-option.ts'
import { serverNotice, tunnelWish } from '../tunnel-option.ts'
import { teller } from '../tunnel-follow.ts'
import { slugOf, tellTunnel } from '../tunnel-told.ts'
import { sizeText, unstopped } from '../text.ts'
import { sizeLine, spanLine } from '../tunnel-text.ts'
import { printable } from '../../printable.ts'
import { UsageError } from '../usage-error.ts'
import { copied, dismiss } from './tunnel-seen.ts'

const verbs: Readonly<Record<string, (args: string[]) => Promise<number>>> = {
  status,
  open,
  close,
  check,
  sizes,
  history,
  providers,
  copied,
  dismiss,
}

/** `tunnel status|open|close|check|sizes|history|providers|copied|dismiss`: the tunnel of the Tabscope that runs on the folder. */
export async function tunnel([verb, ...args]: string[]): Promise<number> {
  const run = Object.entries(verbs).find(([name]) => name === verb)?.[1]
  if (run) return run(args)
  throw new UsageError(`tunnel needs one of: ${Object.keys(verbs).join(', ')}.`)
}

async function status(args: string[]): Promise<number> {
  const { values } = parse(args, {})
  return readSession(values, async (session) => {
    tellTunnel((await session.call('app.snapshot', {})).tunnel, await slugOf(session), values.json)
    return 0
  })
}

/** Waits until it is known what becomes of it: 0 when it is online, 1 when it is offline. */
async function open(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, { yes: { type: 'boolean' } }, 1)
  const wish = tunnelWish(positionals[0])
  if (wish === 'none') throw new UsageError('To close the tunnel: tabscope tunnel close.')
  return inSession(values, async (session) => {
    assertRunning(session)
    const told = teller(await slugOf(session), values.json ?? false)
    let isTold = false
    const settled = new Promise<TunnelView>((resolve) => {
      session.on('tunnel.changed', (view) => {
        isTold = true
        told(view)
        if (view.state === 'online' || view.state === 'offline') resolve(view)
      })
    })
    const begun = await openConfirmed(session, wish, values.yes ?? false)
    // A push may be newer than the response.
    if (!isTold) told(begun)
    // Open already, and as it was asked for: nothing more will be told.
    const { state } = begun.state === 'online' ? begun : await settled
    return state === 'online' ? 0 : 1
  })
}

/** A provider that is named is consent to its server; the stored one is asked about once. Throws as `tunnel.open`. */
async function openConfirmed(
  session: Session,
  wish: TunnelWish | undefined,
  yes: boolean,
): Promise<TunnelView> {
  if (wish) {
    const notice = serverNotice(wish)
    if (notice !== null) say(notice)
    return session.call('tunnel.open', { wish, acceptServer: true })
  }
  try {
    return await session.call('tunnel.open', { acceptServer: yes })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'server_unconfirmed') throw error
    if (!(await confirms(`${error.message} Open the tunnel?`))) {
      throw new AppError('server_unconfirmed', `${error.message} Run: tabscope tunnel open --yes`, {
        cause: error,
      })
    }
    return session.call('tunnel.open', { acceptServer: true })
  }
}

async function close(args: string[]): Promise<number> {
  const { values } = parse(args, {})
  return inSession(values, async (session) => {
    tellTunnel(await session.call('tunnel.close', {}), null, values.json)
    return 0
  })
}

/** 0 when it is online, else 1. */
async function check(args: string[]): Promise<number> {
  const { values } = parse(args, {})
  return inSession(values, async (session) => {
    assertRunning(session)
    const view = await session.call('tunnel.check', {})
    tellTunnel(view, await slugOf(session), values.json)
    if (!values.json && view.probe) {
      say(
        `Self-probe: ${view.probe.ok ? 'came through' : printable(unstopped(view.probe.reason ?? 'failed'))}, ${Math.round(view.probe.ms)} ms`,
      )
    }
    return view.state === 'online' ? 0 : 1
  })
}

/** Each size as a line when it is known; 0 when all came through, else 1. */
async function sizes(args: string[]): Promise<number> {
  const { values } = parse(args, {})
  return inSession(values, async (session) => {
    assertRunning(session)
    let told = 0
    const probe = await new Promise<NonNullable<TunnelView['sizes']>>((resolve, reject) => {
      let begun = false
      const take = (view: TunnelView): void => {
        // What an earlier run found may still be in what was told before ours began.
        if (!begun || !view.sizes) return
        for (const step of view.sizes.steps.slice(told)) {
          if (values.json) writeJson({ event: 'size', ...step })
          else writeLine(sizeLine(step))
        }
        told = Math.max(told, view.sizes.steps.length)
        if (!view.sizes.running) resolve(view.sizes)
      }
      session.on('tunnel.changed', take)
      const begin = async (): Promise<void> => {
        const view = await session.call('tunnel.probeSizes', {})
        begun = true
        take(view)
      }
      begin().catch(reject)
    })
    if (values.json) writeJson({ event: 'sizes', ...probe })
    else if (probe.stopsAt === null)
      say(`Bodies up to ${sizeText(probe.largest ?? 0)} come through.`)
    else {
      const through =
        probe.largest === null
          ? 'None of these bodies comes through'
          : `Bodies up to ${sizeText(probe.largest)} come through`
      say(`${through}; ${sizeText(probe.stopsAt)} does not.`)
    }
    return probe.largest !== null && probe.stopsAt === null ? 0 : 1
  })
}

const dayMs = 86_400_000

async function history(args: string[]): Promise<number> {
  const { values } = parse(args, { since: { type: 'string' }, limit: { type: 'string' } })
  const now = Date.now()
  const since = timeOf('since', values.since, now) ?? now - dayMs
  const limit = wholeNumber('limit', values.limit, 1, 5000) ?? 1000
  return readSession(values, async (session) => {
    for (const span of await session.call('tunnel.history', { since, limit })) {
      if (values.json) writeJson({ event: 'span', ...span })
      else writeLine(spanLine(span))
    }
    return 0
  })
}

async function providers(args: string[]): Promise<number> {
  const { values } = parse(args, {})
  return inSession(values, async (session) => {
    for (const provider of await session.call('tunnel.providers', {})) {
      if (values.json) writeJson({ event: 'provider', ...provider })
      else {
        const state = provider.missing ?? provider.program ?? 'ready'
        writeLine(
          `${provider.id.padEnd(12)}  ${printable(provider.about)}\n${' '.repeat(14)}${printable(state)}`,
        )
      }
    }
    return 0
  })
}

/** A tunnel leads to a listener, and lasts as long as it. */
function assertRunning({ joined }: Session): void {
  if (joined) return
  throw new AppError(
    'listener_down',
    'No Tabscope runs on this data folder, so there is nothing to lead a tunnel to. Start one: tabscope listen --tunnel localtunnel',
  )
}
