import type { TunnelView, TunnelSetup } from '#contract/tunnel.ts'
import { AppError } from '#engine/errors.ts'
import { say, writeJson } from './output.ts'
import type { Session } from './session.ts'
import { interstitialWarning, tunnelLines, tunnelOutput } from './tunnel-text.ts'

/**
 * Opens the tunnel that is wanted, and prints each change of its state, address and warnings from now on. Without one it prints those of the
 * tunnel that opens automatically, if any. Throws as `tunnel.open`.
 */
export async function followTunnel(
  engine: Pick<Session, 'call' | 'on'>,
  wish: TunnelSetup | undefined,
  slug: string | null,
  json: boolean,
): Promise<void> {
  const report = reporter(slug, json)
  engine.on('tunnel.changed', report)
  if (wish) {
    const { serverNotice } = await import('./tunnel-option.ts')
    const notice = serverNotice(wish)
    if (notice !== null) say(notice)
    report(await engine.call('tunnel.open', { wish, temporary: true, acceptServer: true }))
  } else {
    const { tunnel } = await engine.call('app.snapshot', {})
    if (tunnel.using) report(tunnel)
  }
}

/** Prints a view where it differs from the one before. */
export function reporter(slug: string | null, json: boolean): (view: TunnelView) => void {
  let before = ''
  let warned: string | null = null
  return (view) => {
    const { state, url, since, cause, reason, warnings, browser } = view
    const now = JSON.stringify([state, url, since, cause, reason, warnings])
    if (now !== before) {
      before = now
      if (json) writeJson(tunnelOutput(view, slug))
      else for (const line of tunnelLines(view, slug)) say(line)
    }
    // Known only after it is online; once for each address.
    if (json || browser !== 'interstitial' || url === warned) return
    warned = url
    say(interstitialWarning)
  }
}

/**
 * Reports what happens to a tunnel from its `open` on, in order: nothing of the tunnel before it, and nothing after the first `online` or
 * `offline`, which is returned. Throws as `open`, and `connection_lost` when Tabscope ends.
 */
export async function followOpening(
  session: Pick<Session, 'call' | 'on' | 'gone'>,
  open: () => Promise<TunnelView>,
  report: (view: TunnelView) => void,
): Promise<TunnelView> {
  const settled = Promise.withResolvers<TunnelView>()
  let state: 'before' | 'opening' | 'changed' | 'settled' = 'before'
  const take = (view: TunnelView): void => {
    if (state === 'settled') return
    report(view)
    if (view.state !== 'online' && view.state !== 'offline') return
    state = 'settled'
    settled.resolve(view)
  }
  session.on('tunnel.changed', (view) => {
    // Until the response it may be about the tunnel before.
    if (state === 'before') return
    if (state === 'opening') state = 'changed'
    take(view)
  })
  void session.gone.then(() =>
    settled.reject(new AppError('connection_lost', 'Tabscope has ended, and its tunnel with it.')),
  )
  // It is awaited later; until then nobody handles a rejection.
  settled.promise.catch(() => undefined)
  const first = await open()
  state = 'opening'
  take(first)
  // A change may have been pushed before the response.
  const { tunnel } = await session.call('app.snapshot', {})
  if (state === 'opening') take(tunnel)
  return settled.promise
}
