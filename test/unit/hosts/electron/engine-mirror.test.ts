import { describe, expect, it } from 'vitest'
import type { TunnelView } from '#contract/tunnel.ts'
import { mirrorEngine } from '#hosts/electron/engine-mirror.ts'
import { sampleEngineState, sampleTunnel } from '#test/support/engine-state.ts'

const nothing = (): void => undefined

function start() {
  let snapshot: (state: object) => void = nothing
  let gone = nothing
  let tunnel: (tunnel: TunnelView) => void = nothing
  const view = {
    onSnapshot: (listener: typeof snapshot) => void (snapshot = listener),
    onGone: (listener: typeof gone) => void (gone = listener),
    on(name: string, listener: typeof tunnel) {
      if (name === 'tunnel.changed') tunnel = listener
    },
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of the view, the mirror uses these alone
  const mirror = mirrorEngine(view as never)
  return {
    mirror,
    engineOpens: () => snapshot(sampleEngineState()),
    engineEnds: () => gone(),
    tunnel: (state: TunnelView['state']) => tunnel(sampleTunnel(state)),
  }
}

describe('the engine state in main', () => {
  it('is live while the engine runs, and keeps the settings afterwards', () => {
    const { mirror, engineOpens, engineEnds } = start()
    let ended = 0
    mirror.onGone(() => (ended += 1))
    expect(mirror.isLive).toBe(false)
    engineOpens()
    expect(mirror.isLive).toBe(true)
    engineEnds()
    expect([mirror.isLive, ended]).toEqual([false, 1])
    expect(mirror.current?.settings).toBeDefined()
    engineOpens()
    expect(mirror.isLive).toBe(true)
  })

  it('distinguishes a lost tunnel from one that never opened', () => {
    const { mirror, engineOpens, tunnel } = start()
    engineOpens()
    const ups = (
      ['opening', 'offline', 'online', 'offline', 'reconnecting', 'off', 'opening'] as const
    ).map((state) => {
      tunnel(state)
      return mirror.current?.tunnelWasUp
    })
    expect(ups).toEqual([false, false, true, true, true, false, false])
  })
})
