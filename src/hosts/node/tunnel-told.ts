import type { TunnelView } from '#contract/tunnel.ts'
import { writeJson, writeLine } from './output.ts'
import type { Session } from './session.ts'
import { pageInBetween, sinceLine, tunnelEvent, tunnelLines } from './tunnel-text.ts'

/** Tells the state of the tunnel, for scripts or for people; `slug`: of the endpoint whose address is given with it, or null. */
export function tellTunnel(view: TunnelView, slug: string | null, json: boolean | undefined): void {
  if (json) {
    writeJson(tunnelEvent(view, slug))
    return
  }
  for (const line of tunnelLines(view, slug)) writeLine(line)
  if (view.state !== 'off') writeLine(sinceLine(view.since, Date.now()))
  if (view.browser === 'interstitial') writeLine(pageInBetween)
}

/** The slug of the first endpoint; null: there is none. */
export async function slugOf(session: Session): Promise<string | null> {
  return (await session.call('app.snapshot', {})).endpoints[0]?.slug ?? null
}
