import { createHash } from 'node:crypto'
import path from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { authorizingInOneEngine, openAuthorizing } from '#test/support/authorization.ts'

describe('a redirect that is refused', () => {
  const open = authorizingInOneEngine()

  it.each([
    ['code=C', 'No state was returned'],
    ['code=C&state=wrong', 'does not match the one sent'],
    ['code=C&state=STATE&state=STATE', 'was returned 2 times'],
  ])('?%s, pasted, is rejected, and the run continues', async (query, words) => {
    await using auth = await open()
    const run = await auth.start()
    const error: unknown = await auth
      .paste(run, auth.redirectFor(run, query))
      .catch((thrown) => thrown)
    expect(error).toMatchObject({ code: 'not_ours' })
    expect(String(error)).toContain(words)
    await auth.paste(run, auth.redirectFor(run))
    expect(await auth.ended(run)).toMatchObject({ state: 'succeeded' })
  })

  it('never sends a code twice, not even in another run or after a new start', async () => {
    await using auth = await open()
    await auth.through()
    const again = await auth.through()
    expect(again.failure).toMatchObject({ code: 'code_used' })
    expect(again.steps.map(({ kind }) => kind)).not.toContain('exchange')
    expect(auth.endpoint.received).toHaveLength(1)
  })

  it('records a code before it is sent, so that it is not sent again after a crash', async () => {
    await using auth = await openAuthorizing()
    const noted: unknown[] = []
    auth.endpoint.answer = (response) => {
      const db = new Database(path.join(auth.tab.dataDir, 'config.db'), { readonly: true })
      noted.push(db.prepare('SELECT code_hash FROM run WHERE code_hash IS NOT NULL').pluck().all())
      db.close()
      response.destroy()
    }
    await auth.through()
    expect(noted).toEqual([[createHash('sha256').update(auth.code).digest('hex')]])
  })

  it('never sends a code twice, not even when the exchange failed', async () => {
    await using auth = await open()
    const { answer } = auth.endpoint
    auth.endpoint.answer = (response) => void response.destroy()
    expect((await auth.through()).failure).toMatchObject({ code: 'token_unreachable' })
    auth.endpoint.answer = answer
    expect((await auth.through()).failure).toMatchObject({ code: 'code_used' })
    expect(auth.endpoint.received).toHaveLength(1)
  })
})

describe('an address that is pasted', () => {
  const open = authorizingInOneEngine()

  it('must be a URL, and a run must be waiting for it', async () => {
    await using auth = await open()
    const run = await auth.start()
    await expect(auth.paste(run, 'client.invalid/cb')).rejects.toMatchObject({ code: 'bad_input' })
    await auth.paste(run, auth.redirectFor(run))
    await auth.ended(run)
    await expect(auth.paste(run, auth.redirectFor(run))).rejects.toMatchObject({ code: 'run_over' })
    const unknown = { ...run, id: 4711 }
    await expect(auth.paste(unknown, 'https://x.example')).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})
