import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { autostartFile, setAutostart } from '#hosts/electron/login-item/autostart.ts'
import { desktopEntry, execArgument } from '#hosts/electron/login-item/desktop-entry.ts'
import { loginArguments, quoted } from '#hosts/electron/login-item/arguments.ts'

/** Reads `Exec` back by the specification: the string's backslashes first, then quoted words with their escapes, then `%%`. */
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

describe('the entry that starts Tabscope at log-in', () => {
  it.each([
    [['/opt/Tabscope/tabscope', '--hidden']],
    [['/home/ann/My Apps/Tabscope 1.AppImage', '--hidden', '--data', '/data/a b']],
    [['/a"b`c$d\\e%f/tabscope', '--hidden', '--data', '%F %u $HOME `id` \\" \\\\']],
    [['/tabscope', "it's; rm -rf ~ & # |", 'ä ☃ 😀', '']],
  ])('names %j so that it is read back the same', ([program = '', ...args]) => {
    const entry = desktopEntry(program, args)
    expect(execOf(entry)).toEqual([program, ...args])
    expect(entry).toMatch(/^\[Desktop Entry\]\nType=Application\n/)
    expect(entry.match(/^Exec=/gm)).toHaveLength(1)
  })

  it('quotes as the specification writes it', () => {
    expect(execArgument('a$b')).toBe(String.raw`"a\\$b"`)
    expect(execArgument('a\\b')).toBe(String.raw`"a\\\\b"`)
    expect(execArgument('50%')).toBe('"50%%"')
  })

  it('cannot be made to hold a second line', () => {
    expect(() => desktopEntry('/a\nExec=evil', [])).toThrow('control character')
    expect(() => desktopEntry('/tabscope', ['--data', '/x\r'])).toThrow('control character')
    expect(() => desktopEntry('/a=b/tabscope', [])).toThrow('equal sign')
  })

  it('is in the folder of the user, which counts only where it is absolute', () => {
    expect(autostartFile({}, '/home/ann')).toBe('/home/ann/.config/autostart/tabscope.desktop')
    expect(autostartFile({ XDG_CONFIG_HOME: '/c' }, '/home/ann')).toBe(
      '/c/autostart/tabscope.desktop',
    )
    expect(autostartFile({ XDG_CONFIG_HOME: 'c' }, '/home/ann')).toBe(
      '/home/ann/.config/autostart/tabscope.desktop',
    )
  })

  it('is written, changed where it differs, and removed', () => {
    const file = path.join(temp(), 'autostart/tabscope.desktop')
    expect(setAutostart(file, false, '/tabscope', [])).toBe(false)
    expect(setAutostart(file, true, '/tabscope', ['--hidden'])).toBe(true)
    expect(execOf(readFileSync(file, 'utf8'))).toEqual(['/tabscope', '--hidden'])
    expect(setAutostart(file, true, '/tabscope', ['--hidden'])).toBe(false)
    expect(setAutostart(file, true, '/moved/tabscope', ['--hidden'])).toBe(true)
    expect(setAutostart(file, false, '/tabscope', [])).toBe(true)
    expect(existsSync(file)).toBe(false)
  })
})

describe('what it is started with', () => {
  it('is to be hidden, and another data folder than the usual one', () => {
    expect(loginArguments('/usual', '/usual')).toEqual(['--hidden'])
    expect(loginArguments('/other', '/usual')).toEqual(['--hidden', '--data', '/other'])
  })

  it.each([
    ['--hidden', '--hidden'],
    ['C:\\data', 'C:\\data'],
    ['C:\\my data\\', '"C:\\my data\\\\"'],
    ['a"b', '"a\\"b"'],
    ['a\\"b c', '"a\\\\\\"b c"'],
    ['', '""'],
  ])('stands quoted on Windows: %j as %j', (argument, written) => {
    expect(quoted(argument)).toBe(written)
  })
})
