import { describe, expect, it } from 'vitest'
import type { TunnelView } from '#contract/tunnel.ts'
import { mirrorEngine } from '#hosts/electron/engine-mirror.ts'
import { madeUpPicture, madeUpTunnel } from '#test/support/desktop-picture.ts'

const nothing = (): void => undefined

function start() {
  let snapshot: (picture: object) => void = nothing
  let gone = nothing
  let tunnel: (tunnel: TunnelView) => void = nothing
  const view = {
    onSnapshot: (listener: typeof snapshot) => void (snapshot = listener),
    onGone: (listener: typeof gone) => void (gone = listener),
    on(name: string, listener: typeof tunnel) {
      if (name === 'tunnel.changed') tunnel = listener
    },
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of the view, the picture uses these alone
  const picture = mirrorEngine(view as never)
  return {
    picture,
    engineOpens: () => snapshot(madeUpPicture()),
    engineEnds: () => gone(),
    tunnel: (state: TunnelView['state']) => tunnel(madeUpTunnel(state)),
  }
}

describe('the engine state in main', () => {
  it('is live while the engine runs, and keeps the settings afterwards', () => {
    const { picture, engineOpens, engineEnds } = start()
    let ended = 0
    picture.onGone(() => (ended += 1))
    expect(picture.isLive).toBe(false)
    engineOpens()
    expect(picture.isLive).toBe(true)
    engineEnds()
    expect([picture.isLive, ended]).toEqual([false, 1])
    expect(picture.current?.settings).toBeDefined()
    engineOpens()
    expect(picture.isLive).toBe(true)
  })

  it('distinguishes a lost tunnel from one that never opened', () => {
    const { picture, engineOpens, tunnel } = start()
    engineOpens()
    const ups = (
      ['opening', 'offline', 'online', 'offline', 'reconnecting', 'off', 'opening'] as const
    ).map((state) => {
      tunnel(state)
      return picture.current?.tunnelWasUp
    })
    expect(ups).toEqual([false, false, true, true, true, false, false])
  })
})
