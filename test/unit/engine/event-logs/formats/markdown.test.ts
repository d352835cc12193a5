import { lexer } from 'marked'
import { expect, it } from 'vitest'
import { formatOf } from '#engine/event-logs/formats.ts'
import type { LogItem } from '#engine/event-logs/items.ts'
import { looseText } from '#test/support/event-log/markdown-text.ts'
import { sampleAttempt, sampleItem } from '#test/support/event-log/sample-item.ts'
import { sampleHead, written } from '#test/support/event-log/sample-log.ts'

const textOf = (...items: readonly LogItem[]): string =>
  written(
    formatOf('markdown'),
    items,
    sampleHead(items, 'Handles are pseudonyms: nobody can go back.'),
  ).toString()

const blocksOf = (text: string): string[] =>
  lexer(text).flatMap((token) => (token.type === 'code' ? [String(token['text'])] : []))

it('describes one delivery', () => {
  const item = sampleItem(
    12,
    '{"type":"ORDER_PLACED","total":42.50,"id":12345678901234567890}',
    {
      verdict: 'invalid',
      bodyRedacted: true,
      tags: ['late'],
      note: 'Why twice?',
      headers: [
        ['Content-Type', 'application/json'],
        ['X-Name', Buffer.from('Café').toString('latin1')],
      ],
      findings: [
        {
          code: 'type_unknown',
          severity: 'error',
          location: 'body.type',
          message: 'No such type.',
        },
      ],
    },
    { attempts: [sampleAttempt(1, { status: 503, durationMs: 8.04, edited: true })] },
  )
  expect(textOf(item)).toBe(`### Delivery 12: \`T4 · Order A-12\`

- Received: \`2026-03-14T21:09:12.000Z\`
- Request: \`POST /hooks/main\`
- Type: \`ORDER_PLACED\`
- Verdict: invalid
- Answer: 200 in 1.5 ms
- Target: \`0b5f3a52-7b1f-4f7a-8f1e-6a1f6f6f0001\`
- Location: \`Harbour\`
- Endpoint: \`Main\`
- Body as redacted: 63 bytes
- Tags: \`late\`
- Note: \`Why twice?\`
- Findings:
  - error, \`type_unknown\` in \`body.type\`: No such type.

Headers:

\`\`\`
Content-Type: application/json
X-Name: Café
\`\`\`

The body was redacted, so its signature cannot be verified again.

Body:

\`\`\`json
{
  "type": "ORDER_PLACED",
  "total": 42.50,
  "id": 12345678901234567890
}
\`\`\`

Attempts: 1

- \`2026-03-14T21:10:00.001Z\` re-sent, edited: \`POST http://127.0.0.1:3000/webhooks?from=tabscope\`, 503 in 8 ms

Handles are pseudonyms: nobody can go back. Redacted: 12 aliases, 1 masked value.
`)
})

it('cuts a long body between characters, and reports how much was cut', () => {
  for (const body of ['x'.repeat(5000), `x${'世'.repeat(2000)}`, '世'.repeat(200_000)]) {
    const text = textOf(sampleItem(1, body))
    const shown = blocksOf(text)[1] ?? ''
    const size = Buffer.byteLength(shown)
    expect(body.startsWith(shown)).toBe(true)
    expect(size).toBeGreaterThan(4092)
    expect(size).toBeLessThanOrEqual(4096)
    expect(text).toContain(`\n… ${Buffer.byteLength(body) - size} more bytes\n`)
  }
  expect(textOf(sampleItem(1, 'x'.repeat(4096)))).not.toContain('…')
  expect(textOf(sampleItem(1, 'x'.repeat(4097)))).toContain('\n… 1 more byte\n')
})

it('shows no bytes that are not text', () => {
  expect(textOf(sampleItem(1, Buffer.from([0xff, 0])))).toContain('Body: 2 bytes of binary data\n')
  expect(textOf(sampleItem(1, ''))).toContain('Body: empty\n')
})

it('keeps bodies and headers in their blocks, whatever markup they contain', () => {
  const body = 'a\n```\n# out\n`````\n<b>out</b>\n~~~'
  const text = textOf(sampleItem(1, body, { headers: [['X-A', '```\n# out']] }))
  expect(blocksOf(text)).toEqual([String.raw`X-A: ${'```'}\n# out`, body])
})

it.each([
  'www.evil.example',
  'Go to evil.example now.',
  'Mail a@b.example',
  'http://evil.example',
  ':smile: #12 @everyone',
  '*x* _x_ ~~x~~ [x](y)',
])('writes a sentence with markup as code: %s', (message) => {
  const finding = { code: 'c', severity: 'info', location: 'body', message } as const
  const text = textOf(sampleItem(1, '', { findings: [finding] }))
  expect(text).toContain(`: \`${message}\`\n`)
  expect(looseText(text)).not.toContain(message)
})

it('lists the last ten attempts', () => {
  const attempts = Array.from({ length: 12 }, (_, at) => sampleAttempt(at + 1))
  const text = textOf(sampleItem(1, '', {}, { attempts }))
  expect(text).toContain('Attempts: 12\n\n- … and 2 earlier\n- `2026-03-14T21:10:00.003Z`')
})
