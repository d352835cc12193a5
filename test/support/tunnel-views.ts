import type { TunnelStateName, TunnelView } from '#contract/tunnel.ts'
import type { Engine } from '#engine/app/engine.ts'
import { until } from './until.ts'

export interface TunnelViews {
  /** All views pushed since the start, in order. */
  readonly all: readonly TunnelView[]
  /** Waits for a matching view after the first `from` views. */
  next(
    what: string,
    fits: (view: TunnelView) => boolean,
    options?: { readonly from?: number; readonly ms?: number },
  ): Promise<TunnelView>
  /** Waits for a view with this state after the first `from` views. */
  state(state: TunnelStateName, from?: number): Promise<TunnelView>
  stop(): void
}

export function tunnelViews(engine: Engine): TunnelViews {
  const all: TunnelView[] = []
  const stop = engine.on('tunnel.changed', (view) => void all.push(view))
  const next: TunnelViews['next'] = async (what, fits, { from = 0, ms = 10_000 } = {}) => {
    try {
      return await until(what, () => all.slice(from).find(fits), ms)
    } catch (error) {
      const seen = all.map((view) => `${view.state} (${view.cause}): ${view.reason}`)
      throw new Error([String(error), ...seen].join('\n'), { cause: error })
    }
  }
  return {
    all,
    next,
    stop,
    state: (state, from = 0) => next(state, (view) => view.state === state, { from }),
  }
}
