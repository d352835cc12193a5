import { expect, it } from 'vitest'
import { defaultDataDir } from '#hosts/data-dir.ts'

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
  ['win32', { APPDATA: 'D:\\Roaming' }, 'C:\\Users\\me', 'D:\\Roaming\\Tabscope\\data'],
  ['win32', {}, 'C:\\Users\\me', 'C:\\Users\\me\\AppData\\Roaming\\Tabscope\\data'],
  ['win32', { APPDATA: '' }, 'C:\\Users\\me', 'C:\\Users\\me\\AppData\\Roaming\\Tabscope\\data'],
])('on %s with %j and the home %s it is %s', (platform, env, home, folder) => {
  expect(defaultDataDir(platform, env, home)).toBe(folder)
})
