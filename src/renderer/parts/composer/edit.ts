import type { DraftContent } from '#contract/compose.ts'
import type { Client } from '#client/client.ts'
import { sameBytes } from './body/body-modes.ts'
import { changeSession, sessionOf, sessionNow, useCompose } from './store.ts'
import { messageOf } from '#kit/use-action.ts'
import { useShell } from '#client/state/app.ts'
import { latestOnly } from '#client/limit-calls.ts'

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

/** Milliseconds to wait after the last change. */
const debounce = 400

let timer: ReturnType<typeof setTimeout> | null = null
let pendingSave: Promise<void> = Promise.resolve()

/** Saves the draft shortly after a change. */
export function saveSoon(client: Client): void {
  if (timer !== null) clearTimeout(timer)
  timer = setTimeout(() => void flush(client), debounce)
}

/** Saves pending changes. Resolves when saved or failed; the session contains the error. */
export function flush(client: Client): Promise<void> {
  if (timer !== null) clearTimeout(timer)
  timer = null
  // Sequentially, since the first save of a draft returns the ID for the next one.
  pendingSave = pendingSave.then(() => saveNow(client))
  return pendingSave
}

async function saveNow(client: Client): Promise<void> {
  const session = sessionNow()
  if (!session || (session.saved !== 'waiting' && session.saved !== 'failed')) return
  await store(client)
}

/** Saves the draft even without changes, and resolves to its ID. Rejects if that fails. */
export async function ensureSaved(client: Client): Promise<number> {
  await flush(client)
  const session = sessionNow()
  if (!session) throw new Error('No draft is open.')
  if (session.id === null) await store(client)
  const after = sessionNow()
  if (after?.key !== session.key || after.id === null) {
    throw new Error(after?.saveError ?? 'Could not save the draft.')
  }
  return after.id
}

async function store(client: Client): Promise<void> {
  const session = sessionNow()
  if (!session) return
  const { key, id, content } = session
  try {
    const saved = await client.call('compose.save', { ...(id === null ? {} : { id }), content })
    changeSession(key, (now) => ({
      id: saved.id,
      saveError: null,
      saved: now.content === content ? 'saved' : 'waiting',
    }))
    if (sessionNow()?.key === key && id === null) setDraftAddress(saved.id)
  } catch (error) {
    changeSession(key, { saved: 'failed', saveError: messageOf(error) })
  }
}

function setDraftAddress(id: number): void {
  const before = useCompose.getState().address
  const address = `#/send/drafts/${id}`
  useCompose.setState({ address })
  if (location.hash === before) replaceAddress(address)
}

/** Replaces the current address without adding a history entry. */
export function replaceAddress(address: string): void {
  history.replaceState(null, '', address)
  useShell.setState({ hash: location.hash })
}

/** Milliseconds after the last change of an address before its name is resolved, so that partial names are not looked up. */
const resolveDelay = 350

interface Shown {
  readonly client: Client
  readonly key: number
}

/** Fetches the preview of the request. At most one call runs at a time, followed by the newest one. */
const preview = latestOnly<Shown>(async ({ client, key }) => {
  const session = sessionOf(key)
  if (!session) return
  const { id, content } = session
  try {
    const seen = await client.call('compose.preview', { ...(id === null ? {} : { id }), content })
    changeSession(key, { preview: seen, previewOf: content, previewError: null })
  } catch (error) {
    changeSession(key, { previewError: messageOf(error) })
  }
})

const target = latestOnly<Shown>(async ({ client, key }) => {
  const session = sessionOf(key)
  if (!session) return
  const { content } = session
  try {
    const found = await client.call('targets.resolve', { url: content.url.trim() })
    changeSession(key, (now) => (now.content.url === content.url ? { target: found } : {}))
  } catch {
    changeSession(key, { target: null })
  }
})

let resolveTimer: ReturnType<typeof setTimeout> | null = null

/** Refreshes the preview of the request and the facts about its target. */
export function refreshPreview(client: Client, key: number): void {
  preview({ client, key })
  target({ client, key })
}

/** Refreshes the preview after a change. A changed address is resolved after a delay. */
export function refreshPreviewSoon(client: Client, key: number, urlChanged: boolean): void {
  preview({ client, key })
  if (!urlChanged) return
  if (resolveTimer !== null) clearTimeout(resolveTimer)
  resolveTimer = setTimeout(() => target({ client, key }), resolveDelay)
}
