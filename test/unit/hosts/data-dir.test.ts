import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { defaultDataDir, isDefaultDataDir, logFileIn } from '#hosts/data-dir.ts'

it.each<[NodeJS.Platform, NodeJS.ProcessEnv, home: string, folder: string]>([
  ['linux', {}, '/home/me', '/home/me/.local/share/tabscope'],
  ['linux', { XDG_DATA_HOME: '/data' }, '/home/me', '/data/tabscope'],
  ['linux', { XDG_DATA_HOME: '' }, '/home/me', '/home/me/.local/share/tabscope'],
  ['linux', { XDG_DATA_HOME: 'data' }, '/home/me', '/home/me/.local/share/tabscope'],
  ['freebsd', {}, '/home/me', '/home/me/.local/share/tabscope'],
  [
    'darwin',
    { XDG_DATA_HOME: '/data' },
    '/Users/me',
    '/Users/me/Library/Application Support/Tabscope/data',
  ],
  ['win32', { LOCALAPPDATA: 'D:\\Local' }, 'C:\\Users\\me', 'D:\\Local\\Tabscope\\data'],
  ['win32', {}, 'C:\\Users\\me', 'C:\\Users\\me\\AppData\\Local\\Tabscope\\data'],
  ['win32', { LOCALAPPDATA: '' }, 'C:\\Users\\me', 'C:\\Users\\me\\AppData\\Local\\Tabscope\\data'],
])('on %s with %j and the home %s it is %s', (platform, env, home, folder) => {
  expect(defaultDataDir(platform, env, home)).toBe(folder)
})

it('recognizes the default folder by a link, and with a separator at its end', () => {
  const home = mkdtempSync(path.join(tmpdir(), 'tabscope-default-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const folder = path.join(home, 'data', 'tabscope')
  mkdirSync(folder, { recursive: true })
  const link = path.join(home, 'link')
  symlinkSync(folder, link, 'junction')
  const env = { XDG_DATA_HOME: path.join(home, 'data'), XDG_STATE_HOME: path.join(home, 'state') }
  const isDefault = (given: string): boolean => isDefaultDataDir(given, 'linux', env, home)
  expect([folder, folder + path.sep, link, link + path.sep].map(isDefault)).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect(isDefault(path.join(home, 'data'))).toBe(false)
  expect(isDefault(path.join(home, 'data', 'Tabscope'))).toBe(false)
  expect(logFileIn(link, 'linux', env, home)).toBe(logFileIn(folder, 'linux', env, home))
})

it('recognizes a default folder that does not exist yet in another case, where the system ignores it', () => {
  const at = 'C:\\Users\\me\\appdata\\LOCAL\\tabscope\\Data\\'
  expect(isDefaultDataDir(at, 'win32', {}, 'C:\\Users\\me')).toBe(true)
  expect(isDefaultDataDir('/home/me/.local/share/Tabscope', 'linux', {}, '/home/me')).toBe(false)
})
