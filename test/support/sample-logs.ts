import type { MaskedField } from '#contract/masking.ts'
import type { EventLog, LogExport, LogImport, LogPreview, LogsView } from '#contract/logs.ts'

const minute = 60_000
const hour = 60 * minute

export const hostile = 'It said \u202egnihton\u0000 <img src=x onerror=alert(1)> ' + 'w'.repeat(240)

export function someLog(now: number, change: Partial<EventLog> = {}): EventLog {
  return {
    id: 1,
    name: 'tabscope-2026-11-20-1815.ndjson',
    format: 'ndjson',
    version: 1,
    app: 'Tabscope 0.1.0',
    exportedAt: now - 26 * hour,
    importedAt: now - 3 * minute,
    redacted: true,
    redaction: {
      list: 1,
      kept: ['data.loyaltyTier'],
      masked: [],
      removed: { aliases: 412, masked: 96 },
    },
    scope: null,
    deliveries: 1204,
    bytes: 4_300_000,
    sha256: 'ab'.repeat(32),
    firstAt: now - 30 * hour,
    lastAt: now - 26 * hour,
    state: 'complete',
    problems: [],
    ...change,
  }
}

export function someExport(now: number, change: Partial<LogExport> = {}): LogExport {
  return {
    id: 1,
    format: 'ndjson',
    name: 'tabscope-2026-11-21-1430.ndjson',
    path: null,
    state: 'running',
    redacted: true,
    deliveries: 412_000,
    total: 1_000_000,
    bytes: 612_000_000,
    startedAt: now - 20_000,
    endedAt: null,
    error: null,
    removed: {},
    ...change,
  }
}

export function someImport(now: number, change: Partial<LogImport> = {}): LogImport {
  return {
    id: 1,
    name: 'from-the-pub.ndjson.gz',
    state: 'running',
    deliveries: 8204,
    read: 31_000_000,
    size: 112_000_000,
    startedAt: now - 9000,
    endedAt: null,
    logId: null,
    known: false,
    error: null,
    ...change,
  }
}

export const noLogs: LogsView = { logs: [], exports: [], imports: [], choices: [] }

/** Logs, exports and imports in all states, including all kinds of errors. */
export function manyLogs(now: number): LogsView {
  return {
    logs: [
      someLog(now),
      someLog(now, {
        id: 2,
        name: 'monday-night.ndjson',
        state: 'cut_off',
        redacted: false,
        redaction: null,
        deliveries: 88,
        bytes: 91_000,
        problems: [
          'The file is incomplete: its end line is missing. 4 of the 92 deliveries that its head announces are missing.',
          'Skipped line 12: it is not JSON.',
          'Skipped line 40: its kind is unknown.',
        ],
      }),
      someLog(now, { id: 3, name: 'edited.ndjson', state: 'changed', deliveries: 1, bytes: 812 }),
      someLog(now, {
        id: 4,
        name: 'browser-tools.har',
        format: 'har',
        version: null,
        app: 'Firefox 132',
        redacted: null,
        redaction: null,
        state: 'unverified',
        exportedAt: null,
      }),
      someLog(now, { id: 5, name: `${hostile}.ndjson`, app: hostile, problems: [hostile] }),
    ],
    exports: [
      someExport(now),
      someExport(now, {
        id: 2,
        state: 'done',
        deliveries: 1204,
        total: 1204,
        bytes: 4_300_000,
        path: '/home/mia/Documents/tabscope-2026-11-21-1412.ndjson',
        name: 'tabscope-2026-11-21-1412.ndjson',
        startedAt: now - 20 * minute,
        endedAt: now - 19 * minute,
      }),
      someExport(now, {
        id: 3,
        state: 'failed',
        error:
          'Not enough disk space for all.har in /home/mia. Free up space, or choose another folder. No partial file was left.',
        name: 'all.har',
        startedAt: now - 30 * minute,
        endedAt: now - 29 * minute,
      }),
    ],
    imports: [
      someImport(now),
      someImport(now, {
        id: 2,
        state: 'failed',
        name: 'from-the-future.ndjson',
        startedAt: now - 40 * minute,
        error: {
          code: 'log_too_new',
          message:
            'The event log has format version 3, but this version of Tabscope reads only up to version 1. Update Tabscope, then import it again.',
        },
      }),
      someImport(now, {
        id: 3,
        state: 'done',
        name: 'monday-night.ndjson',
        deliveries: 88,
        known: true,
        logId: 2,
        startedAt: now - 50 * minute,
      }),
      someImport(now, { id: 4, state: 'cancelled', name: 'big.ndjson', startedAt: now - hour }),
    ],
    choices: [
      { field: 'data.loyaltyTier', as: 'keep' },
      { field: 'data.spotName', as: 'mask' },
    ],
  }
}

function masked(field: string, change: Partial<MaskedField> = {}): MaskedField {
  return { field, documented: false, kept: 0, aliases: 0, masked: 12, examples: [], ...change }
}

const spots = ['Terrace', 'Bar', 'Beer garden', 'Table by the window', 'Upper deck', 'Jetty']

export const somePreview: LogPreview = {
  complete: false,
  examined: 204,
  deliveries: 1204,
  bytes: 730_000,
  totalBytes: 4_300_000,
  notes: ['This format is slow to open with more than 1000 deliveries.'],
  fields: [
    masked('body', { masked: 1, examples: [{ deliveryId: 7, was: '', becomes: 'It is binary' }] }),
    masked('data.items[].note', {
      examples: [{ deliveryId: 3, was: hostile, becomes: 'Xx xxxxx' }],
    }),
    masked('data.loyaltyTier', {
      examples: [
        { deliveryId: 4, was: 'gold', becomes: 'xxxxx' },
        { deliveryId: 9, was: 'Silver', becomes: 'Xxxxx' },
      ],
    }),
    masked('header authorization', {
      masked: 1,
      examples: [{ deliveryId: 1, was: null, becomes: 'Xxxxx xxxx0' }],
    }),
    masked('note', {
      masked: 2,
      examples: [{ deliveryId: 4, was: 'Ask Mia', becomes: 'Xxx Xxx' }],
    }),
    masked('createdAt', {
      documented: true,
      kept: 204,
      masked: 0,
      examples: [
        { deliveryId: 1, was: '2026-03-14T21:00:00.123Z', becomes: '2026-03-14T21:00:00.123Z' },
      ],
    }),
    masked('data.handle', {
      documented: true,
      aliases: 61,
      masked: 0,
      examples: [
        { deliveryId: 4, was: '+44 7700 900123', becomes: '+phone 1' },
        { deliveryId: 9, was: 'mia@example.com', becomes: 'email 1' },
      ],
    }),
    masked('data.spotName', { documented: true, kept: 97, masked: 0 }),
  ],
  texts: [...spots, ...Array.from({ length: 91 }, (_one, index) => `Table ${index + 1}`)].map(
    (text, index) => ({ field: 'data.spotName', text, values: 97 - index }),
  ),
}
