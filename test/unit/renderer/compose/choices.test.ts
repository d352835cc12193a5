import { expect, it } from 'vitest'
import { addressOf, wantedOf } from '#client/addresses/compose.ts'
import { selectedSecret, secretOptions, withMethod } from '#parts/composer/SignaturePanel.tsx'
import { noSecret, sampleEndpoint, someSecret } from '../sample-endpoint.ts'

it('parses and formats an address', () => {
  for (const hash of [
    '#/send/drafts',
    '#/send/drafts/12',
    '#/send/drafts/from/34',
    '#/send/drafts/again/56',
    '#/send/drafts/sample/OPEN_TAB',
    '#/send/drafts/empty',
  ]) {
    expect(addressOf(wantedOf(hash))).toBe(hash)
  }
  for (const hash of [
    '',
    '#/send/drafts/0',
    '#/send/drafts/from/x',
    '#/send/drafts/sample/<b>',
    '#/other/3',
  ]) {
    expect(wantedOf(hash), hash).toEqual({ kind: 'start' })
  }
})

it('offers every secret that is set, those of the endpoint first', () => {
  const endpoints = [
    sampleEndpoint(1, 'Main'),
    sampleEndpoint(2, 'Other', { previousSecret: someSecret }),
    sampleEndpoint(3, 'Bare', { secret: noSecret }),
  ]
  expect(secretOptions(endpoints, 2).map(({ name }) => name)).toEqual([
    'current of Other',
    'previous of Other',
    'current of Main',
  ])
  expect(secretOptions(endpoints, null)).toHaveLength(3)
})

it('keeps the secret when the signing method changes, and detects a deleted secret', () => {
  const secrets = secretOptions([sampleEndpoint(1, 'Main'), sampleEndpoint(2, 'Other')], 1)
  const signed = { how: 'secret', endpointId: 2, which: 'current' } as const
  expect(withMethod(signed, 'broken', secrets)).toEqual({
    ...signed,
    how: 'broken',
    fault: 'digit',
  })
  expect(withMethod({ how: 'auto' }, 'secret', secrets)).toMatchObject({ endpointId: 1 })
  expect(withMethod({ how: 'auto' }, 'secret', [])).toBeNull()
  expect(withMethod(signed, 'none', [])).toEqual({ how: 'none' })
  expect(selectedSecret({ ...signed, endpointId: 9 }, secrets)).toBeUndefined()
})
