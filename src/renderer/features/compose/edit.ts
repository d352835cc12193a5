import type { DraftContent } from '#contract/compose.ts'
import type { Client } from '../../platform/client.ts'
import { sameBytes } from './body/body-modes.ts'
import { refreshPreviewSoon, saveSoon } from './save.ts'
import { changeSession, sessionNow } from './store.ts'

/** Changes the draft, saves it shortly after, and refreshes the preview. */
export function edit(client: Client, change: Partial<DraftContent>): void {
  const session = sessionNow()
  if (!session) return
  changeSession(session.key, ({ content, target }) => ({
    content: { ...content, ...change },
    saved: 'waiting',
    target: change.url !== undefined && change.url !== content.url ? null : target,
  }))
  saveSoon(client)
  refreshPreviewSoon(client, change.url !== undefined)
}

/** Replaces the body. If the bytes equal the original, the draft refers to the captured body again. */
export function editBody(client: Client, bytes: Uint8Array): void {
  const session = sessionNow()
  if (!session) return
  changeSession(session.key, { unreadable: null })
  const original = session.original?.body
  // A draft from a log keeps its own copy, since the log may be removed.
  const live = session.content.origin.kind === 'delivery'
  const body: DraftContent['body'] =
    live && original && sameBytes(original, bytes) ? { kind: 'captured' } : { kind: 'bytes', bytes }
  const before = session.content.body
  const same =
    body.kind === 'captured'
      ? before.kind === 'captured'
      : before.kind === 'bytes' && sameBytes(before.bytes, body.bytes)
  if (!same) edit(client, { body })
}

/** Resets headers, body and signature to the captured delivery. Address, method and other settings stay. */
export function resetToOriginal(client: Client): void {
  const { original, content } = sessionNow() ?? {}
  if (!original || !content) return
  const copied = content.origin.kind === 'log' ? original.body : null
  edit(client, {
    headers: original.headers.map(([name, value]) => ({ name, value, on: true, byHand: false })),
    body: copied === null ? { kind: 'captured' } : { kind: 'bytes', bytes: copied },
    sign: { how: 'auto' },
  })
}
