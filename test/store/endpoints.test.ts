import { expect, it } from 'vitest'
import { deleteEndpoint, insertEndpoint, writeSecrets } from '#engine/deliveries/endpoints/store.ts'
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

it('endpoints are deleted with their secrets, and their ID is not reused', () => {
  const { db } = storeWith()
  const id = insertEndpoint(db, fields)
  writeSecrets(db, id, { current: Buffer.from([1]) })
  deleteEndpoint(db, id)
  expect(db.prepare('SELECT * FROM endpoint_secret').all()).toEqual([])
  // A delivery names its endpoint by number: a new one must not inherit those of an old one.
  expect(insertEndpoint(db, fields)).toBe(id + 1)
})
