import { expect, it } from 'vitest'
import { logFileIn } from '#hosts/data-dir.ts'

it.each<[NodeJS.Platform, NodeJS.ProcessEnv, home: string, data: string, file: string]>([
  [
    'linux',
    {},
    '/home/me',
    '/home/me/.local/share/tabscope',
    '/home/me/.local/state/tabscope/tabscope.log',
  ],
  [
    'linux',
    { XDG_DATA_HOME: '/d', XDG_STATE_HOME: '/s' },
    '/home/me',
    '/d/tabscope',
    '/s/tabscope/tabscope.log',
  ],
  [
    'linux',
    { XDG_STATE_HOME: 'here' },
    '/home/me',
    '/home/me/.local/share/tabscope',
    '/home/me/.local/state/tabscope/tabscope.log',
  ],
  ['linux', { XDG_STATE_HOME: '/s' }, '/home/me', '/elsewhere', '/elsewhere/tabscope.log'],
  [
    'darwin',
    {},
    '/Users/me',
    '/Users/me/Library/Application Support/Tabscope/data',
    '/Users/me/Library/Logs/Tabscope/tabscope.log',
  ],
  ['darwin', {}, '/Users/me', '/Users/me/data', '/Users/me/data/tabscope.log'],
  [
    'win32',
    { LOCALAPPDATA: 'D:\\Local' },
    'C:\\Users\\me',
    'D:\\Local\\Tabscope\\data',
    'D:\\Local\\Tabscope\\logs\\tabscope.log',
  ],
  ['win32', {}, 'C:\\Users\\me', 'E:\\data', 'E:\\data\\tabscope.log'],
])('on %s with %j and the home %s the log of %s is %s', (platform, env, home, data, file) => {
  expect(logFileIn(data, platform, env, home)).toBe(file)
})
