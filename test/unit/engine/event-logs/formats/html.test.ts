import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { LogItem } from '#engine/event-logs/items.ts'
import { sampleItem } from '#test/support/event-log/sample-item.ts'
import { eveningItems, pageText } from '#test/support/log-page.ts'

const textOf = (items: readonly LogItem[]): string => pageText(items)

it('is at most 100 KB with ten deliveries, and allows only its own styles', () => {
  const page = textOf([...eveningItems(10)])
  expect(Buffer.byteLength(page)).toBeLessThan(100_000)
  expect(page).not.toMatch(/<script|<link|<img|style="/)
  expect(page).toMatch(
    /"default-src 'none'; style-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'"/,
  )
})

it('starts a delivery with its verdict and cause, and marks the places of its findings', () => {
  const finding = { severity: 'error', message: 'Wrong.', expected: 'a text', actual: '7' } as const
  const page = textOf([
    sampleItem(3, '{"a":{"b":[1,{"b":7}]},"b":2,"c d":3}', {
      verdict: 'invalid',
      causes: [{ code: 'secret.line_break', where: 'here' }],
      headers: [
        ['X-One', '1'],
        ['X-Two', 'caf\u00c3\u00a9'],
      ],
      findings: [
        { ...finding, code: 'one', location: 'body.a.b[1].b' },
        { ...finding, code: 'two', location: 'body.c d' },
        { ...finding, code: 'three', location: 'header.x-two' },
      ],
    }),
  ])
  const places = [
    'Signature invalid.',
    'A line break at the end of the secret',
    '<h3>Findings',
    '<dl>',
  ]
  const at = places.map((place) => page.indexOf(place, page.indexOf('id="delivery-3"')))
  expect(at).toEqual(at.toSorted((a, b) => a - b))
  expect(at[0]).toBeGreaterThan(0)
  expect(page).toContain('Expected: a text. Actual: 7.')
  expect([...page.matchAll(/<mark>(.*?)<\/mark>/g)].map(([, marked]) => marked)).toEqual([
    'body.a.b[1].b',
    'body.c d',
    'header.x-two',
    'X-Two: café',
    '&quot;b&quot;: 7',
    '&quot;c d&quot;: 3',
  ])
})

it('links each delivery to its own place, and opens the only one', () => {
  const one = textOf([sampleItem(7, '{}')])
  expect(one).toContain('href="#delivery-7"')
  expect(one).not.toContain('class="item" open')
  const counts = { deliveries: 1, integrations: 0, endpoints: 0, tokens: 0, runs: 0 }
  expect(pageText([sampleItem(7, '{}')], { counts })).toContain('class="item" open')
})

const bodyOf = (body: string | Uint8Array, headers: [string, string][] = []): string => {
  const page = textOf([sampleItem(1, body, { headers, findings: [] })])
  return page.slice(page.indexOf('<h3>Body'))
}

describe('a body', () => {
  it('has escapes for markup and for what is hidden', () => {
    expect(bodyOf('<b>&\u202e\u0000</b>\nnext')).toContain(
      '<pre>&lt;b&gt;&amp;<i>\\u202e</i><i>\\u0000</i>&lt;/b&gt;\nnext</pre>',
    )
  })

  it('is shown after decoding, and as sent if that fails', () => {
    const encoding: [string, string][] = [['Content-Encoding', 'gzip']]
    expect(bodyOf(gzipSync('{"a":1}'), encoding)).toContain('&quot;a&quot;: 1')
    expect(bodyOf('not compressed', encoding)).toContain('<pre>not compressed</pre>')
  })

  it('is hexadecimal if it is not text, and cut if it is long', () => {
    expect(bodyOf(Uint8Array.of(0xff, 0, 1))).toContain('<pre>0000  ff 00 01</pre>')
    const rest = 'The rest is not shown.'
    expect(bodyOf('x'.repeat(256 * 1024))).not.toContain(rest)
    expect(bodyOf('x'.repeat(256 * 1024 + 1))).toContain(rest)
    expect(bodyOf(`[${'{"a":[[1]]},'.repeat(10_000)}1]`)).toContain(rest)
  })
})
