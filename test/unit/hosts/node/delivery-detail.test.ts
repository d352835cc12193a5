import { expect, it, vi } from 'vitest'
import type { Delivery } from '#contract/models.ts'
import type * as Output from '#hosts/node/output.ts'
import { deliveryDetail } from '#hosts/node/delivery-detail.ts'

// The terminal that runs the tests must not colour them.
vi.mock('#hosts/node/output.ts', async (original) => ({
  ...(await original<typeof Output>()),
  coloured: (_: unknown, text: string) => text,
}))

const delivery: Delivery = {
  id: 42,
  receivedAt: Date.parse('2026-03-14T21:00:00.123Z'),
  method: 'POST',
  path: '/hooks/sandbox',
  endpointId: 1,
  type: 'OPEN_TAB',
  title: 'Tab T4 opened',
  target: 'tab-1',
  locationName: 'Bar',
  createdAt: null,
  verdict: 'valid',
  findings: [],
  status: 200,
  answeredIn: 1.5,
  bytes: 2,
  sha256: 'ab'.repeat(32),
  arrival: 'complete',
  pinned: false,
  tags: [],
  noted: false,
  repeats: null,
  own: null,
  answeredBy: null,
  sent: null,
  httpVersion: '1.1',
  remoteAddress: '127.0.0.1',
  via: null,
  headers: [['Host', 'a']],
  trailers: [],
  bytesKept: 2,
  reason: null,
  endpointName: 'Sandbox',
  brand: 'Service',
  secretName: null,
  note: '',
}

const lines = (given: Partial<Delivery>): string[] =>
  deliveryDetail({ ...delivery, ...given }, Buffer.from('{}')).split('\n')

const forwarded: Delivery['headers'] = [
  ['x-forwarded-for', '203.0.113.9'],
  ['x-forwarded-proto', 'https'],
]

it('says that a delivery came through the tunnel and what that claims, and nothing of the usual way', () => {
  expect(lines({ via: null }).slice(1, 3)).toEqual(['', 'POST /hooks/sandbox HTTP/1.1'])
  expect(lines({ via: 'tunnel', headers: forwarded }).slice(1, 6)).toEqual([
    'Received from 127.0.0.1. The tunnel says: from 203.0.113.9, over https.',
    'A claim, not a fact: whoever sends can write such headers as well.',
    'The letter case of header names is the tunnel’s, not the sender’s: nothing is concluded from it.',
    '',
    'POST /hooks/sandbox HTTP/1.1',
  ])
  expect(lines({ via: null, headers: forwarded })[1]).toContain('A header says: from 203.0.113.9')
  expect(lines({ via: 'tunnel' })[1]).toBe(
    'Received from 127.0.0.1. It came through the tunnel, which does not say from where.',
  )
})

it('lets nothing that a header claims drive the terminal', () => {
  const hostile: Delivery['headers'] = [['X-Forwarded-For', '\u001B[2J\n1.1.1.1\u202E']]
  const [, says = ''] = lines({ headers: hostile })
  expect(says).toContain('\\u001b[2J\\u000a1.1.1.1\\u202e')
})
