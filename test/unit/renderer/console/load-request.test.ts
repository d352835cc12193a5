import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { draftFor, editDraft, loadRequest, useConsole } from '#renderer/features/console/store.ts'
import { useToasts } from '#renderer/platform/toasts.ts'

beforeEach(() => vi.stubGlobal('requestAnimationFrame', () => 0))
afterEach(() => vi.unstubAllGlobals())

const request = (path: string) => ({
  integrationId: 1,
  tokenId: null,
  method: 'GET',
  path,
  query: [],
  headers: [],
  body: '',
})
const pathNow = () => draftFor(useConsole.getState(), 1).path

it('offers to undo when an edited request is replaced, and only then', () => {
  loadRequest(request('menus'), null, null)
  loadRequest(request('orders'), null, null)
  expect(useToasts.getState().toasts).toEqual([])
  editDraft(1, { path: 'orders/7' })
  loadRequest(request('guests'), null, null)
  expect(pathNow()).toBe('guests')
  useToasts.getState().toasts[0]?.action?.run()
  expect(pathNow()).toBe('orders/7')
})
