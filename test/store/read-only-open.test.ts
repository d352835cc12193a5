import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { holderPath, storePath } from '#engine/platform/store/data-folder.ts'
import { openWriter } from '#engine/platform/sqlite.ts'
import { prepareStore } from '#engine/app/opening/open-store.ts'
import { openSettled } from '#engine/app/opening/settled.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

function isSettled(folder: string): boolean {
  const db = openSettled(folder)
  db?.close()
  return db !== null
}

function closedStore(): string {
  const folder = tempFolder()
  prepareStore(folder, 'now')
  return folder
}

function change(folder: string, sql: string): void {
  const db = openWriter(storePath(folder))
  db.exec(sql)
  db.close()
}

describe('a store is opened for queries only', () => {
  it('if it was closed cleanly', () => {
    expect(isSettled(closedStore())).toBe(true)
  })

  it('fails while the folder is held, or not yet released', () => {
    const folder = closedStore()
    writeFileSync(holderPath(folder), '{"pid":1,"listener":null,"control":null}')
    expect(isSettled(folder)).toBe(false)
  })

  it.each([
    ['of an earlier format', 'PRAGMA user_version = 0'],
    ['of a later format', 'PRAGMA user_version = 9999'],
    [
      'with a job that was running',
      "INSERT INTO send_job (created_ms, state, total, request) VALUES (1, 'running', 1, '{}')",
    ],
  ])('not one %s', (_what, sql) => {
    const folder = closedStore()
    change(folder, sql)
    expect(isSettled(folder)).toBe(false)
  })

  it('not if it is missing, or not a store', () => {
    const folder = tempFolder()
    expect(isSettled(folder)).toBe(false)
    writeFileSync(storePath(folder), 'no database at all '.repeat(400))
    expect(isSettled(folder)).toBe(false)
  })

  it('and cannot be written', () => {
    const db = openSettled(closedStore())
    expect(() => db?.exec('DELETE FROM delivery')).toThrow(/readonly/)
    db?.close()
  })
})
