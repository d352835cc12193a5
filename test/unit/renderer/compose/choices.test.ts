import { expect, it } from 'vitest'
import { addressOf, wantedOf } from '#renderer/routes/compose.ts'
import {
  selectedSecret,
  secretOptions,
  withMethod,
} from '#renderer/features/compose/signature/SignaturePanel.tsx'
import { noSecret, sampleEndpoint, someSecret } from '../sample-endpoint.ts'

it('parses and formats an address', () => {
  for (const hash of [
    '#/compose',
    '#/compose/12',
    '#/compose/from/34',
    '#/compose/again/56',
    '#/compose/sample/OPEN_TAB',
    '#/compose/empty',
  ]) {
    expect(addressOf(wantedOf(hash))).toBe(hash)
  }
  for (const hash of ['', '#/compose/0', '#/compose/from/x', '#/compose/sample/<b>', '#/other/3']) {
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
