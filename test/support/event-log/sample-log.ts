import type { Run } from '#contract/authorization.ts'
import { eventLogVersion, type LogHead } from '#contract/event-log.ts'
import type { FormatEnv, LogFormat } from '#engine/event-logs/formats.ts'
import type { DeliveryItem, LogItem } from '#engine/event-logs/items.ts'
import { hostile } from './hostile.ts'
import { sampleRehearsal } from './sample-rehearsal.ts'
import { sampleAttempt, sampleItem } from './sample-item.ts'

export function sampleHead(items: readonly LogItem[], note: string): LogHead {
  const count = (kind: LogItem['kind']): number => items.filter((item) => item.kind === kind).length
  return {
    kind: 'head',
    format: 'tabscope-event-log',
    version: eventLogVersion,
    app: 'Tabscope 0.1.0',
    exportedAt: '2026-03-15T08:00:00.000Z',
    scope: { filter: hostile('filter-mark'), from: null, to: null, selected: null, traceOf: null },
    redaction: { on: true, list: 1, kept: [hostile('kept-mark')], masked: [], note },
    counts: {
      deliveries: count('delivery'),
      integrations: count('integration'),
      endpoints: count('endpoint'),
      tokens: count('token'),
      runs: count('run'),
      ...(count('rehearsal') > 0 && { rehearsals: count('rehearsal') }),
    },
  }
}

export const sampleEnv: FormatEnv = {
  target: 'http://127.0.0.1:4780/',
  removed: () => ({ aliases: 12, masked: 1 }),
}

export function written(
  format: LogFormat,
  items: Iterable<LogItem>,
  head: LogHead,
  env: FormatEnv = sampleEnv,
): Buffer {
  return Buffer.concat([...format.write(head, items, env)].map((piece) => Buffer.from(piece)))
}

const every = Uint8Array.from({ length: 256 }, (_, byte) => byte)

const time = 1_773_500_000_000

export const sampleIntegration = {
  kind: 'integration',
  id: 1,
  name: hostile('integration-mark'),
  brand: 'Service',
  baseUrl: 'https://service.example',
  sandbox: false,
} as const satisfies LogItem

export const sampleEndpoint = {
  kind: 'endpoint',
  id: 1,
  integrationId: 1,
  name: hostile('endpoint-mark'),
  slug: 'main',
  applicationId: 'app-1',
  customHeaders: [['X-Custom', 'redacted-custom-header-abcdefghijkl']],
} satisfies LogItem

export const sampleToken = {
  kind: 'token',
  id: 1,
  integrationId: 1,
  label: hostile('label-mark'),
  initiated: time / 1000,
  expires: time / 1000 + 86_400,
  expiresIn: 86_400,
  obtainedAt: time + 123,
  version: 1,
  status: 'good',
  findings: [],
  events: [{ kind: 'issued', at: time + 123, detail: null, runId: 1 }],
} satisfies LogItem

export const sampleRun: Run = {
  id: 1,
  integrationId: 1,
  kind: 'refresh',
  agent: null,
  state: 'succeeded',
  startedAt: time,
  endedAt: time + 123,
  redirectUrl: '',
  failure: null,
  tokenId: 1,
  authorizeUrl: null,
  acceptsPaste: false,
  timeoutAt: null,
  steps: [],
  findings: [],
  maskedValues: [],
}

const aside: readonly LogItem[] = [
  sampleIntegration,
  sampleEndpoint,
  sampleToken,
  { kind: 'run', run: sampleRun },
  ...sampleRehearsal(hostile('rehearsal-mark')),
]

function hostileDelivery(id: number): DeliveryItem {
  const text = hostile(`hostile-${id}`)
  return sampleItem(
    id,
    JSON.stringify({ type: text, data: { [text]: [text] } }),
    {
      method: text,
      path: `/hooks/main?${text}`,
      type: text,
      title: text,
      target: text,
      locationName: text,
      findings: [
        {
          code: text,
          severity: 'error',
          location: text,
          message: text,
          expected: text,
          actual: text,
        },
      ],
      tags: [text, '=1+1'],
      httpVersion: '1.1',
      remoteAddress: text,
      headers: [
        [text, text],
        ['Host', text],
        ['Content-Type', text],
        ['@file', '@/etc/passwd'],
      ],
      trailers: [[text, text]],
      reason: text,
      endpointName: text,
      brand: text,
      secretName: text,
      note: text,
      notForwarded: [text],
    },
    {
      attempts: [
        sampleAttempt(
          id * 10,
          {
            url: `http://127.0.0.1:3000/${text}`,
            method: text,
            error: { code: 'aborted', message: text },
            status: null,
            response: null,
            timings: null,
            secretName: text,
            notes: [text],
            request: { target: text, headers: [[text, text]], trailers: [], sha256: text },
          },
          { requestBody: Buffer.from(text), answerBody: every },
        ),
      ],
    },
  )
}

export function sampleLog(): LogItem[] {
  const large = JSON.stringify({ type: 'ORDER_PLACED', data: { lines: 'é世🍺x'.repeat(110_000) } })
  return [
    ...aside,
    sampleItem(
      1,
      '{"type":"ORDER_PLACED","data":{"total":42.50,"id":12345678901234567890}}',
      {},
      {
        attempts: [
          sampleAttempt(1, { kind: 'forward' }),
          sampleAttempt(
            2,
            { kind: 'forward', edited: true, bodyEdited: true },
            { requestBody: Buffer.from('edited'), answerBody: every },
          ),
          sampleAttempt(3, {
            status: null,
            response: null,
            timings: null,
            remoteAddress: null,
            error: { code: 'refused', message: 'Nobody listens there. Start the target.' },
          }),
        ],
      },
    ),
    hostileDelivery(2),
    sampleItem(3, every, {
      verdict: 'missing',
      type: '=1+1',
      title: '@SUM(1)',
      note: '-1',
      tags: ['+1'],
    }),
    sampleItem(4, '', { method: 'GET', headers: [], type: null, locationName: null }),
    sampleItem(5, large),
    sampleItem(6, Buffer.alloc(1_100_000, every)),
    sampleItem(7, '', {
      method: '',
      path: '',
      httpVersion: '',
      arrival: 'malformed',
      reason: 'Not HTTP.',
      status: null,
      responseMs: null,
      createdAt: null,
      headers: [],
      endpointId: null,
      endpointName: null,
    }),
    sampleItem(8, '', { bytes: 5000 }, { omitted: 'It could not be read.' }),
    sampleItem(9, '{"handle":"redacted-handle-abcdefghijkl"}', { bodyRedacted: true }),
    sampleItem(10, '@/etc/passwd', {
      path: '*',
      headers: [
        ['X-Empty', ''],
        ['X-Byte', '\xe4'],
      ],
    }),
    sampleItem(11, '-x\n\n', { path: 'http://other.example/a/../b?x[]={1}', arrival: 'cut_off' }),
    sampleItem(12, hostile('text-mark'), { receivedAt: 1e17, respondedBy: 'rule', status: null }),
  ]
}
