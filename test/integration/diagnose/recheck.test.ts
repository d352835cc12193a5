import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { openTestEngine, type TestEngine } from '#test/support/engine.ts'
import { full } from '#test/support/full.ts'
import { testSecret } from '#test/support/requests.ts'

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

it.runIf(full)('reports that a signature without a secret was not checked', async () => {
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

it('keeps the secret that verified deliveries when one that was typed wrong is replaced, and undoes it', async () => {
  await using tab = await openTestEngine()
  const { engine, endpointId: id } = tab
  const secrets = async () => {
    const { secret: current } = await engine.call('endpoints.revealSecret', {
      id,
      which: 'current',
    })
    const previous = await engine
      .call('endpoints.revealSecret', { id, which: 'previous' })
      .catch(() => ({ secret: null }))
    return [current, previous.secret]
  }
  await deliver(tab, hex(testSecret))
  await tab.kept(1)
  await engine.call('endpoints.rotateSecret', { id, secret: 'typed wrong' })
  expect(await secrets()).toEqual(['typed wrong', testSecret])
  await engine.call('endpoints.rotateSecret', { id, secret: 'typed wrong again' })
  expect(await secrets()).toEqual(['typed wrong again', testSecret])
  await engine.call('endpoints.correctSecret', { id, secret: other })
  expect(await secrets()).toEqual([other, testSecret])
  await engine.call('endpoints.undoSecret', { id })
  expect(await secrets()).toEqual(['typed wrong again', testSecret])
  await expect(engine.call('endpoints.undoSecret', { id })).rejects.toMatchObject({
    code: 'not_found',
  })
  await engine.call('endpoints.correctSecret', { id, which: 'previous', secret: other })
  expect(await secrets()).toEqual(['typed wrong again', other])
  await engine.call('endpoints.clearSecret', { id })
  await expect(engine.call('endpoints.undoSecret', { id })).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(engine.call('endpoints.correctSecret', { id })).rejects.toMatchObject({
    code: 'bad_input',
  })
})

it('corrects the secret by a delivery that a variant of it signed, and undoes the verdicts', async () => {
  await using tab = await openTestEngine()
  const { engine, endpointId: id } = tab
  await engine.call('endpoints.correctSecret', { id, secret: `"${other}"\n` })
  for (const key of [other, other, 'another one', testSecret]) await deliver(tab, hex(key))
  await deliver(
    tab,
    hex(`${other}\n`).replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
  )
  await tab.kept(5)
  const verdicts = async () => (await tab.kept(5)).map(({ verdict }) => verdict).toReversed()
  const before = await verdicts()
  const endpoint = await engine.call('endpoints.correctSecret', { id, deliveryId: 2 })
  expect(endpoint.secret.ending).toBe('oard')
  // It never verified anything, so it is not kept.
  expect(endpoint.previousSecret.set).toBe(false)
  const { changedIds } = await engine.call('deliveries.recheck', { filter: '' })
  expect(changedIds).toEqual([1, 2])
  await engine.call('endpoints.undoSecret', { id })
  await engine.call('deliveries.recheck', { ids: changedIds })
  expect(await verdicts()).toEqual(before)
  await expect(engine.call('endpoints.correctSecret', { id, deliveryId: 3 })).rejects.toMatchObject(
    { code: 'not_found' },
  )
})

it.runIf(full)(
  'keeps the current secret beside the one of a sender that changes it, if it verifies others',
  async () => {
    await using tab = await openTestEngine()
    const { engine, endpointId: id } = tab
    await deliver(tab, hex(testSecret))
    await deliver(tab, hex(`${testSecret}\n`))
    await tab.kept(2)
    await engine.call('endpoints.correctSecret', { id, deliveryId: 2 })
    const { counts } = await engine.call('deliveries.recheck', { filter: '' })
    expect(counts).toMatchObject({ valid: 2 })
  },
)

it('reads the signature under the corrected brand', async () => {
  await using tab = await openTestEngine()
  const { engine } = tab
  await fetch(`http://127.0.0.1:${tab.port}${tab.path}`, {
    method: 'POST',
    headers: { 'X-Bistropay-Signature': hex(testSecret) },
    body,
  })
  await tab.kept(1)
  const brand = async (to: string) => {
    const { integrations } = await engine.call('app.snapshot', {})
    await engine.call('integrations.update', { id: integrations[0]?.id ?? 0, brand: to })
    await engine.call('deliveries.recheck', { ids: [1] })
    const { verdict, headerName } = await engine.call('deliveries.signature', { id: 1 })
    const diagnosis = await engine.call('deliveries.diagnose', { id: 1 })
    return [verdict, diagnosis.verdict, headerName]
  }
  expect(await brand('Bistropay')).toEqual(['valid', 'valid', 'X-Bistropay-Signature'])
  expect(await brand('Service')).toEqual(['missing', 'missing', 'X-Service-Signature'])
})
