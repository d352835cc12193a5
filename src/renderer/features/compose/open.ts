import type { DraftContent } from '#contract/compose.ts'
import { sentence } from '../../platform/call-error.ts'
import type { Client } from '../../platform/client.ts'
import { useShell } from '../../state/app.ts'
import type { Wanted } from '../../routes/compose.ts'
import { addressOf } from '../../routes/compose.ts'
import { withdrawQuestion } from '../targets/index.ts'
import { flush } from './save.ts'
import { look } from './look.ts'
import type { Original, Session } from './store.ts'
import { useCompose } from './store.ts'

const usualTimeout = 30_000
let nextKey = 1

/** Opens what an address names, unless it is open already. */
export async function openWanted(client: Client, wanted: Wanted): Promise<void> {
  const address = addressOf(wanted)
  const { session, address: open, opening } = useCompose.getState()
  if (opening?.phase === 'loading' && opening.address === address) return
  if (session && open === address) {
    useCompose.setState({ opening: null })
    return
  }
  await flush(client)
  if (wanted.kind === 'start') {
    withdrawQuestion()
    useCompose.setState({ session: null, opening: null, address })
    return
  }
  withdrawQuestion()
  useCompose.setState({ opening: { phase: 'loading', address }, listShown: false })
  const isWanted = (): boolean => useCompose.getState().opening?.address === address
  try {
    const fresh = await load(client, wanted)
    if (!isWanted()) return
    show(client, fresh, address)
  } catch (error) {
    if (!isWanted()) return
    useCompose.setState({ opening: { phase: 'failed', address, message: sentence(error) } })
  }
}

/** Begins with the bytes of a file as the body, and goes to it. */
export async function openFile(client: Client, file: File): Promise<void> {
  await flush(client)
  const bytes = new Uint8Array(await file.arrayBuffer())
  const content = await client.call('compose.start', {
    from: { kind: 'file', name: file.name.slice(0, 300), bytes },
  })
  // A file cannot be read again after a reload: its bytes are kept as a draft at once.
  const { id } = await client.call('compose.save', { content })
  show(
    client,
    { id, name: null, counter: 1, content, original: null, originalLost: null },
    `#/compose/${id}`,
  )
  goTo(`#/compose/${id}`)
}

type Fresh = Pick<Session, 'id' | 'name' | 'counter' | 'content' | 'original' | 'originalLost'>

function show(client: Client, fresh: Fresh, address: string): void {
  const key = nextKey
  nextKey += 1
  useCompose.setState({
    opening: null,
    address,
    session: {
      ...fresh,
      key,
      turn: 0,
      saved: fresh.id === null ? 'untouched' : 'saved',
      saveError: null,
      unreadable: null,
      preview: null,
      previewOf: null,
      previewError: null,
      target: null,
      outcome: null,
      timeout: usualTimeout,
    },
  })
  look(client)
}

async function load(client: Client, wanted: Exclude<Wanted, { kind: 'start' }>): Promise<Fresh> {
  if (wanted.kind === 'draft') {
    const { id, name, counter, content } = await client.call('compose.get', { id: wanted.id })
    return { id, name, counter, content, ...(await originalOf(client, content)) }
  }
  const content = await client.call('compose.start', { from: wanted })
  return { id: null, name: null, counter: 1, content, ...(await originalOf(client, content)) }
}

async function originalOf(
  client: Client,
  { origin }: DraftContent,
): Promise<{ original: Original | null; originalLost: string | null }> {
  if (origin.kind !== 'delivery' && origin.kind !== 'log') {
    return { original: null, originalLost: null }
  }
  const { deliveryId } = origin
  const log = origin.kind === 'log' ? origin.logId : null
  try {
    const { headers, body } = await client.call('compose.original', { deliveryId, log })
    // What came is a view of its frame, which would be held as long as it.
    const own = body && new Uint8Array(body)
    return { original: { deliveryId, headers, body: own }, originalLost: null }
  } catch (error) {
    return { original: null, originalLost: sentence(error) }
  }
}

/** Puts an address in the place of the one that is shown, without a step in the history. */
export function goTo(address: string): void {
  history.replaceState(null, '', address)
  useShell.setState({ hash: location.hash })
}

/** Closes what is open without storing it, and goes to where another is begun. */
export function dropSession(): void {
  withdrawQuestion()
  useCompose.setState({ session: null, opening: null, address: '#/compose' })
  goTo('#/compose')
}
