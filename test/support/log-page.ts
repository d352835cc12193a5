import { hash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { describeFindings } from '#catalogue/findings.ts'
import type { LogHead } from '#contract/event-log.ts'
import type { Header } from '#contract/models.ts'
import { inspect } from '#engine/payload/inspect.ts'
import { redactedNote } from '#engine/event-logs/export/head.ts'
import type { DeliveryItem, LogItem } from '#engine/event-logs/items.ts'
import html from '#engine/event-logs/formats/html.ts'
import { traffic } from '#sandbox/traffic.ts'
import { untouched } from './event-log/sample-item.ts'
import { deliveryOf, type SampleDelivery } from './sample-delivery.ts'

/** Time of the first delivery of a generated log. */
export const firstAt = Date.parse('2026-03-14T21:09:00.123Z')

export const head: LogHead = {
  kind: 'head',
  format: 'tabscope-event-log',
  version: 1,
  app: '0.1.0',
  exportedAt: '2026-03-15T08:00:00.000Z',
  scope: { filter: '', from: null, to: null, selected: null, traceOf: null },
  redaction: {
    on: true,
    list: 1,
    kept: ['data.loyaltyTier'],
    masked: ['data.spotName'],
    note: redactedNote,
  },
  counts: { deliveries: 0, integrations: 0, endpoints: 0, tokens: 0, runs: 0 },
}

type Fields = DeliveryItem['delivery']['fields']

export function itemOf(
  { method, body, headers, arrival, endpoint, settings }: SampleDelivery,
  id: number,
  edits: Partial<Fields> = {},
  more: Partial<Omit<DeliveryItem['delivery'], 'fields' | 'body'>> = {},
): DeliveryItem {
  const rawHeaders = headers.flat()
  const inspected = inspect({ method, body, arrival, rawHeaders }, endpoint, settings.brand)
  const fields: Fields = {
    id,
    receivedAt: firstAt + id * 1000,
    method,
    path: '/hooks/main',
    endpointId: endpoint === null ? null : 1,
    ...inspected,
    findings: describeFindings(inspected),
    sha256: hash('sha256', body, 'hex'),
    status: 200,
    responseMs: 1.25,
    bytes: body.byteLength,
    arrival,
    ...untouched,
    headers: headers.map(([name, value]): Header => [name, value]),
    trailers: [],
    reason: null,
    endpointName: endpoint === null ? null : 'Main',
    brand: settings.brand,
    note: '',
    bodyRedacted: false,
    notForwarded: [],
    ...edits,
  }
  return { kind: 'delivery', delivery: { fields, body, omitted: null, attempts: [], ...more } }
}

/** Generates this number of deliveries of simulated traffic, one per second. */
export function* eveningItems(count: number, edits: Partial<Fields> = {}): Generator<LogItem> {
  let id = 0
  for (const step of traffic({ seed: 7, brand: 'Acme', count })) {
    id += 1
    const payload = step.payload(new Date(firstAt + id * 1000 - 40))
    yield itemOf(deliveryOf(payload), id, edits)
  }
}

export function writePage(
  folder: string,
  name: string,
  items: Iterable<LogItem>,
  changed: Partial<LogHead> = {},
): string {
  const file = path.join(folder, `${name}.html`)
  writeFileSync(file, pageText(items, changed))
  return pathToFileURL(file).href
}

export function pageText(items: Iterable<LogItem>, changed: Partial<LogHead> = {}): string {
  const pieces: (string | Uint8Array)[] = []
  const env = { target: '', removed: () => ({ handle: 3, email: 1 }) }
  for (const piece of html.write({ ...head, ...changed }, items, env)) pieces.push(piece)
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece))).toString()
}
