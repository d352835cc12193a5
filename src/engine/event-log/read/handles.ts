import { field } from '#catalogue/payload.ts'
import { verdicts } from '#contract/verdicts.ts'
import { parseBody } from '../../capture/parse-body.ts'
import { blockOf, firstOf, lastOf } from '../../search/scan.ts'
import { readStats } from '../../store/deliveries.ts'
import { prepare, type Db } from '../../store/driver.ts'

/** So many are kept in mind, at most: memory must not grow with the store. */
const mostHandles = 100_000
/** What carries a guest's handle is small. */
const bodyLimit = 64 * 1024

/** Types whose `data.handle` is how a guest can be reached: phone number or e-mail address (SPEC, "Guests"). */
const guestTypes = ['GUEST_SUBSCRIBED', 'GUEST_UNSUBSCRIBED'] as const

function list(values: readonly string[]): string {
  return values.map((each) => `'${each}'`).join(', ')
}

/**
 * Handles of guests, those of the newest deliveries first, each once. A block of ids at a time, by the index over types, so that a store
 * without guests is looked through in an instant.
 */
export function* readHandles(db: Db): Generator<string, void, undefined> {
  const find = prepare<[number, number], number>(
    db,
    `SELECT id FROM delivery INDEXED BY delivery_by_type
     WHERE type IN (${list(guestTypes)}) AND verdict IN (${list(verdicts)}) AND id BETWEEN ? AND ?
     ORDER BY id DESC`,
  ).pluck()
  const bodyOf = prepare<[number, number], Uint8Array | null>(
    db,
    'SELECT body FROM delivery_content WHERE id = ? AND length(body) <= ?',
  ).pluck()
  const told = new Set<string>()
  for (let block = blockOf(readStats(db).newestId); block >= 0; block -= 1) {
    for (const id of find.all(firstOf(block), lastOf(block))) {
      const parsed = parseBody(bodyOf.get(id, bodyLimit) ?? new Uint8Array())
      const handle = parsed.kind === 'object' ? field(parsed.payload.data, 'handle') : undefined
      if (typeof handle !== 'string' || handle.trim() === '' || told.has(handle)) continue
      told.add(handle)
      yield handle
      if (told.size >= mostHandles) return
    }
  }
}
