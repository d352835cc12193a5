import type { Page } from 'playwright-core'
import { z } from 'zod'
import type { TunnelProviderView, TunnelSpan, TunnelView } from '#contract/tunnel.ts'
import { tunnelCalls } from '#contract/tunnel.ts'
import { drawWire } from './drawn-wire.ts'

export interface DrawnTunnel {
  /** Shows this from now on. */
  show(view: TunnelView): void
}

export interface Drawn {
  readonly view: TunnelView
  readonly history: readonly TunnelSpan[]
  readonly providers: readonly TunnelProviderView[]
}

const Snapshot = z.looseObject({ tunnel: z.unknown() })

/** What the page hears of the tunnel is made up. What the tunnel does is tested without this. */
export async function drawTunnel(page: Page, drawn: Drawn): Promise<DrawnTunnel> {
  let { view } = drawn
  const others = Object.keys(tunnelCalls).map((name) => [name, () => view] as const)
  const wire = await drawWire(page, {
    answers: {
      ...Object.fromEntries(others),
      'tunnel.history': () => drawn.history,
      'tunnel.providers': () => drawn.providers,
      'app.snapshot': (given) => ({ ...Snapshot.parse(given), tunnel: view }),
    },
    pushes: { 'tunnel.changed': () => view },
  })
  return {
    show: (next) => {
      view = next
      wire.push('tunnel.changed', next)
    },
  }
}
