import { describe, expect, it } from 'vitest'
import { AppError } from '#engine/platform/errors.ts'
import {
  deleteEndpoint,
  insertEndpoint,
  readEndpoints,
  updateEndpoint,
  writeSecrets,
} from '#engine/endpoints/store.ts'
import { storeWith } from '#test/support/test-store.ts'

const fields = {
  integrationId: 1,
  name: 'Kitchen',
  slug: 'kitchen',
  applicationId: 'app-7',
  customHeaders: [
    ['X-Env', 'a'],
    ['x-env', ''],
  ] satisfies [string, string][],
}

function thrown(run: () => unknown): AppError {
  try {
    run()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('it did not throw')
}

describe('endpoints', () => {
  it('include one for the sandbox in a new store', () => {
    expect(readEndpoints(storeWith().db)).toMatchObject([
      { id: 1, integrationId: 1, slug: 'sandbox', sealed: {} },
    ])
  })

  it('are read as they were written, with their secrets', () => {
    const { db } = storeWith()
    const id = insertEndpoint(db, fields)
    const sealed = { current: Buffer.from([1, 0, 255]), previous: Buffer.alloc(0) }
    writeSecrets(db, id, sealed)
    expect(readEndpoints(db)[1]).toEqual({
      id,
      ...fields,
      sealedHeaders: null,
      hadSecret: true,
      sealed,
    })
    writeSecrets(db, id, { previous: Buffer.from([2]) })
    expect(readEndpoints(db)[1]?.sealed).toEqual({ previous: Buffer.from([2]) })
  })

  it('reject a path that another endpoint has, and name it', () => {
    const { db } = storeWith()
    const error = thrown(() => insertEndpoint(db, { ...fields, slug: 'sandbox' }))
    expect(error).toMatchObject({ code: 'path_taken', details: { fields: ['slug'] } })
    expect(error.message).toContain('/hooks/sandbox belongs to the endpoint "Samples"')
    const id = insertEndpoint(db, fields)
    expect(thrown(() => updateEndpoint(db, id, { ...fields, slug: 'sandbox' })).code).toBe(
      'path_taken',
    )
    updateEndpoint(db, id, { ...fields, name: 'Bar' })
    expect(readEndpoints(db)[1]).toMatchObject({ name: 'Bar', slug: 'kitchen' })
  })

  it('are deleted with their secrets, and their ID is not reused', () => {
    const { db } = storeWith()
    const id = insertEndpoint(db, fields)
    writeSecrets(db, id, { current: Buffer.from([1]) })
    deleteEndpoint(db, id)
    expect(db.prepare('SELECT * FROM endpoint_secret').all()).toEqual([])
    // A delivery names its endpoint by number: a new one must not inherit those of an old one.
    expect(insertEndpoint(db, fields)).toBe(id + 1)
  })
})
