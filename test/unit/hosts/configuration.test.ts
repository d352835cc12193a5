import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { AppError } from '#engine/platform/errors.ts'
import { configurationFile, readConfiguration } from '#hosts/configuration.ts'
import { configuredDataDir } from '#hosts/data-dir.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'

test.each<[NodeJS.Platform, NodeJS.ProcessEnv, home: string, file: string]>([
  ['linux', {}, '/home/me', '/home/me/.config/tabscope/config.json'],
  ['linux', { XDG_CONFIG_HOME: '/etc/me' }, '/home/me', '/etc/me/tabscope/config.json'],
  ['linux', { XDG_CONFIG_HOME: 'relative' }, '/home/me', '/home/me/.config/tabscope/config.json'],
  ['darwin', {}, '/Users/me', '/Users/me/.config/tabscope/config.json'],
  ['win32', { APPDATA: 'D:\\Roaming' }, 'C:\\me', 'D:\\Roaming\\Tabscope\\config.json'],
  ['win32', {}, 'C:\\me', 'C:\\me\\AppData\\Roaming\\Tabscope\\config.json'],
])('on %s with %j and the home %s it is %s', (platform, env, home, file) => {
  expect(configurationFile(platform, env, home)).toBe(file)
})

test('reads a file; a missing file has no settings', async () => {
  await using folder = ownedFolder()
  const file = path.join(folder.path, 'config.json')
  expect(readConfiguration(file)).toEqual({})
  const data = path.join(folder.path, 'data')
  writeFileSync(file, `\uFEFF${JSON.stringify({ data: `${data}/`, color: 'never', utc: true })}`)
  expect(readConfiguration(file)).toEqual({ data: `${data}/`, color: 'never', utc: true })
})

test.each([
  ['{"dat": "/a"}', 'Unknown key "dat" in FILE. Did you mean "data"?'],
  ['{"something": 1}', 'Unknown key "something" in FILE. Available: data, color, utc.'],
  ['{"data": "relative"}', '"data" in FILE must be the absolute path of a folder.'],
  ['{"data": 1}', '"data" in FILE must be the absolute path of a folder.'],
  ['{"color": "red"}', '"color" in FILE must be "auto", "always" or "never".'],
  ['{"utc": "yes"}', '"utc" in FILE must be true or false.'],
  ['[]', 'FILE must contain one JSON object, such as {"utc": true}.'],
  ['{"utc": tru', 'FILE is not valid JSON. Correct it, or delete it.'],
])('rejects %s with one line', async (text, message) => {
  await using folder = ownedFolder()
  const file = path.join(folder.path, 'config.json')
  writeFileSync(file, text)
  const thrown: unknown = (() => {
    try {
      return readConfiguration(file)
    } catch (error) {
      return error
    }
  })()
  expect(thrown).toBeInstanceOf(AppError)
  const line = thrown instanceof Error ? thrown.message.replace(file, 'FILE') : ''
  if (typeof message === 'string') expect(line).toBe(message)
  else expect(line).toMatch(message)
})

test('names a file that cannot be read', async () => {
  await using folder = ownedFolder()
  const file = path.join(folder.path, 'config.json')
  mkdirSync(file)
  expect(() => readConfiguration(file)).toThrow(
    `Could not read ${file}. It is a folder. Specify a file.`,
  )
})

const configured = () => ({ data: '/from/file' })
const unread = () => {
  throw new Error('read')
}

test('TABSCOPE_DATA takes precedence over the file, which is then not read', () => {
  expect(configuredDataDir('/at', { TABSCOPE_DATA: 'here' }, unread)).toBe(
    path.resolve('/at', 'here'),
  )
  expect(configuredDataDir('/at', { TABSCOPE_DATA: '' }, configured)).toBe('/from/file')
  expect(configuredDataDir('/at', {}, configured)).toBe('/from/file')
  expect(configuredDataDir('/at', {}, () => ({}))).toBeUndefined()
})
