import { parse } from 'csv-parse/sync'
import { expect, it } from 'vitest'
import { formatOf } from '#engine/event-logs/formats.ts'
import type { LogItem } from '#engine/event-logs/items.ts'
import { sampleAttempt, sampleItem } from '#test/support/event-log/sample-item.ts'
import { sampleHead, written } from '#test/support/event-log/sample-log.ts'

const textOf = (items: readonly LogItem[]): string =>
  written(formatOf('csv'), items, sampleHead(items, '')).toString()

function noteOf(note: string): string {
  const text = textOf([sampleItem(1, '', { note })])
  const [row]: Record<string, string>[] = parse(text, {
    bom: true,
    columns: true,
    record_delimiter: '\r\n',
  })
  return row?.['note'] ?? ''
}

it('has a header row, and a row for each delivery', () => {
  const item = sampleItem(
    5,
    '{}',
    {
      title: 'Order "A-5", placed',
      findings: [
        {
          code: 'type_unknown',
          severity: 'error',
          location: 'body.type',
          message: 'No such type.',
        },
        { code: 'clock', severity: 'info', location: 'body.createdAt', message: 'Late.' },
      ],
      tags: ['late', 'kitchen'],
      pinned: true,
      duplicateOf: { id: 3, by: 'body' },
      locationName: 'Café 世',
    },
    { attempts: [sampleAttempt(1), sampleAttempt(2, { status: 503 })] },
  )
  expect(textOf([item])).toBe(
    [
      '\u{FEFF}id,received_at_utc,type,title,verdict,cause,findings,method,path,endpoint,target,location,created_at_utc,status,answered_in_ms,answered_by,bytes,sha256,body_redacted,arrival,repeats,attempts,last_attempt_status,verdict_at_arrival,pinned,tags,note',
      '5,2026-03-14T21:09:05.000,ORDER_PLACED,"Order ""A-5"", placed",valid,,"type_unknown, clock",POST,/hooks/main,Main,0b5f3a52-7b1f-4f7a-8f1e-6a1f6f6f0001,Café 世,2026-03-14T21:09:04.800,200,1.5,tabscope,2,44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a,no,complete,3,2,503,valid,yes,"late, kitchen",',
      '',
    ].join('\r\n'),
  )
})

it.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(1)', "'@SUM(1)"],
  ['  =1', "'  =1"],
  ['\uFF1D1', "'\uFF1D1"],
  ['\t=1', String.raw`\t=1`],
  ['\r=1', String.raw`\r=1`],
  ['a;=1', "a;'=1"],
  ['a; "=1', `a;' "=1`],
  ['a\u202Eb\u0000', String.raw`a\u202eb\u0000`],
  ['two\r\nlines', String.raw`two\r\nlines`],
  ["it's", "it's"],
  [' padded ', ' padded '],
])('writes %j as the cell %j', (note, cell) => {
  expect(noteOf(note)).toBe(cell)
})

it('cuts text that is too long for a cell', () => {
  expect(noteOf('x'.repeat(100_000))).toHaveLength(32_001)
})
