import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { openReader, emptyWal } from '#engine/platform/sqlite.ts'
import { storePath } from '#engine/platform/store/data-folder.ts'
import { firstFields } from '#engine/authorization/oauth/live-run.ts'
import { insertRun, readRunSecret, updateRun } from '#engine/authorization/oauth/store.ts'
import {
  deleteToken,
  insertToken,
  readTokens,
  updateToken,
  type TokenFields,
} from '#engine/authorization/tokens/store.ts'
import { openTestStore } from '#test/support/open-store.ts'
import { storeWith } from '#test/support/test-store.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

const fields: TokenFields = {
  integrationId: 1,
  label: 'Anna',
  sealedAccess: Buffer.from([1, 0, 255]),
  sealedRefresh: null,
  initiated: 1_700_000_000,
  expires: 1_700_086_400,
  expiresIn: 86_400,
  obtainedAt: 1_700_000_000_123,
  version: 3,
  status: 'invalid',
  findings: [{ code: 'token.lifetime', severity: 'warning', location: 'body', message: 'Short.' }],
  events: [
    { kind: 'issued', at: 1_700_000_000_123, detail: null, runId: 4 },
    { kind: 'forbidden', at: 1_600_000_000_000, detail: 'A 403.', runId: null },
  ],
}

/** A sealed value that can be found in a file. */
const canary = (mark: string, bytes = 300) => Buffer.from(`SEALED-${mark}-`.padEnd(bytes, mark))

function filesOf(folder: string): Buffer {
  const files = readdirSync(folder).filter((name) => /^(tabscope|config)\.db/.test(name))
  return Buffer.concat(files.map((name) => readFileSync(path.join(folder, name))))
}

describe('tokens', () => {
  it('are not restored by an update after deletion', () => {
    const { db } = storeWith()
    updateToken(db, { id: 5, ...fields })
    expect(readTokens(db)).toEqual([])
    expect(db.prepare('SELECT count(*) AS n FROM token_event').get()).toEqual({ n: 0 })
  })

  it.each([300, 20_000])('leave no sealed byte in the files once wiped (%d bytes)', (bytes) => {
    const { db, folder } = storeWith()
    for (const label of ['a', 'b', 'c'])
      insertToken(db, { ...fields, label, sealedAccess: canary(label, bytes) })
    const [first, second] = readTokens(db)
    if (!first || !second) throw new Error('there are three')
    updateToken(db, { ...first, sealedAccess: canary('d', bytes) })
    expect(filesOf(folder).includes('SEALED-a')).toBe(true)
    updateToken(db, { ...first, sealedAccess: null })
    deleteToken(db, second.id)
    expect(emptyWal(db)).toBe(true)
    const left = filesOf(folder)
    for (const mark of ['a', 'b', 'd']) expect(left.includes(`SEALED-${mark}`)).toBe(false)
    expect(left.includes('SEALED-c')).toBe(true)
    expect(db.pragma('secure_delete', { simple: true })).toBe(0)
  })

  it('are wiped from the records of runs, without affecting other tokens', () => {
    const { db } = storeWith()
    for (let token = 1; token <= 2; token += 1) {
      insertToken(db, fields)
      const run = {
        ...firstFields({ integrationId: 1, kind: 'refresh', agent: null, redirectUrl: '' }, 0),
        tokenId: token,
      }
      const names = ['access_token', 'refresh_token', 'code', 'token_1', 'refresh_token_1']
      const id = insertRun(db, { ...run, steps: [], findings: [], maskedValues: [] })
      updateRun(
        db,
        { ...run, id, steps: [], findings: [], maskedValues: [] },
        names.map((name) => ({ name, sealed: Buffer.of(1) })),
      )
    }
    const namesOf = (run: number) =>
      ['access_token', 'code', 'refresh_token'].filter((name) => readRunSecret(db, run, name))
    const [first] = readTokens(db)
    if (!first) throw new Error('it is there')
    updateToken(db, first, true)
    expect(namesOf(1)).toEqual(['code'])
    expect(namesOf(2)).toEqual(['access_token', 'code', 'refresh_token'])
    deleteToken(db, 2)
    expect(namesOf(2)).toEqual(['code'])
  })

  it('are wiped by the writer thread, also after a restart', async () => {
    const folder = tempFolder()
    const first = await openTestStore(folder)
    const { writer } = first.store
    const id = await writer.call('insertToken', { ...fields, sealedAccess: canary('a') })
    await writer.call('insertToken', { ...fields, sealedAccess: canary('b') })
    await writer.call('insertToken', { ...fields, sealedAccess: canary('c') })
    const [token] = storedIn(folder)
    if (!token) throw new Error('it is there')
    await writer.call('updateToken', { token: { ...token, sealedAccess: null }, wipe: true })
    await writer.call('deleteToken', id + 1)
    const left = filesOf(folder)
    expect(['a', 'b', 'c'].map((mark) => left.includes(`SEALED-${mark}`))).toEqual([
      false,
      false,
      true,
    ])
    await first.close()
    const again = await openTestStore(folder)
    expect(again.store.initial.tokens.map(({ id, sealedAccess }) => [id, sealedAccess])).toEqual([
      [id, null],
      [id + 2, canary('c')],
    ])
  })
})

function storedIn(folder: string) {
  const db = openReader(storePath(folder))
  try {
    return readTokens(db)
  } finally {
    db.close()
  }
}
