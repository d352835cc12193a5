import type { Page } from 'playwright-core'
import { z } from 'zod'
import type { TunnelProviderView, TunnelSpan, TunnelView } from '#contract/tunnel.ts'
import { tunnelCalls } from '#contract/tunnel.ts'
import { interceptCalls } from './intercepted-calls.ts'

export interface SimulatedTunnel {
  /** Shows this state from now on. */
  show(view: TunnelView): void
}

export interface TunnelSimulation {
  readonly view: TunnelView
  readonly history: readonly TunnelSpan[]
  readonly providers: readonly TunnelProviderView[]
}

const Snapshot = z.looseObject({ tunnel: z.unknown() })

/** Replaces the tunnel state that the page receives. The tunnel itself is tested elsewhere. */
export async function simulateTunnel(
  page: Page,
  drawn: TunnelSimulation,
): Promise<SimulatedTunnel> {
  let { view } = drawn
  const others = Object.keys(tunnelCalls).map((name) => [name, () => view] as const)
  const wire = await interceptCalls(page, {
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
