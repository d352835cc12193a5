import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import type { LoginItemSettings, LoginItemSettingsOptions, Settings } from 'electron'
import type { Log } from '#engine/platform/ports.ts'
import { APP_ID } from '#hosts/electron/desktop-host.ts'
import {
  desktopFile,
  syncLoginItem,
  windowsLoginItem,
  type LoginItem,
} from '#hosts/electron/login-item.ts'
import { programOf } from '#hosts/electron/app-image.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'

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

/** Parses `Exec` by the specification: first the backslashes of the string, then quoted words with their escapes, then `%%`. */
function execOf(entry: string): string[] {
  const line = /^Exec=(.*)$/m.exec(entry)?.[1] ?? ''
  const text = line.replaceAll(/\\(.)/g, '$1')
  return [...text.matchAll(/"((?:[^"`$\\]|\\["`$\\])*)"/g)].map(([, word = '']) =>
    word.replaceAll(/\\(.)/g, '$1').replaceAll('%%', '%'),
  )
}

describe('the desktop file on Linux', () => {
  it.each([
    [['/opt/Tabscope/tabscope', '--hidden']],
    [['/home/ann/My Apps/Tabscope 1.AppImage', '--hidden', '--data', '/data/a b']],
    [['/a"b`c$d\\e%f/tabscope', '--hidden', '--data', '%F %u $HOME `id` \\" \\\\']],
    [['/tabscope', "it's; rm -rf ~ & # |", 'ä ☃ 😀', '']],
  ])('encodes %j so that it is parsed unchanged, and is removed again', async (command) => {
    await using folder = ownedFolder()
    const file = path.join(folder.path, 'autostart/tabscope.desktop')
    const item = desktopFile(file, command)
    expect(item.read()).toBe(false)
    item.write(true)
    expect(item.read()).toBe(true)
    const entry = readFileSync(file, 'utf8')
    expect(entry).toMatch(/^\[Desktop Entry\]\nType=Application\n/)
    expect(execOf(entry)).toEqual(command)
    item.write(false)
    expect(existsSync(file)).toBe(false)
  })

  it.each(['Hidden=true', 'X-GNOME-Autostart-enabled=false'])(
    'is off if a desktop has added %j, and can be turned on again',
    async (line) => {
      await using folder = ownedFolder()
      const file = path.join(folder.path, 'tabscope.desktop')
      const item = desktopFile(file, ['/tabscope', '--hidden'])
      item.write(true)
      appendFileSync(file, `${line}\n`)
      expect(item.read()).toBe(false)
      item.write(true)
      expect(item.read()).toBe(true)
    },
  )

  it('is not removed if it is for another data folder', async () => {
    await using folder = ownedFolder()
    const file = path.join(folder.path, 'tabscope.desktop')
    const usual = desktopFile(file, ['/tabscope', '--hidden'])
    const other = desktopFile(file, ['/tabscope', '--hidden', '--data', '/other'])
    usual.write(true)
    expect(other.read()).toBe(false)
    other.write(false)
    expect(usual.read()).toBe(true)
  })

  it.each([
    ['its own file', { APPIMAGE: '/home/ann/T.AppImage' }, '/home/ann/T.AppImage'],
    [
      'itself, if another AppImage has started it',
      { APPIMAGE: '/home/ann/Terminal.AppImage', APPDIR: '/tmp/.mount_Terminal' },
      '/tmp/.mount_T/tabscope',
    ],
    ['itself, without an AppImage', {}, '/tmp/.mount_T/tabscope'],
  ])('starts, of an AppImage, %s', (_what, env, program) => {
    expect(programOf(env, '/tmp/.mount_T/tabscope')).toBe(program)
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
