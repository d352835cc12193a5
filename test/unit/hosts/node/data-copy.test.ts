import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { AppError } from '#engine/platform/errors.ts'
import { copyOfData } from '#hosts/node/data-copy.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

it('copies the data, without the tokens of the holder and without logs', () => {
  const folder = tempFolder()
  mkdirSync(path.join(folder, 'journal'))
  for (const name of [
    'tabscope.db',
    'tabscope.db-wal',
    'key',
    'journal/000000000000000.journal',
    'running.json',
    'interface.json',
    'lock.db',
    'tabscope.log',
  ]) {
    writeFileSync(path.join(folder, name), 'x')
  }
  const copy = copyOfData(folder, new AppError('store_failed', 'read-only'))
  expect(
    readdirSync(copy.path, { recursive: true })
      .map(String)
      .sort((a, b) => (a < b ? -1 : 1)),
  ).toEqual([
    'journal',
    path.join('journal', '000000000000000.journal'),
    'key',
    'tabscope.db',
    'tabscope.db-wal',
  ])
  copy.remove()
  expect(existsSync(copy.path)).toBe(false)
})
