import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { UpdateState } from '#contract/desktop.ts'
import type { Settings } from '#contract/models.ts'
import { describeUpdateError, Updates } from '#hosts/electron/updates.ts'

class FakeUpdater extends EventEmitter {
  newest: string | null = null
  failure: Error | null = null
  checks = 0
  downloads = 0
  async checkForUpdates() {
    this.checks += 1
    if (this.failure !== null) throw this.failure
    return { isUpdateAvailable: this.newest !== null, updateInfo: { version: this.newest } }
  }
  async downloadUpdate() {
    this.downloads += 1
    this.emit('download-progress', { percent: 50 })
    if (this.failure !== null) throw this.failure
  }
}
const fakes = vi.hoisted(() => ({ updater: null as unknown, isPackaged: true }))
vi.mock('electron', () => ({ app: fakes }))
vi.mock('electron-updater', () => ({
  AppImageUpdater: null,
  get autoUpdater() {
    return fakes.updater
  },
}))

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of the settings, it reads this alone
const settings = (updates: Settings['updates']) => ({ updates }) as Settings

function opened(updates: Settings['updates'] = 'notify') {
  const updater = new FakeUpdater()
  fakes.updater = updater
  const states: UpdateState[] = []
  let apply: ((settings: Settings) => void) | null = null
  const host = new Updates({
    view: {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it subscribes to the settings alone
      on: ((_name: string, listener: (settings: Settings) => void) => {
        apply = listener
      }) as never,
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of the snapshot, it reads the settings alone
      onSnapshot: (listener) => listener({ settings: settings(updates) } as never),
    },
    log: { info: () => undefined, warn: () => undefined, error: () => '' },
    changed: (state) => void states.push(state),
  })
  return { host, updater, states, set: (to: Settings['updates']) => apply?.(settings(to)) }
}

beforeEach(() => {
  vi.useFakeTimers()
  fakes.isPackaged = true
})
afterEach(() => void vi.useRealTimers())

describe('updates', () => {
  it('are checked soon after the start and every six hours, unless turned off', async () => {
    const hour = 60 * 60_000
    const { updater, set } = opened('off')
    await vi.advanceTimersByTimeAsync(24 * hour)
    expect(updater.checks).toBe(0)
    set('notify')
    await vi.advanceTimersByTimeAsync(12 * hour)
    expect(updater.checks).toBe(2)
  })

  it('are reported, and downloaded when asked for', async () => {
    const { host, updater, states } = opened()
    await host.check()
    expect(host.state).toMatchObject({ state: 'idle', checkedAt: expect.any(Number) })
    await expect(host.download()).rejects.toThrow('Check for updates first.')
    updater.newest = '9.0.0'
    await host.check()
    expect(host.state).toEqual({ state: 'available', version: '9.0.0' })
    expect(updater.downloads).toBe(0)
    await host.download()
    expect(states.slice(-3)).toEqual([
      { state: 'downloading', version: '9.0.0', share: 0 },
      { state: 'downloading', version: '9.0.0', share: 0.5 },
      { state: 'ready', version: '9.0.0' },
    ])
    // It waits for the end of the app.
    await host.check()
    expect(updater.checks).toBe(2)
  })

  it.each(['before', 'after'] as const)(
    'are downloaded automatically if that is set, %s the check',
    async (when) => {
      const { host, updater, set } = opened()
      updater.newest = '9.0.0'
      if (when === 'before') set('download')
      await host.check()
      if (when === 'after') set('download')
      await vi.waitFor(() => expect(host.state).toEqual({ state: 'ready', version: '9.0.0' }))
      expect(updater.downloads).toBe(1)
    },
  )

  it('say what failed, and can be checked again', async () => {
    const { host, updater } = opened()
    updater.newest = '9.0.0'
    await host.check()
    updater.failure = new Error('sha512 checksum mismatch\n    at a.js:1')
    await host.download()
    expect(host.state).toEqual({ state: 'failed', message: 'sha512 checksum mismatch' })
    updater.failure = null
    await host.check()
    expect(host.state).toEqual({ state: 'available', version: '9.0.0' })
  })

  it('are not checked in a checkout', async () => {
    fakes.isPackaged = false
    const { host, updater } = opened('download')
    await host.check()
    expect(updater.checks).toBe(0)
    expect(host.state).toMatchObject({ state: 'unavailable' })
  })
})

it('describes an error in one line', () => {
  const full = Object.assign(new Error('ENOSPC: no space'), { code: 'ENOSPC' })
  expect(describeUpdateError(full)).toContain('disk is full')
  expect(describeUpdateError(new Error('Not here.\n    at a.js:1'))).toBe('Not here.')
  for (const text of ['', 'net::ERR_FAILED'])
    expect(describeUpdateError(new Error(text))).toContain('Could not reach the release server.')
})
