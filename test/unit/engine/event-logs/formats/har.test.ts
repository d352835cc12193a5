import { expect, it } from 'vitest'
import type { HarEntry } from '#engine/event-logs/formats/har.ts'
import { formatOf } from '#engine/event-logs/formats.ts'
import type { LogItem } from '#engine/event-logs/items.ts'
import { sampleAttempt, sampleItem } from '#test/support/event-log/sample-item.ts'
import { sampleHead, written } from '#test/support/event-log/sample-log.ts'

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
  expect(log.comment).toBe('A note. Redacted: 12 aliases, 1 masked value.')
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
