import type { DraftContent } from '#contract/compose.ts'
import type { Client } from '../../platform/client.ts'
import { sameBytes } from './body/body-modes.ts'
import { lookAgain } from './look.ts'
import { saveSoon } from './save.ts'
import { changeSession, sessionNow } from './store.ts'

/** Changes the draft: it is stored in a moment, and what would go out is looked at anew. */
export function edit(client: Client, change: Partial<DraftContent>): void {
  const session = sessionNow()
  if (!session) return
  changeSession(session.key, ({ content, target }) => ({
    content: { ...content, ...change },
    saved: 'waiting',
    target: change.url !== undefined && change.url !== content.url ? null : target,
  }))
  saveSoon(client)
  lookAgain(client, change.url !== undefined)
}

/** Another body. The very bytes that came are the captured body again. */
export function editBody(client: Client, bytes: Uint8Array): void {
  const session = sessionNow()
  if (!session) return
  changeSession(session.key, { unreadable: null })
  const came = session.original?.body
  // What comes from a log has a copy of its own: that log may go.
  const live = session.content.origin.kind === 'delivery'
  const body: DraftContent['body'] =
    live && came && sameBytes(came, bytes) ? { kind: 'captured' } : { kind: 'bytes', bytes }
  const before = session.content.body
  const same =
    body.kind === 'captured'
      ? before.kind === 'captured'
      : before.kind === 'bytes' && sameBytes(before.bytes, body.bytes)
  if (!same) edit(client, { body })
}

/** Everything as it was captured; address, method and choices stay. */
export function backToOriginal(client: Client): void {
  const { original, content } = sessionNow() ?? {}
  if (!original || !content) return
  const copied = content.origin.kind === 'log' ? original.body : null
  edit(client, {
    headers: original.headers.map(([name, value]) => ({ name, value, on: true, byHand: false })),
    body: copied === null ? { kind: 'captured' } : { kind: 'bytes', bytes: copied },
    sign: { how: 'auto' },
  })
}
