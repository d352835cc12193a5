import { existsSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type Database from 'better-sqlite3'
import { isObject, parseJson, type JsonObject } from '#shared/json/object.ts'
import { plural } from '#shared/text/format.ts'
import { createPrivately, syncFile } from './private-files.ts'

// What the user set up, and the tokens, in a file of its own: damage of the large file does not reach it.

/** Of the store or the configuration, in a connection that has both. */
export type Schema = 'main' | 'config'

/** Null for a file that has all tables itself: the store of an imported event log, a backup. */
export function configPathOf(storePath: string): string | null {
  return basename(storePath) === 'tabscope.db' ? join(dirname(storePath), 'config.db') : null
}

/** Of its last good state. */
export function configCopyOf(configPath: string): string {
  return `${configPath}.copy`
}

/** Replaces the copy. Fails, and keeps it, if the configuration cannot be read. */
export function copyConfiguration(db: Database.Database, configPath: string): void {
  const copy = configCopyOf(configPath)
  const part = `${copy}.part`
  rmSync(part, { force: true })
  try {
    // Created first, since SQLite accepts an empty file and keeps its mode.
    createPrivately(part)
    db.prepare('VACUUM config INTO ?').run(part)
    syncFile(part)
    renameSync(part, copy)
  } finally {
    rmSync(part, { force: true })
  }
}

/** After secrets were deleted, which it would keep. */
export function deleteConfigCopy(configPath: string): void {
  const copy = configCopyOf(configPath)
  if (existsSync(copy)) rmSync(copy)
}

/** Copies the rows of all tables of the configuration from one file to the other, where the tables exist. */
export function copyConfigurationRows(db: Database.Database, from: Schema, to: Schema): string[] {
  const names = configurationTables(db)
  for (const name of names) {
    const columns = columnsOf(db, from, name).filter((each) =>
      columnsOf(db, to, name).includes(each),
    )
    if (columns.length === 0) continue
    db.exec(
      `INSERT OR REPLACE INTO ${to}.${name} (${columns.join()}) SELECT ${columns.join()} FROM ${from}.${name}`,
    )
  }
  const listed = names.map((name) => `'${name}'`).join()
  // IDs of deleted rows are not used again.
  db.exec(`DELETE FROM ${to}.sqlite_sequence WHERE name IN (${listed});
    INSERT INTO ${to}.sqlite_sequence SELECT name, seq FROM ${from}.sqlite_sequence WHERE name IN (${listed})`)
  return names
}

function configurationTables(db: Database.Database): string[] {
  return db
    .prepare<[], string>(
      "SELECT name FROM config.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    .pluck()
    .all()
}

function columnsOf(db: Database.Database, schema: Schema, table: string): string[] {
  return db
    .prepare<[string, string], string>('SELECT name FROM pragma_table_info(?, ?)')
    .pluck()
    .all(table, schema)
}

/** Adds the configuration to a copy of the store, which then has all tables. */
export function addConfiguration(copy: Database.Database, configPath: string): void {
  copy.pragma('foreign_keys = OFF')
  copy.prepare('ATTACH ? AS config').run(configPath)
  copy.transaction(() => {
    const schema = copy
      .prepare<[], string>(
        "SELECT sql FROM config.sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type = 'index'",
      )
      .pluck()
      .all()
    for (const sql of schema) copy.exec(sql)
    copyConfigurationRows(copy, 'config', 'main')
  })()
  copy.exec('DETACH config')
}

/** The reverse of `addConfiguration`: moves the rows to `config.db`, whose tables exist. `turnsOff`: without what it would do unasked. */
export function splitConfiguration(db: Database.Database, turnsOff: boolean): void {
  db.pragma('foreign_keys = OFF')
  try {
    const names = db.transaction(() => {
      const copied = copyConfigurationRows(db, 'main', 'config')
      if (turnsOff) turnOff(db)
      return copied
    })()
    db.transaction(() => {
      for (const name of names) db.exec(`DROP TABLE IF EXISTS main.${name}`)
    })()
  } finally {
    db.pragma('foreign_keys = ON')
  }
}

const disabled = ["isOn(record, 'enabled')", "record = turnedOff(record, 'enabled')"] as const

/** What a configuration does without being asked, the table, when it does, and what ends that: it sends data elsewhere, or allows it. */
const unasked = [
  ['forward target', 'forward_target', ...disabled],
  ['response rule', 'response_rule', ...disabled],
  ['relay', 'relay', ...disabled],
  ['tunnel', 'tunnel', 'wanted', 'wanted = 0'],
  ['confirmed target', 'target', 'confirmed OR NOT verify_tls', 'confirmed = 0, verify_tls = 1'],
  [
    'refresh rule',
    'integration',
    "isOn(refresh, 'automatic') AND isOn(refresh, 'provenAt')",
    "refresh = turnedOff(refresh, 'automatic')",
  ],
  [
    'network setting',
    'setting',
    // As JSON, which can write each character in another way.
    `key IN ('proxy', 'caFile') AND value NOT IN ('', '""', '"system"', '"none"')`,
    "value = ''",
  ],
] as const

/** In words, such as `2 forward targets`. */
export function readUnasked(db: Database.Database): string[] {
  addFunctions(db)
  return unasked.flatMap(([what, table, isOn]) => {
    const count = Number(db.prepare(`SELECT count(*) FROM ${table} WHERE ${isOn}`).pluck().get())
    return count === 0 ? [] : [plural(count, what, `${what}s`)]
  })
}

export function turnOff(db: Database.Database): void {
  addFunctions(db)
  for (const [, table, isOn, off] of unasked)
    db.exec(`UPDATE config.${table} SET ${off} WHERE ${isOn}`)
}

/** Not those of SQLite, which reads the first of two equal keys, and Tabscope the last. */
function addFunctions(db: Database.Database): void {
  db.function('isOn', (record, key) => (recordOf(record)[String(key)] ? 1 : 0))
  db.function('turnedOff', (record, key) =>
    JSON.stringify({ ...recordOf(record), [String(key)]: false }),
  )
}

function recordOf(text: unknown): JsonObject {
  const parsed = parseJson(String(text))
  return isObject(parsed) ? parsed : {}
}
