import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { openWriter } from '#engine/platform/sqlite.ts'
import { lockFolder } from '#engine/platform/store/lock.ts'
import { readHolder } from '#engine/platform/store/data-folder.ts'
import { prepareStore } from '#engine/app/opening/open-store.ts'
import { makePrivate } from '#engine/platform/store/private-files.ts'
import { tempFolder } from '#test/support/temp-folder.ts'
import { refusal } from '#test/support/refusal.ts'

function modes(folder: string): Record<string, string> {
  const all: Record<string, string> = {}
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    all[name] = (lstatSync(path.join(folder, name)).mode & 0o777).toString(8)
  return all
}

/** As left by `tar -x` with another umask. */
function openToAll(): string {
  const folder = path.join(tempFolder(), 'data')
  for (const name of ['', 'logs', 'interface'])
    mkdirSync(path.join(folder, name), { recursive: true })
  const files = [
    'tabscope.db',
    'tabscope.db-wal',
    'search.db',
    'tabscope.db.v3-20261121T090000.backup',
    'lock.db',
    'key',
    'running.json',
    'tabscope.log.1',
    'logs/abababababababab-1.db',
  ]
  for (const file of files) writeFileSync(path.join(folder, file), '')
  for (const name of Object.keys(modes(folder)))
    chmodSync(path.join(folder, name), files.includes(name) ? 0o644 : 0o755)
  chmodSync(folder, 0o777)
  return folder
}

const isRoot = process.getuid?.() === 0

describe.skipIf(process.platform === 'win32')('a data folder', () => {
  it('is created private with any umask, with all files of SQLite', () => {
    const folder = path.join(tempFolder(), 'data')
    const before = process.umask(0)
    try {
      const lock = lockFolder(folder)
      const store = prepareStore(folder, 'now')
      const db = openWriter(store.path)
      db.exec('CREATE TABLE made (x)')
      expect(modes(folder)).toEqual({
        'config.db': '600',
        'config.db-shm': '600',
        'config.db-wal': '600',
        'lock.db': '600',
        'lock.db-journal': '600',
        'running.json': '600',
        'search.db': '600',
        'tabscope.db': '600',
        'tabscope.db-shm': '600',
        'tabscope.db-wal': '600',
      })
      expect(statSync(folder).mode & 0o777).toBe(0o700)
      db.close()
      lock.release()
    } finally {
      process.umask(before)
    }
  })

  it('is repaired at the start, and this is reported once', () => {
    const folder = openToAll()
    const said: string[] = []
    lockFolder(folder, (sentence) => said.push(sentence)).release()
    for (const [name, mode] of Object.entries(modes(folder)))
      expect([name, mode]).toEqual([name, /\.|key/.test(name) ? '600' : '700'])
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(said).toEqual([
      'Other users could open 12 files or folders in the data folder. Tabscope has restricted them to you.',
    ])
    lockFolder(folder, (sentence) => said.push(sentence)).release()
    expect(said).toHaveLength(1)
  })

  it('is private, with its crash reports, which contain parts of the memory', () => {
    const folder = openToAll()
    const crashes = path.join(folder, 'crashes')
    mkdirSync(crashes)
    chmodSync(crashes, 0o755)
    makePrivate(folder)
    expect([folder, crashes].map((each) => statSync(each).mode & 0o777)).toEqual([0o700, 0o700])
  })

  it('keeps its mode if it contains other files, which keep theirs', () => {
    const folder = openToAll()
    chmodSync(folder, 0o1777)
    writeFileSync(path.join(folder, 'thesis.odt'), '', { mode: 0o644 })
    chmodSync(path.join(folder, 'thesis.odt'), 0o644)
    makePrivate(folder)
    expect(statSync(folder).mode & 0o7777).toBe(0o1777)
    expect(modes(folder)).toMatchObject({ 'thesis.odt': '644', key: '600', 'tabscope.db': '600' })
    chmodSync(folder, 0o777)
    expect(refusal(() => makePrivate(folder)).message).toMatch(
      /^Other users can write in .+ --data DIR\.$/,
    )
  })

  it('does not change the target of a link', () => {
    const folder = openToAll()
    const elsewhere = path.join(tempFolder(), 'elsewhere')
    mkdirSync(elsewhere)
    const file = path.join(elsewhere, 'file.db')
    writeFileSync(file, '')
    chmodSync(file, 0o644)
    symlinkSync(file, path.join(folder, 'logs', 'linked.db'))
    makePrivate(folder)
    expect(statSync(file).mode & 0o777).toBe(0o644)
  })

  it.runIf(isRoot).each(['.', 'tabscope.db', 'logs', 'logs/abababababababab-1.db'])(
    'is refused where another user owns %s',
    (name) => {
      const folder = openToAll()
      const foreign = path.join(folder, name)
      chownSync(foreign, 65_534, 65_534)
      const { code, message } = refusal(() => lockFolder(folder))
      expect(code).toBe('store_failed')
      expect(message).toBe(
        `${foreign} belongs to another user (65534). Start Tabscope as that user, or use another folder: --data DIR.`,
      )
    },
  )

  it.runIf(isRoot)('does not trust what another user wrote about its holder', () => {
    const folder = openToAll()
    const word = path.join(folder, 'running.json')
    writeFileSync(word, JSON.stringify({ pid: 1, listener: null }))
    expect(readHolder(folder)).toMatchObject({ pid: 1 })
    chownSync(word, 65_534, 65_534)
    expect(readHolder(folder)).toBeNull()
  })
})
