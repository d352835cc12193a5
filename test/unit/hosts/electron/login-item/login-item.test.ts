import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { LoginItemSettings, LoginItemSettingsOptions, Settings } from 'electron'
import type { Log } from '#engine/platform/ports.ts'
import { APP_ID } from '#hosts/electron/desktop-host.ts'
import {
  syncLoginItem,
  macLoginItem,
  windowsLoginItem,
  type LoginItem,
  type LoginItems,
} from '#hosts/electron/login-item/login-item.ts'

const log: Log = { info: () => undefined, warn: () => undefined, error: () => '' }

/** A macOS that says what it was updates, until the user changes it there. */
function macSystem(): LoginItems & { set: Settings[]; on: boolean } {
  const made = {
    set: [] as Settings[],
    on: false,
    getLoginItemSettings: (): LoginItemSettings => ({
      openAtLogin: made.on,
      wasOpenedAtLogin: false,
      status: made.on ? 'enabled' : 'not-registered',
      executableWillLaunchAtLogin: false,
      launchItems: [],
    }),
    setLoginItemSettings(settings: Settings) {
      made.set.push(settings)
      made.on = settings.openAtLogin === true
    },
  }
  return made
}

/** As `CommandLineToArgvW` reads it back. Electron's `AddQuoteForArg`: quotes for a space, a quote or a backslash. */
function quoted(argument: string): string {
  return /[ \\"]/.test(argument)
    ? `"${argument.replaceAll(/(\\*)"/g, String.raw`$1$1\"`).replace(/(\\+)$/, '$1$1')}"`
    : argument
}

/** What Chromium takes for the program of a command line: up to the first space outside quotes. */
function programIn(commandLine: string): string | undefined {
  const [, inQuotes, bare] = /^(?:"([^"]*)"|(\S*))/.exec(commandLine) ?? []
  return (inQuotes ?? bare)?.toLowerCase()
}

/**
 * Electron on Windows, where `program` runs: one value in the registry holds the command line, which Electron quotes itself when it writes and
 * when it compares. Items are looked up by their program.
 */
function windowsSystem(program: string) {
  const commandLine = ({ path: named = program, args = [] }: LoginItemSettingsOptions): string =>
    [named.replace(/^"(.*)"$/, '$1'), ...args].map(quoted).join(' ')
  const made = {
    value: null as string | null,
    disabled: false,
    getLoginItemSettings(options: LoginItemSettingsOptions = {}): LoginItemSettings {
      const { value } = made
      const isFound = value !== null && programIn(options.path ?? program) === programIn(value)
      const item = { name: APP_ID, path: '', args: [], scope: 'user' as const }
      return {
        openAtLogin: value === commandLine(options),
        wasOpenedAtLogin: false,
        status: 'not-registered',
        executableWillLaunchAtLogin: isFound && !made.disabled,
        launchItems: isFound ? [{ ...item, enabled: !made.disabled }] : [],
      }
    },
    setLoginItemSettings(settings: Settings) {
      made.value = settings.openAtLogin === true ? commandLine(settings) : null
      made.disabled = false
    },
  }
  return made
}

describe('the login item of a system', () => {
  it('is written once, and read back', () => {
    const mac = macSystem()
    const item = macLoginItem(mac)
    item.write(false)
    item.write(true)
    item.write(true)
    expect(mac.set).toEqual([{ openAtLogin: true }])
    mac.on = false
    expect(item.read()).toBe(false)
  })

  it('is off on Windows where the task manager disables it, with and without spaces in the path', () => {
    const program = String.raw`C:\Users\Ann Bo\AppData\Local\Programs\Tabscope\Tabscope.exe`
    const windows = windowsSystem(program)
    const item = windowsLoginItem(windows, program, APP_ID, ['--hidden', '--data', 'D:\\my data'])
    item.write(true)
    expect(windows.value).toBe(`"${program}" --hidden --data "D:\\my data"`)
    expect(item.read()).toBe(true)
    windows.disabled = true
    expect(item.read()).toBe(false)
    // Asked for again, it is switched on there as well.
    item.write(true)
    expect(item.read()).toBe(true)
  })

  it('is under the id that the package has', () => {
    const builder = path.resolve(import.meta.dirname, '../../../../../electron-builder.yml')
    expect(readFileSync(builder, 'utf8')).toMatch(new RegExp(`^appId: ${APP_ID}$`, 'm'))
  })
})

/** A start of Tabscope; `memory` and `item` outlive it. */
function start(item: LoginItem, memory: { on: boolean }) {
  const updates: boolean[] = []
  const sync = syncLoginItem({
    item,
    lastKnown: { get: () => memory.on, set: (on) => void (memory.on = on) },
    updateSetting: (on) => void updates.push(on),
    log,
  })
  return { sync, updates }
}

function madeUpItem(on = false): LoginItem & { on: boolean; writes: number; refuses: boolean } {
  const made = {
    on,
    writes: 0,
    refuses: false,
    read: () => made.on,
    write(wanted: boolean) {
      made.writes += 1
      if (made.refuses) throw new Error('No.')
      made.on = wanted
    },
  }
  return made
}

describe('opening at log-in', () => {
  it('is set according to the settings, without a redundant push', () => {
    const item = madeUpItem()
    const { sync, updates } = start(item, { on: false })
    sync.settingChanged(false)
    sync.settingChanged(true)
    expect(item.on).toBe(true)
    sync.settingChanged(true)
    sync.settingChanged(false)
    expect(item.on).toBe(false)
    expect(updates).toEqual([])
  })

  it('stays off where the system disabled it, and the settings show it', () => {
    const item = madeUpItem()
    const memory = { on: false }
    start(item, memory).sync.settingChanged(false)
    start(item, memory).sync.settingChanged(true)
    expect(memory.on).toBe(true)
    item.on = false
    const { sync, updates } = start(item, memory)
    sync.settingChanged(true)
    expect(updates).toEqual([false])
    // The settings follow.
    sync.settingChanged(false)
    expect(item.on).toBe(false)
    // And the user may want it after all.
    sync.settingChanged(true)
    expect(item.on).toBe(true)
    expect(updates).toEqual([false])
  })

  it('is checked again when the user returns to the window', () => {
    const item = madeUpItem()
    const { sync, updates } = start(item, { on: false })
    sync.refresh()
    sync.settingChanged(false)
    item.on = true
    sync.refresh()
    sync.refresh()
    expect(updates).toEqual([true])
  })

  it('was wanted before there was anything to set, and is set then', () => {
    const item = madeUpItem()
    const { sync, updates } = start(item, { on: false })
    sync.settingChanged(true)
    expect(item.on).toBe(true)
    expect(updates).toEqual([])
  })

  it('is not reported as on where the system refuses it', () => {
    const item = madeUpItem()
    const { sync, updates } = start(item, { on: false })
    sync.settingChanged(false)
    item.refuses = true
    sync.settingChanged(true)
    expect(updates).toEqual([false])
  })

  it('is brought up to date at each start, should the program have moved', () => {
    const item = madeUpItem(true)
    const { sync } = start(item, { on: true })
    sync.settingChanged(true)
    expect(item.writes).toBe(1)
  })
})
