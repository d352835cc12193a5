import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { logFileIn } from '#hosts/data-dir.ts'
import { SelfCheck } from '#hosts/self-check/self-check.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

it.skipIf(process.platform === 'win32')('a report follows no link in its folder', () => {
  const folder = path.join(tempFolder(), 'report')
  mkdirSync(folder)
  const names = ['self-check.jsonl', 'tabscope.log', 'window.png']
  for (const name of names) symlinkSync('../followed', path.join(folder, name))
  const env = {}
  const run = new SelfCheck(() => undefined, folder)
  writeFileSync(logFileIn(run.dataDir, process.platform, env), 'a line\n', { mode: 0o600 })
  expect(run.finish({}, env)).toBe(0)
  expect(existsSync(path.join(folder, '../followed'))).toBe(false)
  expect(readFileSync(path.join(folder, 'tabscope.log'), 'utf8')).toBe('a line\n')
  expect(statSync(path.join(folder, 'tabscope.log')).mode & 0o077).toBe(0)
})
