import type { TunnelView, TunnelWish } from '#contract/tunnel.ts'
import { say, writeJson } from './output.ts'
import type { Session } from './session.ts'
import { serverNotice } from './tunnel-option.ts'
import { pageInBetween, tunnelEvent, tunnelLines } from './tunnel-text.ts'

/**
 * Opens the tunnel that is wished for, and tells of each change of its state, address and warnings from now on. Without a wish it tells of
 * the one that opens by itself, where there is one. Throws as `tunnel.open`.
 */
export async function followTunnel(
  engine: Pick<Session, 'call' | 'on'>,
  wish: TunnelWish | undefined,
  slug: string | null,
  json: boolean,
): Promise<void> {
  const tell = teller(slug, json)
  engine.on('tunnel.changed', tell)
  if (wish) {
    const notice = serverNotice(wish)
    if (notice !== null) say(notice)
    tell(await engine.call('tunnel.open', { wish, temporary: true, acceptServer: true }))
  } else {
    const { tunnel } = await engine.call('app.snapshot', {})
    if (tunnel.using) tell(tunnel)
  }
}

/** Tells of a view when it says something else than the one before. */
export function teller(slug: string | null, json: boolean): (view: TunnelView) => void {
  let before = ''
  let warned: string | null = null
  return (view) => {
    const { state, url, since, cause, reason, warnings, browser } = view
    const now = JSON.stringify([state, url, since, cause, reason, warnings])
    if (now !== before) {
      before = now
      if (json) writeJson(tunnelEvent(view, slug))
      else for (const line of tunnelLines(view, slug)) say(line)
    }
    // Known only after it is online; once for each address.
    if (json || browser !== 'interstitial' || url === warned) return
    warned = url
    say(pageInBetween)
  }
}
