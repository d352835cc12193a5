import type { TunnelView, TunnelSetup, TunnelWarning } from '#contract/tunnel.ts'
import { AppError } from '#engine/platform/errors.ts'
import { printMessage, writeJson } from '../output/output.ts'
import type { Session } from './session.ts'
import { handledLater } from '#shared/async/handled-later.ts'
import type { CliLine } from '#contract/cli-output.ts'
import { formatTime } from '../output/text.ts'
import { escapeControls } from '#shared/text/visible.ts'

/** Prints each change of state, address and warnings. Without `setup`: of the tunnel that opens automatically, if any. Throws like `tunnel.open`. */
export async function followTunnel(
  engine: Pick<Session, 'call' | 'on'>,
  setup: TunnelSetup | undefined,
  slug: string | null,
  json: boolean,
): Promise<void> {
  const report = reporter(slug, json)
  engine.on('tunnel.changed', report)
  if (setup) {
    const { serverNotice } = await import('../command-line/tunnel-option.ts')
    const notice = serverNotice(setup)
    if (notice !== null) printMessage(notice)
    report(await engine.call('tunnel.open', { setup, temporary: true, acceptServer: true }))
  } else {
    const { tunnel } = await engine.call('app.snapshot', {})
    if (tunnel.using) report(tunnel)
  }
}

/** Only views that differ from the previous one. */
export function reporter(slug: string | null, json: boolean): (view: TunnelView) => void {
  let before = ''
  return (view) => {
    const { state, url, since, cause, reason, warnings } = view
    const now = JSON.stringify([state, url, since, cause, reason, warnings])
    if (now === before) return
    before = now
    if (json) writeJson('tunnel', tunnelJson(view, slug))
    else for (const line of tunnelLines(view, slug)) printMessage(line)
  }
}

/** From `open` to the first `online` or `offline`, which is returned; none of the previous tunnel. Throws like `open`, and `connection_lost`. */
export async function followOpening(
  session: Pick<Session, 'call' | 'on' | 'gone'>,
  open: () => Promise<TunnelView>,
  report: (view: TunnelView) => void,
): Promise<TunnelView> {
  const settled = Promise.withResolvers<TunnelView>()
  let state: 'before' | 'opening' | 'changed' | 'settled' = 'before'
  const update = (view: TunnelView): void => {
    if (state === 'settled') return
    report(view)
    if (view.state !== 'online' && view.state !== 'offline') return
    state = 'settled'
    settled.resolve(view)
  }
  session.on('tunnel.changed', (view) => {
    // Before the response, views may be of the previous tunnel.
    if (state === 'before') return
    if (state === 'opening') state = 'changed'
    update(view)
  })
  void session.gone.then(() =>
    settled.reject(new AppError('connection_lost', 'Tabscope exited, which closed its tunnel.')),
  )
  handledLater(settled.promise)
  const first = await open()
  state = 'opening'
  update(first)
  // A change may have been pushed before the response.
  const { tunnel } = await session.call('app.snapshot', {})
  if (state === 'opening') update(tunnel)
  return settled.promise
}

/** `slug`: of the endpoint whose URL is included, or null. */
export function tunnelJson(view: TunnelView, slug: string | null): CliLine<'tunnel'> {
  return { ...view, endpoint: endpointAt(view.url, slug) }
}

export function tunnelLines(view: TunnelView, slug: string | null): string[] {
  const { state, url, reason, nextTryAt, warnings } = view
  const address = endpointAt(url, slug) ?? url
  return [
    `Tunnel ${state}${address === null ? '' : `: ${escapeControls(address)}`} – ${escapeControls(reason)}`,
    ...(nextTryAt === null ? [] : [`  Next try at ${formatTime(nextTryAt)}`]),
    ...warnings.map((warning) => `  Warning: ${escapeControls(warningText(warning, slug))}`),
  ]
}

function endpointAt(url: string | null, slug: string | null): string | null {
  return url === null || slug === null ? null : `${url}/hooks/${slug}`
}

export function warningText(warning: TunnelWarning, slug: string | null): string {
  switch (warning.kind) {
    case 'assigned': {
      const by = warning.by === 'user' ? 'requested' : 'used last time'
      return `${warning.assigned} was assigned, not ${warning.requested} as ${by}. Tabscope does not receive webhooks to the old address.`
    }
    case 'address_changed':
      return `the dashboard still has the old address ${warning.old}. Replace it with ${endpointAt(warning.now, slug) ?? warning.now}.`
  }
}
