import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AssistantCall } from '#contract/assistants.ts'
import type { Alert, HealthAlerts } from '#contract/health.ts'
import { defaultSettings, type Settings } from '#contract/models.ts'
import type { TunnelStateName } from '#contract/tunnel.ts'
import type { NewFailures } from '#hosts/electron/watch.ts'
import { startNotifications } from '#hosts/electron/notifications/start-notifications.ts'
import type { EngineView } from '#hosts/electron/engine/view.ts'
import type { EngineState } from '#hosts/electron/engine-mirror.ts'
import { partialDouble } from '#test/support/partial-double.ts'
import { sampleAlerts } from '#test/support/sample-health.ts'
import { sampleEngineState, sampleTunnel } from '#test/support/engine-state.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => void vi.useRealTimers())

const nothing = (): void => undefined

function sampleCall(id: number): AssistantCall {
  const target = { name: 'handler', url: 'http://127.0.0.1:1/', endpointId: null }
  const request = { target, title: 'Send OPEN_TAB', details: '', until: 0 }
  const call = { id, at: 0, client: 'test', tool: 'send', arguments: '' }
  return { ...call, outcome: 'waiting', request, durationMs: null }
}

function start(settings: Partial<Settings> = {}) {
  let mirror = sampleEngineState({ settings: { ...defaultSettings, ...settings } })
  let looking = false
  let fail: (news: NewFailures) => void = nothing
  let look: () => void = nothing
  let changed: (mirror: EngineState, fresh: boolean) => void = nothing
  let called: (call: AssistantCall) => void = nothing
  let alerted: (health: HealthAlerts) => void = nothing
  const titles: string[] = []
  const bodies: string[] = []
  const shown: unknown[] = []
  let isSupported = true
  startNotifications({
    view: partialDouble<EngineView>({
      on: (name: string, listener: typeof called & typeof alerted) => {
        if (name === 'assistants.called') called = listener
        if (name === 'health.changed') alerted = listener
      },
      call: async (_name: string, input: unknown) => {
        shown.push(input)
        return Promise.reject(new Error('no output'))
      },
    }),
    mirror: {
      get current() {
        return mirror
      },
      isLive: true,
      onChange: (listener) => void (changed = listener),
      onGone: () => undefined,
    },
    watch: {
      unseen: { count: 0, isAll: true },
      isLooking: () => looking,
      onCount: () => undefined,
      onFailed: (listener) => void (fail = listener),
      onLook: (listener) => void (look = listener),
    },
    notifier: {
      show: ({ title, body }, onShown) => {
        bodies.push(body)
        if (!isSupported) return
        titles.push(title)
        onShown?.()
      },
    },
  })
  return {
    titles,
    bodies,
    shown,
    alert: (...alerts: Alert[]) => alerted({ alerts, rules: [], learned: [] }),
    set supported(on: boolean) {
      isSupported = on
    },
    request: (id: number) => called(sampleCall(id)),
    fail(id: number, isAll = true) {
      const failed = [{ id, verdict: 'invalid' as const, endpointId: 1, receivedAt: Date.now() }]
      fail({ failed, isAll })
    },
    set looking(on: boolean) {
      looking = on
      if (on) look()
    },
    tunnel(state: TunnelStateName) {
      const tunnelWasUp = state === 'online' || (state !== 'off' && mirror.tunnelWasUp)
      mirror = { ...mirror, tunnel: sampleTunnel(state, 'https://pier9.loca.lt'), tunnelWasUp }
      changed(mirror, false)
    },
  }
}

it('notifies of requests of coding assistants, as long as somebody can see it', () => {
  const app = start({ notifyVerdicts: false, notifyTunnel: false })
  app.request(1)
  expect(app.titles).toEqual(['A coding assistant asks to send'])
  expect(app.shown).toEqual([{ id: 1 }])
  app.supported = false
  app.request(2)
  app.looking = true
  app.supported = true
  app.request(3)
  expect(app.titles).toHaveLength(1)
  expect(app.shown).toHaveLength(1)
})

describe('notifications of failed verdicts', () => {
  it('are shown immediately, and then summed up every half minute', () => {
    const app = start()
    app.fail(1)
    app.fail(2)
    app.fail(3)
    expect(app.titles).toEqual(['Invalid signature'])
    vi.advanceTimersByTime(29_999)
    expect(app.titles).toHaveLength(1)
    vi.advanceTimersByTime(1)
    expect(app.titles).toEqual(['Invalid signature', '2 deliveries failed their signature check'])
    vi.advanceTimersByTime(600_000)
    expect(app.titles).toHaveLength(2)
  })

  it('say that there may be more until one was shown', () => {
    const app = start()
    app.fail(1)
    app.fail(2, false)
    app.fail(3)
    vi.advanceTimersByTime(30_000)
    app.fail(4)
    app.fail(5)
    vi.advanceTimersByTime(30_000)
    expect(app.titles.slice(1)).toEqual([
      'At least 2 deliveries failed their signature check',
      '2 deliveries failed their signature check',
    ])
  })

  it('are not shown for what the user has already seen', () => {
    const app = start()
    app.fail(1)
    app.fail(2)
    app.looking = true
    vi.advanceTimersByTime(600_000)
    expect(app.titles).toHaveLength(1)
  })

  it('are optional', () => {
    const app = start({ notifyVerdicts: false })
    app.fail(1)
    vi.advanceTimersByTime(60_000)
    expect(app.titles).toEqual([])
  })
})

function lose(app: ReturnType<typeof start>): void {
  app.tunnel('online')
  app.tunnel('offline')
  vi.advanceTimersByTime(5_000)
}

describe('notifications of the tunnel', () => {
  it('report the loss, and the recovery', () => {
    const app = start()
    lose(app)
    expect(app.titles).toEqual(['Tunnel lost'])
    app.tunnel('online')
    expect(app.titles).toEqual(['Tunnel lost', 'Tunnel reconnected'])
  })

  it.each([
    ['is back in time', ['online', 'offline', 'online']],
    ['was closed by the user', ['online', 'offline', 'off']],
    ['never was online', ['opening', 'offline', 'reconnecting']],
    ['is degraded', ['online', 'degraded']],
  ] as const)('are not shown if it %s', (_what, states) => {
    const app = start()
    for (const state of states) app.tunnel(state)
    vi.advanceTimersByTime(60_000)
    expect(app.titles).toEqual([])
  })

  it('are shown at most once a minute for an unstable tunnel', () => {
    const app = start()
    for (let turn = 0; turn < 6; turn += 1) {
      lose(app)
      vi.advanceTimersByTime(5_000)
    }
    expect(app.titles).toEqual(['Tunnel lost', 'Tunnel reconnected'])
    lose(app)
    expect(app.titles.at(-1)).toBe('Tunnel lost')
  })

  it('are not shown while the window has focus, and are optional', () => {
    const seen = start()
    seen.looking = true
    lose(seen)
    expect(seen.titles).toEqual([])
    // The user saw the loss, so its end is not reported.
    seen.looking = false
    seen.tunnel('online')
    expect(seen.titles).toEqual([])
    const off = start({ notifyTunnel: false })
    lose(off)
    expect(off.titles).toEqual([])
  })
})

describe('notifications of alerts', () => {
  const [silence, handler] = sampleAlerts(1_000_000 + 16 * 60_000).alerts
  if (!silence || !handler) throw new Error('there are two alerts')

  it('are shown once for each that is raised while nobody looks', () => {
    const app = start()
    app.alert({ ...silence, id: 1, raisedAt: 999_999 })
    app.alert({ ...silence, id: 1, raisedAt: 999_999 }, { ...silence, id: 2 })
    app.alert({ ...silence, id: 2 })
    expect(app.titles).toEqual(['No deliveries'])
    expect(app.bodies[0]).toMatch(/^No delivery at Pier 9 since .+; usually 38 in this hour\.$/)
    app.looking = true
    app.alert({ ...handler, id: 3 })
    app.looking = false
    app.alert({ ...handler, id: 3 }, { ...handler, id: 4 })
    expect(app.titles).toEqual(['No deliveries', 'Your handler fails'])
  })

  it('are optional', () => {
    const app = start({ notifyAlerts: false })
    app.alert(silence)
    expect(app.titles).toEqual([])
  })
})
