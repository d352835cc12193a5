import { sentence } from '../../platform/call-error.ts'
import type { Client } from '../../platform/client.ts'
import { latestOnly } from '../../platform/latest-only.ts'
import { changeSession, sessionNow } from './store.ts'

/** Milliseconds that an address must rest before its name is looked up: not every half of a name is asked for. */
const rest = 350

interface Wish {
  readonly client: Client
}

/** What would go out now. One call under way at most, and the newest next. */
const preview = latestOnly<Wish>(async ({ client }) => {
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

const target = latestOnly<Wish>(async ({ client }) => {
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

/** Looks at the draft as it is now: what would go out, and where to. */
export function look(client: Client): void {
  preview({ client })
  target({ client })
}

/** The content changed. */
export function lookAgain(client: Client, urlChanged: boolean): void {
  preview({ client })
  if (!urlChanged) return
  if (timer !== null) clearTimeout(timer)
  timer = setTimeout(() => target({ client }), rest)
}
