import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  autostartEntry,
  autostartFile,
  desktopEntry,
  execArgument,
  loginArguments,
} from '#hosts/electron/login-item/login-item.ts'
import { programOf } from '#hosts/electron/relaunch.ts'

vi.mock('electron', () => ({ app: {} }))

/** Parses `Exec` by the specification: first the backslashes of the string, then quoted words with their escapes, then `%%`. */
function execOf(entry: string): string[] {
  const line = /^Exec=(.*)$/m.exec(entry)?.[1] ?? ''
  const text = line.replaceAll(/\\(.)/g, '$1')
  return [...text.matchAll(/"((?:[^"`$\\]|\\["`$\\])*)"/g)].map(([, word = '']) =>
    word.replaceAll(/\\(.)/g, '$1').replaceAll('%%', '%'),
  )
}

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})
function temp(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'tabscope-autostart-'))
  folders.push(folder)
  return folder
}

describe('the entry that starts Tabscope at login', () => {
  it.each([
    [['/opt/Tabscope/tabscope', '--hidden']],
    [['/home/ann/My Apps/Tabscope 1.AppImage', '--hidden', '--data', '/data/a b']],
    [['/a"b`c$d\\e%f/tabscope', '--hidden', '--data', '%F %u $HOME `id` \\" \\\\']],
    [['/tabscope', "it's; rm -rf ~ & # |", 'ä ☃ 😀', '']],
  ])('encodes %j so that it is parsed unchanged', ([program = '', ...args]) => {
    const entry = desktopEntry(program, args)
    expect(execOf(entry)).toEqual([program, ...args])
    expect(entry).toMatch(/^\[Desktop Entry\]\nType=Application\n/)
    expect(entry.match(/^Exec=/gm)).toHaveLength(1)
  })

  it('quotes as the specification requires', () => {
    expect(execArgument('a$b')).toBe(String.raw`"a\\$b"`)
    expect(execArgument('a\\b')).toBe(String.raw`"a\\\\b"`)
    expect(execArgument('50%')).toBe('"50%%"')
  })

  it('cannot be given a second line', () => {
    expect(() => desktopEntry('/a\nExec=evil', [])).toThrow('control character')
    expect(() => desktopEntry('/tabscope', ['--data', '/x\r'])).toThrow('control character')
    expect(() => desktopEntry('/a=b/tabscope', [])).toThrow('equal sign')
  })

  it('is in the configured folder only if that is absolute', () => {
    expect(autostartFile({}, '/home/ann')).toBe('/home/ann/.config/autostart/tabscope.desktop')
    expect(autostartFile({ XDG_CONFIG_HOME: '/c' }, '/home/ann')).toBe(
      '/c/autostart/tabscope.desktop',
    )
    expect(autostartFile({ XDG_CONFIG_HOME: 'c' }, '/home/ann')).toBe(
      '/home/ann/.config/autostart/tabscope.desktop',
    )
  })

  it('is written, updated when the program has moved, and removed', () => {
    const file = path.join(temp(), 'autostart/tabscope.desktop')
    const item = autostartEntry(file, '/tabscope', ['--hidden'])
    item.write(false)
    expect(item.read()).toBe(false)
    item.write(true)
    expect(item.read()).toBe(true)
    expect(execOf(readFileSync(file, 'utf8'))).toEqual(['/tabscope', '--hidden'])
    const moved = autostartEntry(file, '/moved/tabscope', ['--hidden'])
    expect(moved.read()).toBe(true)
    moved.write(true)
    expect(execOf(readFileSync(file, 'utf8'))).toEqual(['/moved/tabscope', '--hidden'])
    moved.write(false)
    expect(existsSync(file)).toBe(false)
  })

  it.each(['Hidden=true', 'X-GNOME-Autostart-enabled=false', ' Hidden = true'])(
    'is off if a desktop has added %j, and can be turned on again',
    (line) => {
      const file = path.join(temp(), 'tabscope.desktop')
      const item = autostartEntry(file, '/tabscope', ['--hidden'])
      item.write(true)
      const key = line.split('=')[0]?.trim() ?? ''
      const others = readFileSync(file, 'utf8')
        .split('\n')
        .filter((written) => !written.startsWith(key))
      writeFileSync(file, [...others, line, ''].join('\n'))
      expect(item.read()).toBe(false)
      item.write(true)
      expect(item.read()).toBe(true)
    },
  )

  it('keeps additions of the user', () => {
    const file = path.join(temp(), 'tabscope.desktop')
    const item = autostartEntry(file, '/tabscope', ['--hidden'])
    item.write(true)
    appendFileSync(file, 'X-GNOME-Autostart-Delay=30\n')
    item.write(true)
    expect(readFileSync(file, 'utf8')).toContain('Delay=30')
  })

  it('of another data folder is left unchanged', () => {
    const file = path.join(temp(), 'tabscope.desktop')
    const usual = autostartEntry(file, '/tabscope', ['--hidden'])
    const other = autostartEntry(file, '/tabscope', ['--hidden', '--data', '/other'])
    usual.write(true)
    expect(other.read()).toBe(false)
    other.write(false)
    expect(usual.read()).toBe(true)
    other.write(true)
    expect(usual.read()).toBe(false)
    usual.write(false)
    expect(other.read()).toBe(true)
  })

  it.each([
    ['its own file', { APPIMAGE: '/home/ann/T.AppImage' }, '/home/ann/T.AppImage'],
    [
      'its own file, not its mount',
      { APPIMAGE: '/home/ann/T.AppImage', APPDIR: '/tmp/.mount_T' },
      '/home/ann/T.AppImage',
    ],
    [
      'itself, if another AppImage has started it',
      { APPIMAGE: '/home/ann/Terminal.AppImage', APPDIR: '/tmp/.mount_Terminal' },
      '/tmp/.mount_T/tabscope',
    ],
    ['itself, without an AppImage', {}, '/tmp/.mount_T/tabscope'],
    ['itself, if the file has no path', { APPIMAGE: 'T.AppImage' }, '/tmp/.mount_T/tabscope'],
  ])('names %s for an AppImage', (_what, env, program) => {
    expect(programOf(env, '/tmp/.mount_T/tabscope')).toBe(program)
  })
})

describe('the arguments at login', () => {
  it('are --hidden, and --data for a folder other than the default', () => {
    expect(loginArguments('/usual', '/usual')).toEqual(['--hidden'])
    expect(loginArguments('/other', '/usual')).toEqual(['--hidden', '--data', '/other'])
  })
})
