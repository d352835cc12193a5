import type { Delivery } from '#contract/models.ts'
import { AppError } from '#engine/platform/errors.ts'
import type { Session } from './session.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { printMessage } from '../output/output.ts'

export type DeliveryRef = number | 'latest'

/** Without duplicates. Waits for deliveries that were received but are not stored yet. Throws `not_found` for `latest` if none is stored. */
export async function sessionDeliveryIds(
  session: Session,
  words: readonly DeliveryRef[],
  log: number | null = null,
): Promise<number[]> {
  if (!words.includes('latest')) return idsOf(words, undefined, '')
  if (log === null) await untilIndexed(session)
  const page = { filter: '', upTo: null, asOf: Date.now(), offset: 0, limit: 1, log }
  const [newest] = (await session.call('deliveries.page', page)).rows
  return idsOf(words, newest?.id, 'No deliveries. To receive webhooks: tabscope listen')
}

/** Without duplicates. `none`: the error for `latest` if there is none. */
export function idsOf(
  words: readonly DeliveryRef[],
  latest: number | undefined,
  none: string,
): number[] {
  const ids = words.map((word) => (word === 'latest' ? latest : word))
  if (ids.includes(undefined)) throw new AppError('not_found', none)
  return [...new Set(ids.filter((id) => id !== undefined))]
}

/** Even if some do not exist; throws `not_found` at the end for these. */
export async function forEachOf(
  kind: 'Delivery' | 'Attempt',
  ids: readonly number[],
  work: (id: number) => Promise<void>,
): Promise<void> {
  const unknown: number[] = []
  for (const id of ids) {
    try {
      await work(id)
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'not_found')) throw error
      unknown.push(id)
    }
  }
  if (unknown.length === 0) return
  const list =
    kind === 'Delivery'
      ? 'list deliveries: tabscope delivery list'
      : 'list attempts: tabscope attempt list'
  throw new AppError('not_found', `${kind} ${unknown.join(', ')} does not exist. To ${list}`)
}

export function forEachDelivery(
  ids: readonly number[],
  work: (id: number) => Promise<void>,
): Promise<void> {
  return forEachOf('Delivery', ids, work)
}

/** Read before any is changed. Throws `not_found` if one does not exist. */
export async function deliveriesOf(
  session: Session,
  words: readonly DeliveryRef[],
  log: number | null = null,
): Promise<Delivery[]> {
  const found: Delivery[] = []
  await forEachDelivery(await sessionDeliveryIds(session, words, log), async (id) => {
    found.push(await session.call('deliveries.get', { id, log }))
  })
  return found
}

const stalledMs = 10_000
const reportIntervalMs = 2000

/** As long as the search index makes progress. Resolves to the number of deliveries that are not indexed: 0 unless it stalled. */
export async function untilIndexed(session: Pick<Session, 'call'>): Promise<number> {
  const first = await session.call('deliveries.stored', {})
  const { newestId } = first
  let { indexedId } = first
  let progressAt = performance.now()
  let reportedAt = progressAt
  while (indexedId < newestId) {
    await pause(20)
    const now = performance.now()
    const current = (await session.call('deliveries.stored', {})).indexedId
    if (current > indexedId) progressAt = now
    else if (now - progressAt > stalledMs) return newestId - current
    indexedId = current
    if (now - reportedAt > reportIntervalMs) {
      reportedAt = now
      printMessage(`Indexing deliveries: ${indexedId} of ${newestId}.`)
    }
  }
  return 0
}

const slice = 1024 * 1024

export async function storedBody(
  session: Session,
  id: number,
  log: number | null = null,
): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for (let offset = 0; ;) {
    const wanted = { id, log, offset, length: slice }
    const { bytes, size } = await session.call('deliveries.body', wanted)
    pieces.push(bytes)
    offset += bytes.byteLength
    if (bytes.byteLength === 0 || offset >= size) return Buffer.concat(pieces)
  }
}
