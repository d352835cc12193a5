import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { cacheCaptured } from '#engine/sending/single/single.ts'
import { delivery } from '../prepare/captured-delivery.ts'

test('a delivery is read once while its draft is edited, and not found once it is deleted', () => {
  const db = new Database(':memory:')
  onTestFinished(() => void db.close())
  db.exec(
    'CREATE TABLE delivery (id INTEGER PRIMARY KEY); INSERT INTO delivery VALUES (1), (2), (3)',
  )
  const read: number[] = []
  const cached = cacheCaptured(db, (id) => {
    read.push(id)
    return delivery({ id })
  })
  for (const id of [1, 1, 2, 1, 2]) expect(cached(id)?.id).toBe(id)
  expect(read).toEqual([1, 2])
  // The least recently used one is removed.
  for (const id of [3, 2, 1]) cached(id)
  expect(read).toEqual([1, 2, 3, 1])
  db.exec('DELETE FROM delivery WHERE id = 1')
  expect(cached(1)).toBeNull()
  expect(read).toEqual([1, 2, 3, 1])
})
