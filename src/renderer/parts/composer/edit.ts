import type { DraftContent } from '#contract/compose.ts'
import type { Client } from '#client/client.ts'
import { sameBytes } from './body/body-modes.ts'
import { refreshPreviewSoon, saveSoon } from './save.ts'
import { changeSession, sessionOf } from './store.ts'

/** Changes the request, saves a draft shortly after, and refreshes the preview. */
export function edit(client: Client, key: number, change: Partial<DraftContent>): void {
  const session = sessionOf(key)
  if (!session) return
  changeSession(key, ({ content, target }) => ({
    content: { ...content, ...change },
    saved: 'waiting',
    target: change.url !== undefined && change.url !== content.url ? null : target,
  }))
  if (session.held === null) saveSoon(client)
  refreshPreviewSoon(client, key, change.url !== undefined)
}

/** Replaces the body. If the bytes equal the original, the draft refers to the captured body again. */
export function editBody(client: Client, key: number, bytes: Uint8Array): void {
  const session = sessionOf(key)
  if (!session) return
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
  if (!same) edit(client, key, { body })
}

/** Resets headers, body and signature to the captured delivery. Address, method and other settings stay. */
export function resetToOriginal(client: Client, key: number): void {
  const { original, content } = sessionOf(key) ?? {}
  if (!original || !content) return
  const copied = content.origin.kind === 'log' ? original.body : null
  edit(client, key, {
    headers: original.headers.map(([name, value]) => ({ name, value, on: true, byHand: false })),
    body: copied === null ? { kind: 'captured' } : { kind: 'bytes', bytes: copied },
    sign: { how: 'auto' },
  })
}
