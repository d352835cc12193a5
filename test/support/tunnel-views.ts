import type { TunnelStateName, TunnelView } from '#contract/tunnel.ts'
import type { Engine } from '#engine/app/engine.ts'
import { until } from './until.ts'

export interface TunnelViews {
  /** Every view that was pushed since it was asked for, in order. */
  readonly all: readonly TunnelView[]
  /** Waits for one that fits, among those after the first `from`. */
  next(
    what: string,
    fits: (view: TunnelView) => boolean,
    options?: { readonly from?: number; readonly ms?: number },
  ): Promise<TunnelView>
  /** Waits until this state has been told after the first `from`. */
  state(state: TunnelStateName, from?: number): Promise<TunnelView>
  /** Tells no more. */
  stop(): void
}

/** What an engine tells of its tunnel. */
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
