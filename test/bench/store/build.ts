import { createHmac } from 'node:crypto'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Payload } from '#catalogue/payload.ts'
import type { Group, GroupResponses, NewDelivery } from '#engine/deliveries/groups.ts'
import { inspect } from '#engine/payload/inspect.ts'
import { defaultSettings } from '#contract/models.ts'
import { annotate } from '#engine/deliveries/annotations-store.ts'
import { openWriter, type Db } from '#engine/platform/sqlite.ts'
import { Indexer } from '#engine/search/indexer/indexer.ts'
import { createIngest } from '#engine/deliveries/ingest.ts'
import { migrations, newestVersion } from '#engine/platform/store/migrations/migrations.ts'
import { prepareStore } from '#engine/app/opening/open-store.ts'
import { openSearchWriter, searchPathOf, storeKey } from '#engine/platform/store/search-file.ts'
import { readEndpoints } from '#engine/deliveries/endpoints/store.ts'
import { inspectedEndpoint } from '#engine/payload/endpoint.ts'
import { traffic } from '#sandbox/traffic.ts'
import { writeSettings } from '#engine/app/threads/writes.ts'

/** Increase this when the generated deliveries change, so that existing stores are rebuilt. */
export const recipe = 2
export const schemaVersion = newestVersion(migrations)
/** Search words of the benchmarks. Rare words occur in one of 50,000 deliveries. */
export const rareWord = 'quetzalcoatl'
const locations = ['Pier 9', 'Harbour', 'Old Mill', 'Station', 'Garden', 'Roof', 'Cellar', 'Depot']
const secret = 'whsec_bench_0123456789abcdef'
/** Interval between deliveries in microseconds: a million deliveries take a month. */
const apartUs = 2_600_000
const groupSize = 50
const batchMs = 6

export interface Built {
  readonly ingestPerSecond: number
  readonly indexPerSecond: number
  /** Duration of one index transaction in milliseconds. */
  readonly batch: { readonly p50: number; readonly p99: number; readonly max: number }
}

/** A realistic delivery: most are valid, some are invalid, and some are repeated. */
function* groups(count: number, endpointId: number): Generator<Group> {
  const endpoint = inspectedEndpoint({
    id: endpointId,
    name: 'Sandbox',
    brand: 'Service',
    secrets: [{ name: 'current', secret }],
    applicationId: 'app-pier-9',
    customHeaders: [],
  })
  const firstUs = (Date.now() - (count * apartUs) / 1000) * 1000
  const steps = traffic({ seed: 9, brand: 'Service', count: Infinity })
  let earlier: Payload = {}
  let deliveries: NewDelivery[] = []
  let responses: GroupResponses[] = []
  for (let id = 1; id <= count; id += 1) {
    const receivedUs = Math.round(firstUs + id * apartUs)
    const step = steps.next().value
    if (!step) throw new Error('the traffic ended')
    const payload =
      id % 400 === 0 ? earlier : changed(step.payload(new Date(receivedUs / 1000 - 40)), id)
    earlier = id % 390 === 0 ? payload : earlier
    // Every second repetition has different bytes.
    const body = Buffer.from(JSON.stringify(payload) + (id % 800 === 0 ? '\n' : ''))
    const signature = createHmac('sha256', id % 40 === 7 ? 'another' : secret).update(body)
    const rawHeaders = [
      'Host',
      '127.0.0.1:4780',
      'Content-Type',
      'application/json',
      'User-Agent',
      'Service-WebhookAgent/1.0',
      'X-Service-Event-Type',
      step.type,
      'X-Service-Application-ID',
      'app-pier-9',
      'Content-Length',
      String(body.byteLength),
    ]
    if (id % 100 !== 3) rawHeaders.push('X-Service-Signature', signature.digest('hex'))
    const known = id % 150 === 0 ? null : endpoint
    const inspected = inspect(
      { method: 'POST', rawHeaders, body, arrival: 'complete' },
      known,
      'Service',
    )
    deliveries.push({
      ...inspected,
      receivedUs,
      method: 'POST',
      path: known ? '/hooks/sandbox' : '/hooks/elsewhere',
      httpVersion: '1.1',
      remoteAddress: '127.0.0.1',
      endpointId: known?.id ?? null,
      endpointName: known?.name ?? null,
      brand: 'Service',
      arrival: 'complete',
      reason: null,
      bytes: body.byteLength,
      status: known ? 200 : 404,
      sentBy: null,
      respondedBy: null,
      via: null,
      headers: rawHeaders.join('\n'),
      trailers: '',
      body,
    })
    if (id % groupSize !== 0 && id !== count) continue
    const firstId = id - deliveries.length + 1
    yield { deliveries, bodies: new Uint8Array(), responses, late: [] }
    responses = [{ from: firstId, to: id, atUs: receivedUs + 900, lost: [] }]
    deliveries = []
  }
  yield { deliveries, bodies: new Uint8Array(), responses, late: [] }
}

function changed(payload: Payload, id: number): Payload {
  const locationName = locations[Math.floor(id / 7) % locations.length] ?? ''
  const extra =
    id % 50_000 === 11 || id === 11
      ? { comment: rareWord }
      : id % 60 === 0
        ? { floor: id % 4 }
        : null
  const data =
    extra && typeof payload.data === 'object' ? { ...payload.data, ...extra } : payload.data
  return { ...payload, locationName, data }
}

function annotateSome(db: Db, count: number): void {
  const tags = ['to fix', 'seen', 'demo']
  db.transaction(() => {
    for (let n = 0; n < 300; n += 1) {
      const id = Math.floor(((n + 0.5) / 300) * count) + 1
      if (n % 2 === 0) annotate(db, { id, tags: [tags[n % tags.length] ?? ''] })
      if (n % 5 === 0) annotate(db, { id, note: `Looked at, ${n}` })
    }
  })()
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

export function buildStore(folder: string, count: number, say: (line: string) => void): Built {
  const made = `${folder}.building`
  rmSync(made, { recursive: true, force: true })
  mkdirSync(path.dirname(made), { recursive: true })
  const { path: file } = prepareStore(made, 'now')
  const db = openWriter(file)
  // An unfinished store is built again.
  db.pragma('synchronous = OFF')
  const ingest = createIngest(db)
  let ingestMs = 0
  for (const group of groups(count, readEndpoints(db)[0]?.id ?? 1)) {
    const begun = performance.now()
    ingest.take(group)
    ingestMs += performance.now() - begun
  }
  say(`${count} deliveries: taken in at ${Math.round((count / ingestMs) * 1000)}/s`)
  const search = openSearchWriter(searchPathOf(file) ?? '', storeKey(db))
  const indexer = new Indexer(db, search)
  const batches: number[] = []
  while (indexer.indexedId < count) {
    const begun = performance.now()
    indexer.step(count, () => performance.now() - begun >= batchMs)
    batches.push(performance.now() - begun)
    if (batches.length % 5000 === 0) say(`  indexed up to ${indexer.indexedId}`)
  }
  const indexMs = batches.reduce((sum, ms) => sum + ms, 0)
  annotateSome(db, count)
  writeSettings(db, { ...defaultSettings, keepDeliveries: 10_000_000, keepBytes: 2 ** 40 })
  search.close()
  db.close()
  const sorted = batches.toSorted((a, b) => a - b)
  const built = {
    ingestPerSecond: (count / ingestMs) * 1000,
    indexPerSecond: (count / indexMs) * 1000,
    batch: { p50: at(sorted, 0.5), p99: at(sorted, 0.99), max: sorted.at(-1) ?? 0 },
  }
  rmSync(folder, { recursive: true, force: true })
  renameSync(made, folder)
  say(
    `  indexed at ${Math.round(built.indexPerSecond)}/s, a transaction p50 ${built.batch.p50.toFixed(1)} ms, p99 ${built.batch.p99.toFixed(1)} ms, max ${built.batch.max.toFixed(1)} ms`,
  )
  return built
}
