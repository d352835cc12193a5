import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import type { LoginItemSettings, LoginItemSettingsOptions, Settings } from 'electron'
import type { Log } from '#engine/platform/ports.ts'
import { APP_ID } from '#hosts/electron/desktop-host.ts'
import { syncLoginItem, windowsLoginItem, type LoginItem } from '#hosts/electron/login-item.ts'

vi.mock('electron', () => ({ app: {} }))

const log: Log = { info: () => undefined, warn: () => undefined, error: () => '' }

/** Parses like `CommandLineToArgvW`. Electron's `AddQuoteForArg` quotes arguments with a space, a quote or a backslash. */
function quoted(argument: string): string {
  return /[ \\"]/.test(argument)
    ? `"${argument.replaceAll(/(\\*)"/g, String.raw`$1$1\"`).replace(/(\\+)$/, '$1$1')}"`
    : argument
}

/** The part of a command line that Chromium treats as the program: up to the first space outside quotes. */
function programIn(commandLine: string): string | undefined {
  const [, inQuotes, bare] = /^(?:"([^"]*)"|(\S*))/.exec(commandLine) ?? []
  return (inQuotes ?? bare)?.toLowerCase()
}

/**
 * Electron on Windows with the running `program`: one registry value holds the command line, which Electron quotes when it writes and compares. Items are
 * looked up by program.
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
  it('is off on Windows where the task manager disables it, with and without spaces in the path', () => {
    const program = String.raw`C:\Users\Ann Bo\AppData\Local\Programs\Tabscope\Tabscope.exe`
    const windows = windowsSystem(program)
    const item = windowsLoginItem(windows, program, APP_ID, ['--hidden', '--data', 'D:\\my data'])
    item.write(true)
    expect(windows.value).toBe(`"${program}" --hidden --data "D:\\my data"`)
    expect(item.read()).toBe(true)
    windows.disabled = true
    expect(item.read()).toBe(false)
    // Setting it again also enables it in the task manager.
    item.write(true)
    expect(item.read()).toBe(true)
  })

  it('uses the ID of the package', () => {
    const builder = path.resolve(import.meta.dirname, '../../../../electron-builder.yml')
    expect(readFileSync(builder, 'utf8')).toMatch(new RegExp(`^appId: ${APP_ID}$`, 'm'))
  })
})

/** One start of Tabscope; `memory` and `item` persist between starts. */
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

function sampleItem(on = false): LoginItem & { on: boolean; writes: number; refuses: boolean } {
  const made = {
    on,
    writes: 0,
    refuses: false,
    read: () => made.on,
    write(enabled: boolean) {
      made.writes += 1
      if (made.refuses) throw new Error('No.')
      made.on = enabled
    },
  }
  return made
}

describe('open at login', () => {
  it('is set according to the settings, without a redundant push', () => {
    const item = sampleItem()
    const { sync, updates } = start(item, { on: false })
    sync.settingChanged(false)
    sync.settingChanged(true)
    expect(item.on).toBe(true)
    sync.settingChanged(true)
    sync.settingChanged(false)
    expect(item.on).toBe(false)
    expect(updates).toEqual([])
  })

  it('stays off if the system disabled it, and the setting shows it', () => {
    const item = sampleItem()
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
    // The user can turn it on again.
    sync.settingChanged(true)
    expect(item.on).toBe(true)
    expect(updates).toEqual([false])
  })

  it('is checked again when the user returns to the window', () => {
    const item = sampleItem()
    const { sync, updates } = start(item, { on: false })
    sync.refresh()
    sync.settingChanged(false)
    item.on = true
    sync.refresh()
    sync.refresh()
    expect(updates).toEqual([true])
  })

  it('is not shown as on if the system refuses it', () => {
    const item = sampleItem()
    const { sync, updates } = start(item, { on: false })
    sync.settingChanged(false)
    item.refuses = true
    sync.settingChanged(true)
    expect(updates).toEqual([false])
  })
})
