import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { DraftContent, Preview } from '#contract/compose.ts'
import { editBody, edit } from '#parts/composer/edit.ts'
import { followDrafts, openRequested } from '#parts/composer/open.ts'
import { sendDraft } from '#parts/composer/TargetBar.tsx'
import { sessionNow, useCompose } from '#parts/composer/store.ts'
import { type Client, createClient } from '#client/client.ts'
import { FakeHost } from '../fake-host.ts'

const captured = new TextEncoder().encode('{"a":1}')

const content: DraftContent = {
  origin: { kind: 'delivery', deliveryId: 7 },
  endpointId: 1,
  method: 'POST',
  url: 'https://hooks.example/in',
  headers: [],
  body: { kind: 'captured' },
  sign: { how: 'auto' },
  placeholders: false,
}

const preview: Preview = {
  headers: [],
  leftOut: [],
  bytes: 7,
  sha256: '',
  filled: null,
  signature: { value: null, secretName: null, verdict: 'unsigned' },
  unchanged: true,
  bodyUnchanged: true,
  problems: [],
  findings: [],
}

let host: FakeHost
let client: Client

function calls(name: string): unknown[] {
  return host.calls.filter((call) => call.name === name).map(({ input }) => input)
}

const key = (): number => sessionNow()?.key ?? 0

async function settle(ms = 0): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms)
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('location', { hash: '#/send/drafts/from/7' })
  vi.stubGlobal('history', { replaceState: vi.fn() })
  host = new FakeHost()
  host.answer = ({ name }) => {
    switch (name) {
      case 'compose.start':
        return content
      case 'compose.original':
        return { headers: [], body: captured }
      case 'compose.preview':
        return preview
      case 'compose.target':
        return { target: null }
      case 'compose.save':
        return { id: 12, name: null }
      default:
        return undefined
    }
  }
  client = createClient(host.transport, () => 0)
  host.open()
  host.welcome()
})

afterEach(() => {
  useCompose.setState({ session: null, opening: null, address: '#/send/drafts' })
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function open(): Promise<void> {
  void openRequested(client, { kind: 'delivery', id: 7, log: null })
  await settle()
  expect(sessionNow()?.original?.body).toEqual(captured)
}

it('saves a draft shortly after a change, always under the same ID', async () => {
  await open()
  edit(client, key(), { method: 'PUT' })
  await settle(200)
  edit(client, key(), { method: 'PATCH' })
  await settle(399)
  expect(calls('compose.save')).toEqual([])
  await settle(1)
  expect(calls('compose.save')).toEqual([{ content: { ...content, method: 'PATCH' } }])
  expect(sessionNow()).toMatchObject({ id: 12, saved: 'saved' })
  expect(useCompose.getState().address).toBe('#/send/drafts/12')
  edit(client, key(), { method: 'POST' })
  await settle(400)
  expect(calls('compose.save')[1]).toMatchObject({ id: 12 })
})

it('saves changes made without an engine once it is available', async () => {
  vi.stubGlobal('window', new EventTarget())
  followDrafts(client)
  await open()
  host.close(null)
  edit(client, key(), { method: 'PUT' })
  await settle(400)
  expect(sessionNow()).toMatchObject({ saved: 'failed' })
  expect(calls('compose.save')).toEqual([])
  host.open()
  host.welcome('run-2')
  await settle()
  expect(calls('compose.save')).toEqual([{ content: { ...content, method: 'PUT' } }])
  expect(sessionNow()).toMatchObject({ id: 12, saved: 'saved', saveError: null })
})

it('requests one preview at a time, then the one of the newest text', async () => {
  await open()
  const before = calls('compose.preview').length
  const answer = host.answer
  host.answer = (call) => (call.name === 'compose.preview' ? undefined : answer(call))
  for (const method of ['A', 'B', 'C']) edit(client, key(), { method })
  expect(calls('compose.preview')).toHaveLength(before + 1)
  const [first] = host.calls.filter(({ name }) => name === 'compose.preview').slice(before)
  if (first) host.reply(first.id, preview)
  await settle()
  expect(calls('compose.preview')).toHaveLength(before + 2)
  expect(calls('compose.preview').at(-1)).toMatchObject({ content: { method: 'C' } })
})

it('recognizes the captured body when it is typed again', async () => {
  await open()
  editBody(client, key(), new TextEncoder().encode('{"a":2}'))
  expect(sessionNow()?.content.body.kind).toBe('bytes')
  editBody(client, key(), new TextEncoder().encode('{"a":1}'))
  expect(sessionNow()?.content.body).toEqual({ kind: 'captured' })
  const { content: before } = sessionNow() ?? {}
  editBody(client, key(), new TextEncoder().encode('{"a":1}'))
  expect(sessionNow()?.content).toBe(before)
})

it('saves a draft without a delivery before sending, so that its attempts can be stored', async () => {
  const answer = host.answer
  host.answer = (call) =>
    call.name === 'compose.start' ? { ...content, origin: { kind: 'empty' } } : answer(call)
  void openRequested(client, { kind: 'empty' })
  await settle()
  expect(calls('compose.original')).toEqual([])
  void sendDraft(client)
  await settle()
  expect(calls('compose.save')).toHaveLength(1)
  expect(calls('compose.send')).toEqual([expect.objectContaining({ id: 12 })])
})

it('reports why a draft cannot be opened', async () => {
  await open()
  void openRequested(client, { kind: 'draft', id: 99 })
  await settle()
  const [asked] = host.calls.filter(({ name }) => name === 'compose.get')
  host.tell({
    kind: 'reply',
    id: asked?.id ?? 0,
    ok: false,
    error: { code: 'not_found', message: 'There is no draft 99.', retry: 'never' },
  })
  await settle()
  expect(useCompose.getState().opening).toMatchObject({
    phase: 'failed',
    message: 'There is no draft 99.',
  })
})
