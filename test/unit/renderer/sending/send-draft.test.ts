import { expect, it } from 'vitest'
import { SignChoice } from '#contract/sending.ts'
import {
  defaultDraft,
  signChoiceOf,
  signKeyOf,
  signOptions,
  urlError,
  sendRequest,
} from '#parts/send/SendFields.tsx'
import { sampleEndpoint, someSecret } from '../sample-endpoint.ts'

const endpoint = sampleEndpoint(3, 'Main')

it('lists each usable secret, and no others', () => {
  const lost = { ...someSecret, unavailable: true }
  const keys = signOptions([
    endpoint,
    { ...endpoint, id: 4, secret: lost, previousSecret: someSecret },
  ])
  expect(keys.map(({ value }) => value)).toEqual([
    'auto',
    'keep',
    'none',
    'own current',
    '3 current',
    '4 previous',
  ])
  for (const { value } of keys) {
    expect(SignChoice.parse(signChoiceOf(value)), value).toEqual(signChoiceOf(value))
  }
  expect(signChoiceOf('4 previous')).toEqual({ how: 'secret', endpointId: 4, which: 'previous' })
  expect(signChoiceOf('own current')).toMatchObject({ endpointId: null })
  expect(signKeyOf('9 current', keys)).toBe('auto')
})

it('reports an invalid address before sending', () => {
  expect(urlError('')).toBeNull()
  expect(urlError(' http://localhost:3000/x ')).toBeNull()
  expect(urlError('localhost:3000')).toBeNull()
  expect(urlError(':3000/hooks')).toBeNull()
  expect(urlError('3000')).toBeNull()
  expect(sendRequest({ ...defaultDraft, url: ' localhost:3000/x ' }).url).toBe(
    'http://localhost:3000/x',
  )
  expect(urlError('nothing')).toContain('complete URL')
  expect(urlError('file:///etc/passwd')).toContain('http or https')
  expect(urlError('http://user:word@localhost/')).toContain('user name')
})

it('builds the request from the form: no URL means the default target', () => {
  expect(sendRequest(defaultDraft)).toEqual({
    url: null,
    sign: { how: 'auto' },
    timeout: 30_000,
    insecure: false,
    script: null,
  })
  const written = { ...defaultDraft, url: ' https://localhost/x ', timeout: 50, insecure: true }
  expect(sendRequest(written)).toMatchObject({
    url: 'https://localhost/x',
    timeout: 50,
    insecure: true,
  })
  // Without TLS there is no certificate to verify.
  expect(sendRequest({ ...written, url: 'http://localhost/x' }).insecure).toBe(false)
})
