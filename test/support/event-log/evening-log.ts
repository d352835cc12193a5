import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { LogDelivery, LogLine } from '#contract/event-log.ts'
import { sampleAttempt } from './sample-item.ts'
import { sampleEndpoint, sampleIntegration, sampleRun, sampleToken } from './sample-log.ts'
import { sampleRehearsalLines } from './sample-rehearsal.ts'
import { logBytes, logDelivery, logHead } from '../event-log.ts'
import type { Product } from '../product.ts'

const base = 1_795_000_000_000
const hmac = (text: string): string => createHmac('sha256', 'theirs').update(text).digest('hex')

/** A tab that is opened, gets two orders, and is closed; each body is signed with an unknown secret. */
export function evening(count: number): LogLine[] {
  const deliveries = Array.from({ length: count }, (_, index): LogDelivery => {
    const id = index + 1
    const tab = `tab-${Math.floor(index / 4)}`
    const type = (['OPEN_TAB', 'ITEM_ADDED', 'ITEM_ADDED', 'CLOSE_TAB'] as const)[index % 4]
    const text = JSON.stringify({
      type,
      targetUuid: type === 'ITEM_ADDED' ? `item-${id}` : tab,
      createdAt: new Date(base + id * 60_000).toISOString(),
      data: { tabUuid: tab, n: id, total: id / 2 },
    })
    return logDelivery(id, text, {
      receivedAt: base + id * 60_000 + 250,
      createdAt: base + id * 60_000,
      type: type ?? null,
      title: `${type} number ${id}`,
      target: type === 'ITEM_ADDED' ? `item-${id}` : tab,
      headers: [
        ['Host', 'hooks.example.test'],
        ['Content-Type', 'application/json'],
        ['X-Service-Event-Type', String(type)],
        ['X-Service-Signature', hmac(text)],
      ],
    })
  })
  return deliveries
}

/** The main log of these tests: deliveries with a note, tags, a pin, an attempt, and a redacted body. */
export function firstLog(): Buffer {
  const lines = evening(120)
  const redacted = lines[118]
  const noted = lines[119]
  if (redacted?.kind !== 'delivery' || noted?.kind !== 'delivery') throw new Error('There are 120.')
  lines[118] = {
    ...redacted,
    body: { text: '{"type":"ITEM_ADDED","data":{"handle":"redacted-phone-abcdefghijkl"}}' },
    bodyRedacted: true,
  }
  lines[119] = {
    ...noted,
    pinned: true,
    tags: ['odd'],
    note: 'Seen by the night shift.',
    attempts: [attempt(noted)],
    lastAttempt: { status: 204 },
  }
  return logBytes([
    logHead(120, {
      counts: { deliveries: 120, integrations: 1, endpoints: 1, tokens: 1, runs: 1, rehearsals: 1 },
      redaction: {
        on: true,
        list: 1,
        kept: [],
        masked: [],
        note: 'Guests and secrets were taken out.',
      },
    }),
    ...authorization,
    ...sampleRehearsalLines('text'),
    ...lines,
  ])
}

function attempt(of: LogDelivery): LogDelivery['attempts'][number] {
  const { fields } = sampleAttempt(7, {
    deliveryId: of.id,
    sentAt: of.receivedAt + 5000,
    url: 'http://192.0.2.7/hooks/handler',
    status: 204,
    durationMs: 12,
    requestBytes: of.bytes,
    request: { target: '/hooks/handler', headers: of.headers, trailers: [], sha256: of.sha256 },
    response: {
      status: 204,
      statusText: 'No Content',
      httpVersion: '1.1',
      headers: [['X-Handled-By', 'their handler']],
      storedBytes: 2,
    },
    timings: null,
    remoteAddress: '192.0.2.7:80',
  })
  return { ...fields, requestBody: null, responseBody: { text: 'ok' } }
}

const authorization: LogLine[] = [
  {
    ...sampleIntegration,
    id: 4,
    name: 'Their integration',
    baseUrl: 'https://api.example.test',
  },
  {
    ...sampleEndpoint,
    integrationId: 4,
    name: 'Their endpoint',
    slug: 'theirs',
    applicationId: 'app-theirs',
    customHeaders: [['X-Their-Header', 'redacted-custom-header-abcdefghijkl']],
  },
  {
    ...sampleToken,
    id: 3,
    integrationId: 4,
    label: 'Their token',
    initiated: base / 1000,
    expires: base / 1000 + 3600,
    expiresIn: 3600,
    obtainedAt: base,
    events: [{ kind: 'issued', at: base, detail: 'By run 9.', runId: 9 }],
  },
  {
    kind: 'run',
    run: {
      ...sampleRun,
      id: 9,
      integrationId: 4,
      kind: 'authorize',
      state: 'failed',
      startedAt: base,
      endedAt: base + 800,
      redirectUrl: 'http://127.0.0.1/callback',
      failure: {
        code: 'state_mismatch',
        message: 'The returned state does not match the one sent.',
        meaning: 'It was opened twice.',
        remedy: 'Authorize again.',
      },
      tokenId: null,
      maskedValues: [{ name: 'code', label: 'Authorization code', ending: null }],
      steps: [
        {
          kind: 'returned',
          at: base + 700,
          durationMs: null,
          outcome: 'ok',
          title: 'The redirect was received with «code»',
          detail: null,
          facts: [],
          request: null,
          response: null,
          timings: null,
        },
      ],
    },
  },
]

export async function importLog(
  { engine, dataDir }: Product,
  name: string,
  bytes: Uint8Array,
): Promise<number> {
  const file = path.join(dataDir, name)
  writeFileSync(file, bytes)
  const { id } = await engine.call('logs.import', { from: { kind: 'path', path: file } })
  const { error, logId } = await engine.call('logs.imported', { id })
  await engine.call('logs.dismissImport', { id })
  if (logId === null) throw new Error(`${name}: ${error?.message ?? 'not imported'}`)
  return logId
}
