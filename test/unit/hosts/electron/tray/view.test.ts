import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { defaultSettings } from '#contract/models.ts'
import { iconFile, copyUrl, trayView as viewOf } from '#hosts/electron/tray/view.ts'
import type { EngineState } from '#hosts/electron/engine-mirror.ts'
import {
  listening,
  sampleEngineState as engineState,
  sampleTunnel as tunnel,
} from '#test/support/engine-state.ts'

const trayView = (
  known: EngineState | null,
  count: number,
  isLive = known !== null,
  isAll = true,
) => viewOf(known, isLive, { count, isAll })
const labels = (shown: ReturnType<typeof trayView>) =>
  shown.items.flatMap((item) => (item === null ? [] : [item.label]))
const online = tunnel('online', 'https://pier9.loca.lt')

const choice = (background: boolean) =>
  trayView(engineState({ settings: { ...defaultSettings, background } }), 0).items.find(
    (item) => item?.action === 'background',
  )

describe('the tray', () => {
  it('describes its icon in text', () => {
    const idle = engineState({ listener: { state: 'stopped', port: 4780 } })
    expect(trayView(idle, 0)).toMatchObject({ icon: 'idle', tooltip: 'Tabscope\nNot listening' })
    expect(trayView(engineState(), 0)).toMatchObject({
      icon: 'listening',
      tooltip: 'Tabscope\nListening on http://127.0.0.1:4780',
    })
    expect(trayView(engineState({ tunnel: online }), 0)).toMatchObject({
      icon: 'online',
      tooltip: 'Tabscope\nListening on http://127.0.0.1:4780\nTunnel online: pier9.loca.lt',
    })
    const attention = trayView(engineState({ tunnel: online }), 3)
    expect(attention.icon).toBe('attention')
    expect(labels(attention)).toContain('3 failed verdicts since you last looked')
    expect(labels(trayView(engineState(), 1))).toContain('1 failed verdict since you last looked')
    expect(labels(trayView(engineState(), 9, true, false))).toContain(
      'At least 9 failed verdicts since you last looked',
    )
  })

  it.each([
    ['degraded', 'Tunnel degraded: pier9.loca.lt'],
    ['reconnecting', 'Tunnel lost, reconnecting'],
    ['offline', 'Tunnel lost'],
    ['opening', 'Tunnel opening'],
  ] as const)('does not show a tunnel that is %s as online', (state, words) => {
    const lost = tunnel(state, 'https://pier9.loca.lt')
    const shown = trayView(engineState({ tunnel: lost, tunnelWasUp: true }), 0)
    expect(shown.icon).toBe('listening')
    expect(shown.tooltip).toContain(words)
    expect(labels(shown)).toContain('Close tunnel')
  })

  it.each([
    ['reconnecting', 'Tunnel opening'],
    ['offline', 'The tunnel could not be opened'],
  ] as const)('does not show a tunnel as lost that is %s and never was online', (state, words) => {
    expect(labels(trayView(engineState({ tunnel: tunnel(state) }), 0))).toContain(words)
  })

  it('shortens the host of a tunnel', () => {
    const host = `${'long-name-'.repeat(5)}.trycloudflare.com`
    const shown = trayView(engineState({ tunnel: tunnel('online', `https://${host}`) }), 2)
    expect(labels(shown)).toContain(`Tunnel online: ${host.slice(0, 59)}…`)
  })

  it('drops the state of an engine that ended', () => {
    const settings = { ...defaultSettings, background: true }
    const shown = trayView(engineState({ tunnel: online, settings }), 2, false)
    expect(shown.tooltip).toBe('Tabscope\nNot listening\n2 failed verdicts since you last looked')
    expect(trayView(engineState({ tunnel: online }), 0, false).icon).toBe('idle')
    const enabled = shown.items.flatMap((item) => (item?.enabled ? [item.label] : []))
    expect(enabled).toEqual(['Show Tabscope', 'Quit Tabscope'])
    const background = shown.items.find((item) => item?.checked !== undefined)
    expect(background).toMatchObject({ checked: true, enabled: false })
  })

  it('shows why the listener is not running, and offers to start it', () => {
    const failed = engineState({
      listener: {
        state: 'failed',
        port: 80,
        code: 'port_forbidden',
        message: 'No.',
        freePort: null,
      },
    })
    expect(labels(trayView(failed, 0))).toContain('Not listening: port 80 could not be opened')
    expect(labels(trayView(failed, 0))).toContain('Start listener')
    expect(labels(trayView(engineState(), 0))).not.toContain('Start listener')
    const full = engineState({ listener: { ...listening, failing: 'The disk is full.' } })
    expect(trayView(full, 0).tooltip).toContain('storage is failing')
  })

  it('shows the setting', () => {
    expect(choice(true)).toMatchObject({ checked: true })
    expect(choice(false)).toMatchObject({ checked: false })
  })

  it('disables actions until the engine is open', () => {
    const enabled = trayView(null, 0).items.flatMap((item) => (item?.enabled ? [item.label] : []))
    expect(enabled).toEqual(['Show Tabscope', 'Quit Tabscope'])
  })

  it('copies the webhook URL, public if there is one', () => {
    expect(copyUrl(engineState())).toEqual({
      url: 'http://127.0.0.1:4780/hooks/main',
      isPublic: false,
    })
    expect(copyUrl(engineState({ tunnel: online }))).toEqual({
      url: 'https://pier9.loca.lt/hooks/main',
      isPublic: true,
    })
    expect(copyUrl(engineState({ endpoints: [] }))).toBeNull()
    expect(copyUrl(engineState({ listener: { state: 'stopped', port: 1 } }))).toBeNull()
  })

  it.each(['idle', 'listening', 'online', 'attention'] as const)('has an icon for %s', (icon) => {
    const root = path.resolve(import.meta.dirname, '../../../../..')
    for (const platform of ['darwin', 'linux', 'win32'] as const) {
      expect(existsSync(path.join(root, iconFile(icon, platform))), platform).toBe(true)
    }
  })
})
