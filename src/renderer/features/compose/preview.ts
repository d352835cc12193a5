import { sentence } from '../../platform/call-error.ts'
import type { Client } from '../../platform/client.ts'
import { latestOnly } from '../../platform/latest-only.ts'
import { changeSession, sessionNow } from './store.ts'

/** Milliseconds after the last change of an address before its name is resolved, so that partial names are not looked up. */
const debounce = 350

interface RefreshRequest {
  readonly client: Client
}

/** Fetches the preview of the request. At most one call runs at a time, followed by the newest one. */
const preview = latestOnly<RefreshRequest>(async ({ client }) => {
  const session = sessionNow()
  if (!session) return
  const { key, id, content } = session
  try {
    const seen = await client.call('compose.preview', { ...(id === null ? {} : { id }), content })
    changeSession(key, { preview: seen, previewOf: content, previewError: null })
  } catch (error) {
    changeSession(key, { previewError: sentence(error) })
  }
})

const target = latestOnly<RefreshRequest>(async ({ client }) => {
  const session = sessionNow()
  if (!session) return
  const { key, content } = session
  try {
    const { target: found } = await client.call('compose.target', { url: content.url })
    changeSession(key, (now) => (now.content.url === content.url ? { target: found } : {}))
  } catch {
    changeSession(key, { target: null })
  }
})

let timer: ReturnType<typeof setTimeout> | null = null

/** Refreshes the preview of the request and the facts about its target. */
export function refreshPreview(client: Client): void {
  preview({ client })
  target({ client })
}

/** Refreshes the preview after a change. A changed address is resolved after a delay. */
export function refreshPreviewSoon(client: Client, urlChanged: boolean): void {
  preview({ client })
  if (!urlChanged) return
  if (timer !== null) clearTimeout(timer)
  timer = setTimeout(() => target({ client }), debounce)
}
