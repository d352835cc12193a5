import type { DraftContent } from '#contract/compose.ts'
import { prepare, type Db } from '../../platform/sqlite.ts'

export interface StoredHold {
  readonly deliveryId: number
  /** Milliseconds since the epoch. */
  readonly heldAt: number
  /** It may have been forwarded. */
  readonly releasing: boolean
  /** The edited request; null: it was not edited. */
  readonly content: DraftContent | null
}

interface Row {
  readonly deliveryId: number
  readonly heldAt: number
  readonly releasing: number
  readonly draft: string | null
  readonly body: Uint8Array | null
}

/** Whether deliveries were held when Tabscope ended. */
export function hasHeld(db: Db): boolean {
  return prepare<[], 1>(db, 'SELECT 1 FROM held_delivery LIMIT 1').pluck().get() !== undefined
}

/** Oldest first. */
export function readHeld(db: Db): StoredHold[] {
  return prepare<[], Row>(
    db,
    'SELECT delivery_id AS deliveryId, held_ms AS heldAt, releasing, draft, body FROM held_delivery ORDER BY delivery_id',
  )
    .all()
    .map(({ deliveryId, heldAt, releasing, draft, body }) => ({
      deliveryId,
      heldAt,
      releasing: releasing === 1,
      content: draft === null ? null : contentOf(draft, body),
    }))
}

function contentOf(draft: string, body: Uint8Array | null): DraftContent {
  const content: Omit<DraftContent, 'body'> = JSON.parse(draft)
  return {
    ...content,
    body: body === null ? { kind: 'captured' } : { kind: 'bytes', bytes: new Uint8Array(body) },
  }
}

export type HoldWrites = {
  /** Durable. Ignored if the delivery was deleted. */
  hold: (input: { id: number; at: number }) => void
  /** Durable, before anything is sent. `content`: the edited request of the only one. */
  releaseHeld: (input: { ids: readonly number[]; content: DraftContent | null }) => void
  /** They are forwarded, or dropped. */
  settleHeld: (ids: readonly number[]) => void
}

/** `quickly`: the commit does not wait for the disk. */
export function createHoldWrites(db: Db, quickly: <T>(work: () => T) => T): HoldWrites {
  const hold = prepare<[{ id: number; at: number }]>(
    db,
    'INSERT OR REPLACE INTO held_delivery (delivery_id, held_ms) SELECT id, $at FROM delivery WHERE id = $id',
  )
  const release = prepare<[{ ids: string; draft: string | null; body: Uint8Array | null }]>(
    db,
    `UPDATE held_delivery SET releasing = 1, draft = coalesce($draft, draft), body = coalesce($body, body)
     WHERE delivery_id IN (SELECT value FROM json_each($ids))`,
  )
  const settle = prepare<[string]>(
    db,
    'DELETE FROM held_delivery WHERE delivery_id IN (SELECT value FROM json_each(?))',
  )
  return {
    hold: (input) => void hold.run(input),
    releaseHeld: ({ ids, content }) => {
      const { body = null, ...draft } = content ?? {}
      release.run({
        ids: JSON.stringify(ids),
        draft: content && JSON.stringify(draft),
        body: body?.kind === 'bytes' ? body.bytes : null,
      })
    },
    settleHeld: (ids) => quickly(() => void settle.run(JSON.stringify(ids))),
  }
}
