import { expect, it } from 'vitest'
import { HarEntryMore } from '#contract/event-log-har.ts'
import type { Header } from '#contract/models.ts'
import type { HarEntry } from '#engine/event-logs/formats/har.ts'
import { formatOf } from '#engine/event-logs/formats.ts'
import type { DeliveryItem, ExportedAttempt, LogItem } from '#engine/event-logs/items.ts'
import { sampleAttempt, sampleItem } from '#test/support/event-log/sample-item.ts'
import { sampleHead, sampleLog, written } from '#test/support/event-log/sample-log.ts'

interface Log {
  readonly creator: { readonly name: string; readonly version: string }
  readonly comment: string
  readonly entries: readonly HarEntry[]
}

function harOf(items: readonly LogItem[]): Log {
  const text = written(formatOf('har'), items, sampleHead(items, 'A note.')).toString()
  const { log }: { log: Log } = JSON.parse(text)
  return log
}

const headersOf = (pairs: HarEntry['request']['headers']): Header[] =>
  pairs.map(({ name, value }) => [name, value])

function postedBytes({ request }: HarEntry, bodyBase64: string | undefined): Buffer {
  return bodyBase64 === undefined
    ? Buffer.from(request.postData?.text ?? '')
    : Buffer.from(bodyBase64, 'base64')
}

function restored(entries: readonly HarEntry[]): DeliveryItem[] {
  const deliveries: { item: DeliveryItem; attempts: ExportedAttempt[] }[] = []
  for (const entry of entries) {
    const more = HarEntryMore.parse(entry._tabscope)
    const headers = headersOf(entry.request.headers)
    if (more.kind === 'delivery') {
      const attempts: ExportedAttempt[] = []
      const body = postedBytes(entry, more.bodyBase64)
      const fields = { ...more.fields, headers }
      const omitted = more.omitted ?? null
      deliveries.push({
        attempts,
        item: { kind: 'delivery', delivery: { fields, body, omitted, attempts } },
      })
      continue
    }
    const { request, response, ...fields } = more.fields
    const { text = '', encoding } = entry.response.content
    deliveries.at(-1)?.attempts.push({
      fields: {
        ...fields,
        request: { ...request, headers },
        response: response && { ...response, headers: headersOf(entry.response.headers) },
      },
      requestBody: more.bodyAsCaptured ? null : postedBytes(entry, more.bodyBase64),
      answerBody: more.answerBodyKept ? Buffer.from(text, encoding ?? 'utf8') : null,
    })
  }
  return deliveries.map(({ item }) => item)
}

const base64 = (bytes: Uint8Array | null): string | null =>
  bytes && Buffer.from(bytes).toString('base64')

/** Makes items comparable, whatever type their bytes have. */
const comparable = (items: readonly DeliveryItem[]): unknown =>
  items.map(({ delivery: { body, attempts, ...more } }) => ({
    ...more,
    body: base64(body),
    attempts: attempts.map(({ fields, requestBody, answerBody }) => ({
      fields,
      requestBody: base64(requestBody),
      answerBody: base64(answerBody),
    })),
  }))

it('contains everything of each delivery and attempt, so that an import can restore it', () => {
  const deliveries = sampleLog().filter((item) => item.kind === 'delivery')
  const notStored = { ...sampleAttempt(98), answerBody: null }
  const empty = sampleAttempt(99, {}, { answerBody: Buffer.alloc(0), requestBody: Buffer.alloc(0) })
  const items = [...deliveries, sampleItem(99, '{}', {}, { attempts: [notStored, empty] })]
  expect(comparable(restored(harOf(items).entries))).toEqual(comparable(items))
})

it('contains time, duration, target and response', () => {
  const item = sampleItem(
    7,
    '{"a":1}',
    {
      path: '/hooks/main?a=1&a=%20b&c',
      note: 'Look at this.',
      headers: [
        ['Host', 'hooks.example:8443'],
        ['Content-Type', 'application/json'],
      ],
    },
    { attempts: [sampleAttempt(8)] },
  )
  const log = harOf([item])
  expect(log.creator).toEqual({ name: 'Tabscope', version: '0.1.0' })
  expect(log.comment).toBe('A note. Redacted: handle (12), custom header (1).')
  const [delivery, attempt] = log.entries
  expect(delivery).toMatchObject({
    startedDateTime: '2026-03-14T21:09:07.000Z',
    time: 1.5,
    timings: { send: 0, wait: 1.5, receive: 0 },
    comment: 'Look at this.',
    request: {
      method: 'POST',
      url: 'http://hooks.example:8443/hooks/main?a=1&a=%20b&c',
      httpVersion: 'HTTP/1.1',
      queryString: [
        { name: 'a', value: '1' },
        { name: 'a', value: ' b' },
        { name: 'c', value: '' },
      ],
      postData: { mimeType: 'application/json', text: '{"a":1}' },
      bodySize: 7,
    },
    response: { status: 200, statusText: 'OK' },
  })
  expect(attempt).toMatchObject({
    // The time for TLS is part of the time for connecting.
    timings: { dns: 0.5, connect: 3, ssl: 2, send: 0, wait: 4, receive: 4.5 },
    time: 12,
    serverIPAddress: '127.0.0.1',
    request: { url: 'http://127.0.0.1:3000/webhooks?from=tabscope' },
    response: { status: 200, content: { size: 2, mimeType: 'text/plain', text: 'ok' } },
  })
})

it.each([
  ['evil.example/x?', '/hooks', 'http://127.0.0.1:4780/hooks'],
  ['user@evil.example', '/hooks', 'http://127.0.0.1:4780/hooks'],
  ['a\r\nb', '/hooks', 'http://127.0.0.1:4780/hooks'],
  ['', '/hooks', 'http://127.0.0.1:4780/hooks'],
  ['[::1]:80', '/a/../b', 'http://[::1]:80/a/../b'],
  ['h.example', '*', 'http://h.example/*'],
  ['h.example', '//other.example/x', 'http://h.example//other.example/x'],
  ['h.example', 'http://other.example/x?y', 'http://h.example/x?y'],
  [
    'h.example',
    '/ä "<>\\^`{|}[]#%zz%41',
    'http://h.example/%E4%20%22%3C%3E%5C%5E%60%7B%7C%7D%5B%5D%23%25zz%41',
  ],
])('combines the host %j and the path %j into a URL', (host, path, url) => {
  const item = sampleItem(1, '', { path, headers: [['Host', host]] })
  expect(harOf([item]).entries[0]?.request.url).toBe(url)
})
