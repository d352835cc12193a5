import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { AppError } from '#engine/platform/errors.ts'
import { readByIds } from '#engine/deliveries/store.ts'
import { openReader } from '#engine/platform/sqlite.ts'
import { migrations, newestVersion } from '#engine/store/migrations/migrations.ts'
import { prepareStore } from '#engine/store/open.ts'
import { storePath } from '#engine/store/data-folder.ts'
import { deliveryRecord } from '#test/support/journal-records.ts'
import { storeWith } from '#test/support/test-store.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

function filled(): string {
  const { db, folder } = storeWith(
    Array.from({ length: 300 }, (_, i) => deliveryRecord(i + 1, { body: Buffer.alloc(900, i) })),
  )
  db.close()
  return folder
}

function change(file: string, sql: string): void {
  const db = new Database(file)
  db.exec(sql)
  db.close()
}

const pageBytes = 4096
const damages: [name: string, damage: (file: string) => void][] = [
  ['garbage', (file) => writeFileSync(file, 'this is no database, '.repeat(500))],
  ['cut in half', (file) => writeFileSync(file, readFileSync(file).subarray(0, 20 * pageBytes))],
  [
    'with pages of noise',
    (file) => {
      const bytes = readFileSync(file)
      bytes.fill(0xa5, 10 * pageBytes, 14 * pageBytes)
      writeFileSync(file, bytes)
    },
  ],
  ['without its deliveries', (file) => change(file, 'DROP TABLE delivery_content')],
  ['without its progress', (file) => change(file, 'DROP TABLE progress')],
  [
    'that another program made',
    (file) => {
      writeFileSync(file, '')
      change(
        file,
        'CREATE TABLE moz_places (id INTEGER PRIMARY KEY); INSERT INTO moz_places VALUES (1)',
      )
    },
  ],
  [
    'that another program numbered',
    (file) => {
      writeFileSync(file, '')
      change(file, 'CREATE TABLE notes (t TEXT); PRAGMA user_version = 1')
    },
  ],
]

describe('a store', () => {
  it.each(damages)('%s is moved aside unchanged, and a new one is created', (_, damage) => {
    const folder = filled()
    const file = storePath(folder)
    damage(file)
    const bytes = readFileSync(file)
    const { setAside, lastId } = prepareStore(folder, '20260314T210000')
    expect(setAside).toBe(`${file}.damaged-20260314T210000`)
    expect(readFileSync(setAside ?? '').equals(bytes)).toBe(true)
    expect(lastId).toBe(0)
    expect(prepareStore(folder, 'later').setAside).toBeNull()
  })

  it.each(damages.filter(([name]) => name !== 'with pages of noise'))(
    '%s is detected even if it is too large for a complete check',
    (_, damage) => {
      const folder = filled()
      damage(storePath(folder))
      expect(prepareStore(folder, 'now', migrations, 0).setAside).not.toBeNull()
    },
  )

  it('with a broken configuration table is detected at any size', () => {
    const folder = filled()
    const file = storePath(folder)
    const db = new Database(file)
    const root = db
      .prepare<[], { page: number }>(
        "SELECT rootpage AS page FROM sqlite_schema WHERE name = 'endpoint'",
      )
      .get()
    db.close()
    const bytes = readFileSync(file)
    const from = ((root?.page ?? 0) - 1) * pageBytes
    writeFileSync(file, bytes.fill(0xa5, from, from + pageBytes))
    expect(prepareStore(folder, 'now', migrations, 0).setAside).not.toBeNull()
  })

  it('too large for a complete check is opened unchanged if it is intact', () => {
    const folder = filled()
    const { setAside, lastId } = prepareStore(folder, 'now', migrations, 0)
    expect({ setAside, lastId }).toEqual({ setAside: null, lastId: 300 })
  })

  it('never overwrites another when it is moved aside', () => {
    const folder = tempFolder()
    const file = storePath(folder)
    const put = (text: string) => {
      writeFileSync(file, text)
      writeFileSync(`${file}-wal`, `wal of ${text}`)
      return prepareStore(folder, 'now').setAside ?? ''
    }
    const asides = ['first '.repeat(99), 'second '.repeat(99), 'third '.repeat(99)].map(put)
    expect(new Set(asides).size).toBe(3)
    expect(asides.map((aside) => readFileSync(aside, 'utf8').slice(0, 6))).toEqual([
      'first ',
      'second',
      'third ',
    ])
    expect(asides.map((aside) => readFileSync(`${aside}-wal`, 'utf8').slice(0, 9))).toEqual([
      'wal of fi',
      'wal of se',
      'wal of th',
    ])
  })

  it('is created if the file is empty', () => {
    const folder = tempFolder()
    writeFileSync(storePath(folder), '')
    expect(prepareStore(folder, 'now').setAside).toBeNull()
  })

  it('is complete after a kill with its last rows in the WAL', () => {
    const { path: file, ingest } = storeWith()
    ingest.take([deliveryRecord(1), deliveryRecord(2)], 50)
    // A copy while the writer is open: a kill leaves the same files.
    const folder = tempFolder()
    for (const end of ['', '-wal']) copyFileSync(file + end, storePath(folder) + end)
    expect(prepareStore(folder, 'now')).toMatchObject({
      setAside: null,
      journalPosition: 50,
      lastId: 2,
    })
    const db = openReader(storePath(folder))
    expect(readByIds(db, [1, 2])).toHaveLength(2)
    db.close()
  })

  it.each(['DELETE', 'WAL'])('of a newer version in mode %s is refused and not changed', (mode) => {
    const made = path.join(tempFolder(), 'tabscope.db')
    const db = new Database(made)
    db.pragma(`journal_mode = ${mode}`)
    db.exec('PRAGMA user_version = 99; CREATE TABLE unheard_of (a)')
    const folder = tempFolder()
    const files = ['', '-wal'].filter((end) => existsSync(made + end))
    for (const end of files) copyFileSync(made + end, storePath(folder) + end)
    db.close()
    const bytes = files.map((end) => readFileSync(storePath(folder) + end))
    let error: unknown
    try {
      prepareStore(folder, 'now')
    } catch (caught) {
      error = caught
    }
    expect(error).toBeInstanceOf(AppError)
    expect(error).toMatchObject({
      code: 'store_too_new',
      details: { found: 99, known: newestVersion(migrations) },
    })
    for (const [index, end] of files.entries()) {
      expect(readFileSync(storePath(folder) + end).equals(bytes[index] ?? Buffer.alloc(0))).toBe(
        true,
      )
    }
    expect(readdirSync(folder).filter((name) => /damaged|backup/.test(name))).toEqual([])
  })
})
