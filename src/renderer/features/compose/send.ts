import { CallError, sentence } from '../../platform/call-error.ts'
import type { Client } from '../../platform/client.ts'
import { flush, stored } from './save.ts'
import { changeSession, sessionNow, useCompose } from './store.ts'
import { look } from './look.ts'

/** Sends the draft as it is. What comes of it is then in the session. */
export async function sendDraft(client: Client): Promise<void> {
  const session = sessionNow()
  if (!session || session.outcome?.phase === 'sending') return
  const { key, content, timeout } = session
  if (session.unreadable !== null) {
    changeSession(key, { outcome: { phase: 'refused', message: session.unreadable } })
    return
  }
  const sending = crypto.randomUUID()
  changeSession(key, { outcome: { phase: 'sending', key: sending, since: Date.now() } })
  useCompose.setState({ asking: null })
  try {
    // An attempt of what comes from no delivery is kept under its draft, so there must be one.
    const id = content.origin.kind === 'delivery' ? await known(client) : await stored(client)
    const attempt = await client.call('compose.send', {
      ...(id === null ? {} : { id }),
      content,
      timeout,
      key: sending,
    })
    changeSession(key, { outcome: { phase: 'done', attempt } })
  } catch (error) {
    if (error instanceof CallError && error.code === 'target_unconfirmed') {
      changeSession(key, { outcome: null })
      if (sessionNow()?.key === key) ask(content.url)
    } else changeSession(key, { outcome: { phase: 'refused', message: sentence(error) } })
  }
  if (sessionNow()?.key !== key) return
  // What is shown of the next send: the counter went on, and the target may be known by now.
  look(client)
  if (content.placeholders) await readCounter(client)
}

async function readCounter(client: Client): Promise<void> {
  const { key, id } = sessionNow() ?? {}
  if (key === undefined || id === undefined || id === null) return
  try {
    const { counter } = await client.call('compose.get', { id })
    changeSession(key, { counter })
  } catch {
    // It is only shown; the engine counts.
  }
}

/** The id that it is stored under by now; null: nothing was changed, so it is not stored. */
async function known(client: Client): Promise<number | null> {
  await flush(client)
  return sessionNow()?.id ?? null
}

function ask(url: string): void {
  useCompose.setState({ asking: { url, origin: URL.parse(url)?.origin ?? url } })
}

/** The user says that deliveries may go there; then it is sent. */
export async function confirmAndSend(client: Client, url: string): Promise<void> {
  await client.call('targets.set', { url, confirmed: true })
  useCompose.setState({ asking: null })
  await sendDraft(client)
}

export function cancelSending(client: Client): void {
  const outcome = sessionNow()?.outcome
  if (outcome?.phase === 'sending') void client.call('attempts.cancel', { key: outcome.key })
}
