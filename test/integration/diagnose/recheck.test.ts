import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { openTestEngine, testSecret, type TestEngine } from '#test/support/engine.ts'

const body = JSON.stringify({ type: 'OPEN_TAB', data: { name: 'Ada' } })
const other = 'the secret of the dashboard'
const hex = (key: string, of = body) => createHmac('sha256', key).update(of).digest('hex')

async function deliver({ port, path }: TestEngine, signature: string | null, to = path) {
  const headers = { 'Content-Type': 'application/json' }
  await fetch(`http://127.0.0.1:${port}${to}`, {
    method: 'POST',
    headers: signature === null ? headers : { ...headers, 'X-Service-Signature': signature },
    body,
  })
}

it('reports that a signature without a secret was not checked', async () => {
  await using tab = await openTestEngine()
  await deliver(tab, hex(other), '/hooks/nobody')
  await deliver(tab, null, '/hooks/nobody')
  await tab.kept(2)
  await tab.engine.call('endpoints.clearSecret', { id: tab.endpointId })
  await deliver(tab, hex(other))
  const kept = await tab.kept(3)
  expect(kept.map(({ verdict }) => verdict)).toEqual(['unchecked', 'unsigned', 'unchecked'])
  const found = await tab.engine.call('deliveries.page', {
    filter: 'verdict:unchecked',
    upTo: null,
    offset: 0,
    limit: 10,
  })
  expect(found.rows.map(({ id }) => id)).toEqual([3, 1])
})

it('records the verdict with the current secrets, and keeps the verdict at arrival', async () => {
  await using tab = await openTestEngine()
  await deliver(tab, hex(other))
  await deliver(tab, hex(testSecret))
  await deliver(tab, null)
  await tab.kept(3)
  await tab.engine.call('endpoints.rotateSecret', {
    id: tab.endpointId,
    secret: other,
    keepPrevious: false,
  })
  const page = async (filter: string) => {
    const found = await tab.engine.call('deliveries.page', {
      filter,
      upTo: null,
      offset: 0,
      limit: 10,
    })
    return found.rows.map(({ id }) => id)
  }
  expect(await page('verdict:valid')).toEqual([2])
  const result = await tab.engine.call('deliveries.recheck', { ids: [1] })
  expect(result).toMatchObject({ complete: true, changed: 1, counts: { valid: 1, invalid: 0 } })
  expect(await page('verdict:valid')).toEqual([2, 1])
  const all = await tab.engine.call('deliveries.recheck', { filter: '' })
  expect(all).toMatchObject({
    complete: true,
    changed: 1,
    counts: { valid: 1, invalid: 1, missing: 1, unsigned: 0, unchecked: 0 },
  })
  expect(await page('verdict:valid')).toEqual([1])
  expect(await page('verdict-at-arrival:valid')).toEqual([2])
  expect(await page('verdict-at-arrival:invalid secret:current')).toEqual([1])
  const { engine } = tab
  const at = expect.any(Number)
  expect(await engine.call('deliveries.get', { id: 1 })).toMatchObject({
    verdict: 'valid',
    secretName: 'current',
    recheck: { verdictAtArrival: 'invalid', at },
  })
  expect(await engine.call('deliveries.get', { id: 2 })).toMatchObject({
    verdict: 'invalid',
    secretName: null,
    recheck: { verdictAtArrival: 'valid', at },
  })
  expect(await engine.call('deliveries.get', { id: 3 })).not.toHaveProperty('recheck')
  expect((await engine.call('deliveries.signature', { id: 1 })).changedSince).toBe(false)
})

it('requires IDs or a filter, and refuses an invalid filter', async () => {
  await using tab = await openTestEngine({ listen: false })
  const call = (input: object) => tab.engine.call('deliveries.recheck', input)
  await expect(call({})).rejects.toMatchObject({ code: 'bad_input' })
  await expect(call({ ids: [1], filter: '' })).rejects.toMatchObject({ code: 'bad_input' })
  await expect(call({ filter: 'verdict:maybe' })).rejects.toMatchObject({ code: 'bad_filter' })
})
