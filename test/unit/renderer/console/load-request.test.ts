import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  draftFor,
  editDraft,
  loadRequest,
  showExchange,
  useConsole,
} from '#pages/authorization/console/store.ts'
import { createClient } from '#client/client.ts'
import { FakeHost } from '../fake-host.ts'
import { useToasts } from '#kit/toasts.ts'

beforeEach(() => {
  vi.stubGlobal('requestAnimationFrame', () => 0)
  useToasts.setState({ toasts: [] })
})
afterEach(() => vi.unstubAllGlobals())

// No other test has a draft for it: stores are shared by the files of a worker.
const integrationId = 4711

const request = (path: string) => ({
  integrationId,
  tokenId: null,
  method: 'GET',
  path,
  query: [],
  headers: [],
  body: '',
})
const pathNow = () => draftFor(useConsole.getState(), integrationId).path

it('offers to undo when an edited request is replaced, and only then', () => {
  loadRequest(request('menus'), null, null)
  loadRequest(request('orders'), null, null)
  expect(useToasts.getState().toasts).toEqual([])
  editDraft(integrationId, { path: 'orders/7' })
  loadRequest(request('guests'), null, null)
  expect(pathNow()).toBe('guests')
  useToasts.getState().toasts[0]?.action?.run()
  expect(pathNow()).toBe('orders/7')
})

it('sends a request again that had no token with the one that is selected now', async () => {
  const host = new FakeHost()
  host.answer = () => ({ id: 1, request: request('menus') })
  const client = createClient(host.transport, () => 0)
  host.open()
  host.welcome()
  for (const tokenId of [undefined, 7, null]) {
    editDraft(integrationId, { tokenId })
    await showExchange(client, 1, integrationId)
    expect(draftFor(useConsole.getState(), integrationId)).toMatchObject({ path: 'menus', tokenId })
  }
})
