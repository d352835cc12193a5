import { factsOf } from '#catalogue/facts.ts'
import { parseBody } from '#engine/payload/parse-body.ts'
import type { GroupResponses, LateResponse, NewDelivery } from '#engine/deliveries/groups.ts'
import { titleOfBody } from '#engine/payload/inspect.ts'
import type { Ingest } from '#engine/deliveries/ingest.ts'
import type { Finding } from '#contract/models.ts'

export type Overrides = Partial<Omit<NewDelivery, 'body'>> & { readonly body?: Uint8Array }

/** What the capture thread sends to the writer, in order. */
export type GroupItem =
  | { readonly kind: 'delivery'; readonly id: number; readonly delivery: NewDelivery }
  | { readonly kind: 'responses'; readonly responses: GroupResponses }
  | { readonly kind: 'late'; readonly late: LateResponse }

/** Time of the first delivery of a test, in microseconds since the epoch. */
export const firstUs = Date.parse('2026-03-14T21:00:00.000Z') * 1000

/** A delivery as written by capture, one per second. */
export function newDelivery(id: number, overrides: Overrides = {}): NewDelivery {
  const body = overrides.body ?? Buffer.from(`{"type":"OPEN_TAB","n":${id}}`)
  const parsed = parseBody(body)
  return {
    receivedUs: firstUs + id * 1_000_000,
    method: 'POST',
    path: '/hooks/sandbox?x=1',
    httpVersion: '1.1',
    remoteAddress: '127.0.0.1',
    endpointId: 1,
    endpointName: 'Sandbox',
    brand: 'Service',
    arrival: 'complete',
    reason: null,
    bytes: body.byteLength,
    status: 200,
    type: 'OPEN_TAB',
    title: titleOfBody(parsed),
    facts: parsed.kind === 'object' ? factsOf(parsed.payload) : null,
    target: `tab-${id}`,
    locationName: 'Bar “Zoë”',
    createdAt: 1_773_522_000_123,
    verdict: 'valid',
    secretName: 'current',
    findings: [],
    sentBy: null,
    respondedBy: null,
    via: null,
    headers: 'Host\n127.0.0.1\nX-Twice\na\nX-Twice\nb',
    trailers: '',
    ...overrides,
    body,
  }
}

export function delivery(id: number, overrides: Overrides = {}): GroupItem {
  return { kind: 'delivery', id, delivery: newDelivery(id, overrides) }
}

/** Deliveries `from` to `to` got a response one millisecond after the last of them was received. */
export function responses(from: number, to: number, lost: number[] = []): GroupItem {
  const atUs = firstUs + to * 1_000_000 + 1000
  return { kind: 'responses', responses: { from, to, atUs, lost } }
}

/** A late response to a delivery; default: after 5 s. */
export function lateResponse(id: number, overrides: Partial<LateResponse> = {}): GroupItem {
  const atUs = firstUs + id * 1_000_000 + 5_000_000
  const late = { id, atUs, status: 200, respondedBy: 'rule', reason: null, ...overrides } as const
  return { kind: 'late', late }
}

/** Stores them in as few groups as possible. Returns the IDs whose response became known. */
export function take(ingest: Ingest, items: readonly GroupItem[]): number[] {
  const responded: number[] = []
  let deliveries: NewDelivery[] = []
  const store = (rest: { responses?: GroupResponses[]; late?: LateResponse[] } = {}): void => {
    const group = { deliveries, bodies: new Uint8Array(), responses: [], late: [], ...rest }
    responded.push(...ingest.take(group).responded)
    deliveries = []
  }
  for (const item of items) {
    if (item.kind === 'delivery') {
      const next = ingest.tally().lastId + deliveries.length + 1
      if (item.id !== next) throw new Error(`delivery ${item.id} would get the ID ${next}`)
      deliveries.push(item.delivery)
    } else {
      if (deliveries.length > 0) store()
      store(item.kind === 'responses' ? { responses: [item.responses] } : { late: [item.late] })
    }
  }
  if (deliveries.length > 0) store()
  return responded
}

export const warning = (code: string, location = 'body'): Finding => ({
  code,
  severity: 'warning',
  location,
  message: 'Words.',
})
