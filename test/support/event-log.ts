import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  hashedHead,
  type LogDelivery,
  type LogEnd,
  type LogHead,
  type LogLine,
} from '#contract/event-log.ts'
import type { CallInput } from '#contract/calls.ts'
import type { LogImport } from '#contract/logs.ts'
import type { Engine } from '#engine/app/engine.ts'
import { untouched } from './event-log/sample-item.ts'
import { until } from './until.ts'

export function logHead(deliveries: number, more: Partial<LogHead> = {}): LogHead {
  return {
    kind: 'head',
    format: 'tabscope-event-log',
    version: 1,
    app: '0.1.0',
    exportedAt: '2026-11-21T19:30:00.000Z',
    scope: { filter: '', from: null, to: null, selected: null, traceOf: null },
    redaction: { on: false, list: null, kept: [], masked: [], note: 'Nothing was taken out.' },
    counts: { deliveries, integrations: 0, endpoints: 0, tokens: 0, runs: 0 },
    ...more,
  }
}

/** A delivery line of a log. Default hash: that of its text. */
export function logDelivery(
  id: number,
  text = `{"type":"OPEN_TAB","targetUuid":"tab-${id}","data":{"n":${id}}}`,
  more: Partial<LogDelivery> = {},
): LogDelivery {
  return {
    kind: 'delivery',
    id,
    receivedAt: 1_795_000_000_000 + id * 1000 + 0.123,
    method: 'POST',
    path: '/hooks/sandbox',
    endpointId: 1,
    type: 'OPEN_TAB',
    title: `Tab ${id} opened`,
    facts: null,
    target: `tab-${id}`,
    locationName: 'Harbour',
    createdAt: null,
    verdict: 'valid',
    findings: [],
    status: 200,
    responseMs: 1.234,
    bytes: Buffer.byteLength(text),
    sha256: createHash('sha256').update(text).digest('hex'),
    arrival: 'complete',
    ...untouched,
    headers: [
      ['Host', '127.0.0.1:4780'],
      ['Content-Type', 'application/json'],
    ],
    trailers: [],
    reason: null,
    endpointName: 'Sandbox',
    brand: 'Service',
    secretName: 'current',
    note: '',
    body: { text },
    bodyRedacted: false,
    attempts: [],
    notForwarded: [],
    ...more,
  }
}

/** The bytes of a log with these lines and a matching end line. */
export function logBytes(lines: readonly (LogLine | string)[], end: Partial<LogEnd> = {}): Buffer {
  const text = lines
    .map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`)
    .join('')
  const deliveries = lines.filter((line) => typeof line !== 'string' && line.kind === 'delivery')
  const last: LogEnd = {
    kind: 'end',
    deliveries: deliveries.length,
    lines: lines.length,
    removed: {},
    sha256: createHash('sha256').update(hashedHead(text)).digest('hex'),
    ...end,
  }
  return Buffer.from(`${text}${JSON.stringify(last)}\n`)
}

export function logOf(count: number): Buffer {
  return logBytes([
    logHead(count),
    ...Array.from({ length: count }, (_, index) => logDelivery(index + 1)),
  ])
}

export async function importPath(engine: Engine, path: string): Promise<LogImport> {
  const { id } = await engine.call('logs.import', { from: { kind: 'path', path } })
  return engine.call('logs.imported', { id })
}

/** Imports bytes in chunks, and waits for the end of the import. */
export async function importBytes(
  engine: Engine,
  bytes: Uint8Array,
  name = 'log.ndjson',
  piece = 1024 * 1024,
): Promise<LogImport> {
  const { id } = await engine.call('logs.import', { from: { kind: 'feed', name } })
  for (let at = 0; ; at += piece) {
    const end = at + piece >= bytes.byteLength
    try {
      await engine.call('logs.feed', { id, bytes: bytes.subarray(at, at + piece), end })
    } catch {
      // The import ended early, and reports the reason itself.
      break
    }
    if (end) break
  }
  return engine.call('logs.imported', { id })
}

export async function exportTo(
  engine: Engine,
  path: string,
  options: Omit<CallInput<'logs.export'>, 'to'> = {},
): Promise<Buffer> {
  const { export: begun } = await engine.call('logs.export', {
    redact: false,
    ...options,
    to: { kind: 'file', path },
  })
  const done = await until('the export to end', async () => {
    const { exports } = await engine.call('logs.list', {})
    return exports.find(({ id, state }) => id === begun.id && state !== 'running') ?? null
  })
  if (done.state !== 'done') throw new Error(`the export ended as ${done.state}: ${done.error}`)
  return readFileSync(path)
}

/** A log without its export time, to compare two exports. */
export function withoutTime(log: Buffer): string {
  return hashedHead(log.toString())
}
