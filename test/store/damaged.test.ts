import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { full } from '#test/support/full.ts'
import { seeded } from '#test/support/random-json.ts'
import { AppError } from '#engine/platform/errors.ts'
import { readByIds, readDelivery } from '#engine/deliveries/store.ts'
import { openReader } from '#engine/platform/sqlite.ts'
import { migrations, newestVersion } from '#engine/platform/store/migrations/migrations.ts'
import { prepareStore } from '#engine/app/opening/open-store.ts'
import { storePath } from '#engine/platform/store/data-folder.ts'
import { delivery } from '#test/support/groups.ts'
import { storeWith } from '#test/support/test-store.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

function filled(): string {
  const { db, folder } = storeWith(
    Array.from({ length: 300 }, (_, i) => delivery(i + 1, { body: Buffer.alloc(900, i) })),
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

/** What a command that must not change a damaged store says. */
function refusal(folder: string): string {
  try {
    prepareStore(folder, 'now', migrations, undefined, true)
  } catch (error) {
    if (error instanceof AppError) return error.message
  }
  return ''
}

describe('a store', () => {
  it.each(damages)('%s is moved aside unchanged, and a new one is usable', (_, damage) => {
    const folder = filled()
    const file = storePath(folder)
    damage(file)
    const bytes = readFileSync(file)
    const { damaged } = prepareStore(folder, '20260314T210000')
    const aside = damaged[0]?.path ?? ''
    expect(aside).toBe(`${file}.damaged-20260314T210000`)
    expect(readFileSync(aside).equals(bytes)).toBe(true)
    // It is reported until the file is deleted.
    expect(prepareStore(folder, 'later').damaged).toEqual(damaged)
    rmSync(aside)
    expect(prepareStore(folder, 'later').damaged).toEqual([])
  })

  it('keeps every readable row when pages are damaged, and says how many deliveries were lost', () => {
    const random = seeded(36)
    const totals = { rounds: 0, lost: 0 }
    for (let round = 0; round < (full ? 12 : 3); round += 1) {
      const folder = filled()
      const file = storePath(folder)
      const bytes = readFileSync(file)
      // Page 1 has the schema, without which nothing can be read.
      for (let n = 0; n < 3; n += 1) {
        const page = 1 + Math.floor(random() * (bytes.byteLength / pageBytes - 1))
        bytes.fill(0xa5, page * pageBytes, (page + 1) * pageBytes)
      }
      writeFileSync(file, bytes)
      const refused = refusal(folder)
      const { damaged, lastId } = prepareStore(folder, `round-${round}`)
      const lost = damaged[0]?.lost ?? null
      const db = openReader(file)
      const kept = Array.from({ length: 300 }, (_, i) => readDelivery(db, i + 1)).filter(Boolean)
      expect(db.pragma('quick_check', { simple: true })).toBe('ok')
      db.close()
      if (lost !== null) {
        expect({ lastId, kept: kept.length }).toEqual({ lastId: 300, kept: 300 - lost })
        // Without a number if the schema is damaged, which only a start replaces.
        expect(refused).toMatch(
          new RegExp(
            `is damaged (?:\\(${lost} deliver(?:y|ies) of 300 cannot be read\\) )?and was not`,
          ),
        )
        totals.rounds += 1
        totals.lost += lost
      }
    }
    expect(totals.rounds).toBeGreaterThan(full ? 6 : 0)
    expect(totals.lost / totals.rounds).toBeLessThan(60)
  })

  it.each(damages.filter(([name]) => name !== 'with pages of noise'))(
    '%s is detected even if it is too large for a complete check',
    (_, damage) => {
      const folder = filled()
      damage(storePath(folder))
      expect(prepareStore(folder, 'now', migrations, 0).damaged).toHaveLength(1)
    },
  )

  it('with a broken table beside its deliveries is detected at any size', () => {
    const folder = filled()
    const file = storePath(folder)
    const db = new Database(file)
    const root = db
      .prepare<[], { page: number }>(
        "SELECT rootpage AS page FROM sqlite_schema WHERE name = 'rehearsal'",
      )
      .get()
    db.close()
    const bytes = readFileSync(file)
    const from = ((root?.page ?? 0) - 1) * pageBytes
    writeFileSync(file, bytes.fill(0xa5, from, from + pageBytes))
    expect(prepareStore(folder, 'now', migrations, 0).damaged).toHaveLength(1)
  })

  it('too large for a complete check is opened unchanged if it is intact', () => {
    const folder = filled()
    expect(prepareStore(folder, 'now', migrations, 0)).toMatchObject({ damaged: [], lastId: 300 })
  })

  it('is copied again if an earlier start did not complete that', () => {
    const folder = filled()
    const file = storePath(folder)
    const aside = `${file}.damaged-before`
    renameSync(file, aside)
    writeFileSync(`${file}.replacing`, aside)
    copyFileSync(prepareStore(tempFolder(), 'now').path, file)
    expect(prepareStore(folder, 'now').damaged).toMatchObject([{ path: aside, kept: 300, lost: 0 }])
    expect(prepareStore(folder, 'later')).toMatchObject({ lastId: 300, damaged: [{ kept: 300 }] })
    expect(existsSync(`${file}.replacing`)).toBe(false)
  })

  it('never overwrites another when it is moved aside', () => {
    const folder = tempFolder()
    const file = storePath(folder)
    const put = (text: string) => {
      writeFileSync(file, text)
      writeFileSync(`${file}-wal`, `wal of ${text}`)
      return prepareStore(folder, 'now').damaged.at(-1)?.path ?? ''
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
    expect(prepareStore(folder, 'now').damaged).toEqual([])
  })

  it('is complete after a kill with its last rows in the WAL', () => {
    const { path: file } = storeWith([delivery(1), delivery(2)])
    // A copy while the writer is open: a kill leaves the same files.
    const folder = tempFolder()
    for (const end of ['', '-wal']) copyFileSync(file + end, storePath(folder) + end)
    expect(prepareStore(folder, 'now')).toMatchObject({ damaged: [], lastId: 2 })
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
