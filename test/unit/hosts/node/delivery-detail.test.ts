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

function lines(via: Delivery['via']): string[] {
  return deliveryDetail({ ...delivery, via }, Buffer.from('{}')).split('\n')
}

it('says that a delivery came through the tunnel, and nothing of the usual way', () => {
  const [, way, ...rest] = lines('tunnel')
  expect(way).toContain('came through the tunnel')
  expect(rest).toContain('POST /hooks/sandbox HTTP/1.1')
  expect(lines(null).slice(1, 3)).toEqual(['', 'POST /hooks/sandbox HTTP/1.1'])
})
