import type { DraftContent } from '#contract/compose.ts'
import { parseBody } from '../../capture/parse-body.ts'
import { prepare, type Db } from '../driver.ts'

/** What a draft is called by in a list: the type that its body says, else where it comes from, else where it goes. */
export function draftTitle(db: Db, { origin, body, method, url }: DraftContent): string {
  const type = body.kind === 'bytes' ? typeIn(body.bytes) : capturedType(db, origin)
  if (type) return type
  if (origin.kind === 'file') return origin.name
  if (origin.kind === 'sample') return origin.type
  return url.trim() === '' ? 'Empty' : `${method} ${url}`.slice(0, 200)
}

function typeIn(bytes: Uint8Array): string | null {
  const parsed = parseBody(bytes)
  if (parsed.kind !== 'object') return null
  const { type } = parsed.payload
  return typeof type === 'string' ? type.slice(0, 200) : null
}

function capturedType(db: Db, origin: DraftContent['origin']): string | null {
  if (origin.kind !== 'delivery') return null
  const row = prepare<[number], { type: string | null }>(
    db,
    'SELECT type FROM delivery WHERE id = ?',
  ).get(origin.deliveryId)
  return row?.type ?? null
}
