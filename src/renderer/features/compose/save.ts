import { sentence } from '../../platform/call-error.ts'
import type { Client } from '../../platform/client.ts'
import { useShell } from '../../state/app.ts'
import { changeSession, sessionNow, useCompose } from './store.ts'

/** Milliseconds after the last change. */
const patience = 400

let timer: ReturnType<typeof setTimeout> | null = null
let underWay: Promise<void> = Promise.resolve()

/** Stores the draft a moment after it was changed. */
export function saveSoon(client: Client): void {
  if (timer !== null) clearTimeout(timer)
  timer = setTimeout(() => void flush(client), patience)
}

/** Stores what was changed and is not stored yet. Resolves when it is, or when that failed, which the session then says. */
export function flush(client: Client): Promise<void> {
  if (timer !== null) clearTimeout(timer)
  timer = null
  // One after the other: the first save of a draft gives it the id by which the next one finds it.
  underWay = underWay.then(() => saveNow(client))
  return underWay
}

async function saveNow(client: Client): Promise<void> {
  const session = sessionNow()
  if (!session || (session.saved !== 'waiting' && session.saved !== 'failed')) return
  await store(client)
}

/** Stores the draft although nothing was changed, and resolves to its id. Rejects where that fails. */
export async function stored(client: Client): Promise<number> {
  await flush(client)
  const session = sessionNow()
  if (!session) throw new Error('There is nothing open to be stored.')
  if (session.id === null) await store(client)
  const after = sessionNow()
  if (after?.key !== session.key || after.id === null) {
    throw new Error(after?.saveError ?? 'The draft could not be stored.')
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
    if (sessionNow()?.key === key && id === null) becomes(saved.id)
  } catch (error) {
    changeSession(key, { saved: 'failed', saveError: sentence(error) })
  }
}

/** The draft has an address of its own from now on; if it is the page that is shown, it is in the bar as well. */
function becomes(id: number): void {
  const before = useCompose.getState().address
  const address = `#/compose/${id}`
  useCompose.setState({ address })
  if (location.hash !== before) return
  history.replaceState(null, '', address)
  useShell.setState({ hash: location.hash })
}
