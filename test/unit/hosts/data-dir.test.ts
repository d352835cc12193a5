import { mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '#test/support/temp-folder.ts'
import { defaultDataDir, isDefaultDataDir, logFileIn } from '#hosts/data-dir.ts'

const homes = new Map<NodeJS.Platform, string>([
  ['darwin', '/Users/me'],
  ['win32', 'C:\\Users\\me'],
])
const homeOn = (platform: NodeJS.Platform): string => homes.get(platform) ?? '/home/me'

it.each<[NodeJS.Platform, NodeJS.ProcessEnv, folder: string]>([
  ['linux', {}, '/home/me/.local/share/tabscope'],
  ['linux', { XDG_DATA_HOME: '/data' }, '/data/tabscope'],
  ['linux', { XDG_DATA_HOME: '' }, '/home/me/.local/share/tabscope'],
  ['linux', { XDG_DATA_HOME: 'data' }, '/home/me/.local/share/tabscope'],
  ['freebsd', {}, '/home/me/.local/share/tabscope'],
  ['darwin', { XDG_DATA_HOME: '/data' }, '/Users/me/Library/Application Support/Tabscope/data'],
  ['win32', { LOCALAPPDATA: 'D:\\Local' }, 'D:\\Local\\Tabscope\\data'],
  ['win32', {}, 'C:\\Users\\me\\AppData\\Local\\Tabscope\\data'],
  ['win32', { LOCALAPPDATA: '' }, 'C:\\Users\\me\\AppData\\Local\\Tabscope\\data'],
])('on %s with %j it is %s', (platform, env, folder) => {
  expect(defaultDataDir(platform, env, homeOn(platform))).toBe(folder)
})

it.each<[NodeJS.Platform, NodeJS.ProcessEnv, data: string | null, file: string]>([
  ['linux', {}, null, '/home/me/.local/state/tabscope/tabscope.log'],
  ['linux', { XDG_DATA_HOME: '/d', XDG_STATE_HOME: '/s' }, null, '/s/tabscope/tabscope.log'],
  ['linux', { XDG_STATE_HOME: 'here' }, null, '/home/me/.local/state/tabscope/tabscope.log'],
  ['linux', { XDG_STATE_HOME: '/s' }, '/elsewhere', '/elsewhere/tabscope.log'],
  ['darwin', {}, null, '/Users/me/Library/Logs/Tabscope/tabscope.log'],
  ['darwin', {}, '/Users/me/data', '/Users/me/data/tabscope.log'],
  ['win32', { LOCALAPPDATA: 'D:\\Local' }, null, 'D:\\Local\\Tabscope\\logs\\tabscope.log'],
  ['win32', {}, 'E:\\data', 'E:\\data\\tabscope.log'],
])('on %s with %j the log of the folder %s (null: the default) is %s', (on, env, data, file) => {
  const home = homeOn(on)
  expect(logFileIn(data ?? defaultDataDir(on, env, home), on, env, home)).toBe(file)
})

it('recognizes the default folder by a link, and with a separator at its end', () => {
  const home = tempFolder()
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
