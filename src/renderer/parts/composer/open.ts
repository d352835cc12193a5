import type { DraftContent } from '#contract/compose.ts'
import type { HeldDelivery } from '#contract/hold.ts'
import { messageOf } from '#kit/use-action.ts'
import type { Client } from '#client/client.ts'
import { type Wanted, addressOf } from '#client/addresses/compose.ts'
import { withdrawQuestion } from '#parts/send/ConfirmTarget.tsx'
import { flush, refreshPreview, replaceAddress } from './edit.ts'
import { type Session, changeSession, heldSession, useCompose, sessionNow } from './store.ts'
import { formatSize } from '#shared/text/format.ts'
import { draftBodyLimit } from '#contract/constants.ts'
import { useClient } from '#client/use-client.ts'
import { toast, toastError } from '#kit/toasts.ts'

const defaultTimeout = 30_000
let nextKey = 1

/** Opens the request that an address refers to, unless it is already open. */
export async function openRequested(client: Client, requested: Wanted): Promise<void> {
  const address = addressOf(requested)
  const { session, address: open, opening } = useCompose.getState()
  if (opening?.phase === 'loading' && opening.address === address) return
  if (session && open === address) {
    useCompose.setState({ opening: null })
    return
  }
  await flush(client)
  if (requested.kind === 'start') {
    withdrawQuestion()
    useCompose.setState({ session: null, opening: null, address, listShown: false })
    return
  }
  withdrawQuestion()
  useCompose.setState({ opening: { phase: 'loading', address }, listShown: false })
  const isWanted = (): boolean => useCompose.getState().opening?.address === address
  try {
    const fresh = await load(client, requested)
    if (!isWanted()) return
    show(client, fresh, address)
  } catch (error) {
    if (!isWanted()) return
    useCompose.setState({ opening: { phase: 'failed', address, message: messageOf(error) } })
  }
}

/** Starts a draft with the bytes of a file as its body, and opens it. */
export async function openFile(client: Client, file: File): Promise<void> {
  await flush(client)
  const bytes = new Uint8Array(await file.arrayBuffer())
  const content = await client.call('compose.start', {
    from: { kind: 'file', name: file.name.slice(0, 300), bytes },
  })
  await showSaved(client, content, [])
}

/** Starts a draft with the request of a cURL command, and opens it. Throws if the command cannot be composed. */
export async function openCurl(client: Client, command: string): Promise<void> {
  await flush(client)
  const { content, ignored } = await client.call('compose.curl', { command })
  await showSaved(client, content, ignored)
}

/** What it was made from cannot be read again after a reload, so the draft is saved immediately. */
async function showSaved(
  client: Client,
  content: DraftContent,
  ignored: readonly string[],
): Promise<void> {
  const { id } = await client.call('compose.save', { content })
  const address = `#/send/drafts/${id}`
  show(client, { id, name: null, counter: 1, content, original: null, originalLost: null }, address)
  changeSession(sessionNow()?.key ?? 0, { ignored })
  replaceAddress(address)
}

type Fresh = Pick<Session, 'id' | 'name' | 'counter' | 'content' | 'original' | 'originalLost'>

function show(client: Client, fresh: Fresh, address: string): void {
  const session = sessionWith(fresh, null)
  useCompose.setState({ opening: null, address, session })
  refreshPreview(client, session.key)
}

function sessionWith(fresh: Fresh, held: HeldDelivery | null): Session {
  const key = nextKey
  nextKey += 1
  return {
    ...fresh,
    key,
    held,
    bodyRevision: 0,
    ignored: [],
    saved: fresh.id === null ? 'untouched' : 'saved',
    saveError: null,
    preview: null,
    previewOf: null,
    previewError: null,
    target: null,
    outcome: null,
    timeout: defaultTimeout,
  }
}

/** Starts to edit a held delivery, unless it is being edited already. */
export async function editHeld(client: Client, delivery: HeldDelivery): Promise<void> {
  const isOpen = (): boolean =>
    heldSession(useCompose.getState(), delivery.deliveryId) !== undefined
  if (isOpen()) return
  const content = await client.call('hold.edit', { id: delivery.deliveryId })
  const fresh = await withOriginal(client, { ...unsaved, content })
  if (isOpen()) return
  const session = sessionWith(fresh, delivery)
  useCompose.setState(({ held }) => ({ held: [...held, session] }))
  refreshPreview(client, session.key)
}

async function load(client: Client, requested: Exclude<Wanted, { kind: 'start' }>): Promise<Fresh> {
  if (requested.kind === 'draft') {
    const { id, name, counter, content } = await client.call('compose.get', { id: requested.id })
    return withOriginal(client, { id, name, counter, content })
  }
  const content = await client.call('compose.start', { from: requested })
  return withOriginal(client, { ...unsaved, content })
}

const unsaved = { id: null, name: null, counter: 1 }

async function withOriginal(
  client: Client,
  of: Omit<Fresh, 'original' | 'originalLost'>,
): Promise<Fresh> {
  const { origin } = of.content
  if (origin.kind !== 'delivery' && origin.kind !== 'log') {
    return { ...of, original: null, originalLost: null }
  }
  const { deliveryId } = origin
  const log = origin.kind === 'log' ? origin.logId : null
  try {
    const { headers, body } = await client.call('compose.original', { deliveryId, log })
    // The bytes are a view of the received frame. Copy them, so that the frame is not kept in memory.
    const own = body && new Uint8Array(body)
    return { ...of, original: { deliveryId, headers, body: own }, originalLost: null }
  } catch (error) {
    return { ...of, original: null, originalLost: messageOf(error) }
  }
}

/** Closes the session without saving it, and shows the start page. */
export function dropSession(): void {
  withdrawQuestion()
  useCompose.setState({ session: null, opening: null, address: '#/send/drafts' })
  replaceAddress('#/send/drafts')
}

/** Whether a file can be a body. Shows a notification if it is too large. */
export function fitsBody({ size }: File): boolean {
  const fits = size <= draftBodyLimit
  const most = formatSize(draftBodyLimit)
  if (!fits) toast('invalid', `The file is too large. A body can have at most ${most}.`)
  return fits
}

/** Starts a draft with a file as its body. Shows errors as notifications. */
export function useFileStart(): (file: File) => void {
  const client = useClient()
  return (file) => {
    if (fitsBody(file)) openFile(client, file).catch(toastError)
  }
}

/** Keeps the drafts and the preview up to date. Called once, when the page is first shown. */
export function followDrafts(client: Client): void {
  client.on('drafts.changed', (drafts) => useCompose.setState({ drafts, draftsError: null }))
  client.onReload(() => {
    fetchDrafts(client)
    refreshCurrent(client)
    // Save changes made while the engine was not reachable.
    void flush(client)
  })
  // Secrets and the listener address affect the preview.
  for (const name of ['endpoints.changed', 'integrations.changed', 'listener.changed'] as const) {
    client.on(name, () => refreshCurrent(client))
  }
  window.addEventListener('pagehide', () => void flush(client))
  fetchDrafts(client)
}

function refreshCurrent(client: Client): void {
  const session = sessionNow()
  if (session) refreshPreview(client, session.key)
}

export function fetchDrafts(client: Client): void {
  client.call('compose.list', {}).then(
    (drafts) => useCompose.setState({ drafts, draftsError: null }),
    (error: unknown) => useCompose.setState({ draftsError: messageOf(error) }),
  )
}
