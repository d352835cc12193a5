import type { DraftContent } from '#contract/compose.ts'
import { maxHeld, nothingHeld, type HeldDelivery, type HoldState } from '#contract/hold.ts'
import { hostile } from './sample-logs.ts'

/** A held delivery before forwarding, as it is listed. */
function heldOne(now: number, deliveryId: number): HeldDelivery {
  return {
    deliveryId,
    type: 'ORDER_PLACED',
    title: 'T4 · Order A-17 · Pale Ale, Fries · tab Miller',
    bytes: 1204,
    at: 'forward',
    heldAt: now - 12_000,
    releaseAt: null,
    targets: ['http://localhost:3000/webhooks/service'],
    reason: null,
    uncertain: false,
  }
}

/** One of each kind. */
export function someHeld(now: number): HoldState {
  return {
    ...nothingHeld,
    rules: [
      {
        id: 1,
        filter: 'type:ORDER_PLACED,OPEN_TAB location:"Pier 9"',
        at: 'forward',
        remaining: 3,
        limitMs: 10_000,
        held: 2,
      },
      { id: 2, filter: '', at: 'response', remaining: null, limitMs: 60_000, held: 1 },
    ],
    held: [
      { ...heldOne(now, 1), reason: 'Tabscope ended while it was held.', uncertain: true },
      { ...heldOne(now, 2), at: 'response', releaseAt: now + 60_000, targets: [] },
      { ...heldOne(now, 3), type: null, title: hostile, reason: hostile },
    ],
  }
}

/** As many as possible, and some that were not held. */
export function manyHeld(now: number): HoldState {
  const { rules } = someHeld(now)
  return {
    rules,
    held: Array.from({ length: maxHeld.deliveries }, (_, index) => heldOne(now, index + 1)),
    notHeld: 1234,
  }
}

/** What is edited. */
export const heldContent: DraftContent = {
  origin: { kind: 'delivery', deliveryId: 1 },
  endpointId: 1,
  method: 'POST',
  url: 'http://localhost:3000/webhooks/service',
  headers: [{ name: 'Content-Type', value: 'application/json', on: true, byHand: false }],
  body: { kind: 'captured' },
  sign: { how: 'auto' },
  placeholders: false,
}
