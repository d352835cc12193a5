import { expect, test } from 'vitest'
import type { Target } from '#contract/sending.ts'
import { AppError } from '#engine/platform/errors.ts'
import { assertConfirmed, lookUpTarget, parseTarget } from '#engine/sending/target.ts'
import { SenderConfiguration } from '#engine/sending/sender-configuration.ts'

function thrownBy(look: () => unknown): unknown {
  try {
    look()
  } catch (error) {
    return error
  }
}

test.each([
  ['', 'Enter a full URL'],
  ['/hook', 'Enter a full URL'],
  ['menu.example/hook', 'Enter a full URL'],
  ['menu.example:3000', 'Enter a full URL'],
  ['localhost.example/hook', 'Enter a full URL'],
  ['127.0.0.1.example', 'Enter a full URL'],
  ['ftp://menu.example/', 'The scheme ftp: is not supported'],
  ['file:///etc/passwd', 'The scheme file: is not supported'],
  ['FILE:C:\\secrets', 'The scheme file: is not supported'],
  ['javascript:alert(1)', 'The scheme javascript: is not supported'],
  ['data:text/plain,a', 'The scheme data: is not supported'],
  ['ws://localhost/', 'The scheme ws: is not supported'],
  ['http://', 'The URL is invalid'],
  ['http://a b/', 'The URL is invalid'],
  ['http://localhost:99999/', 'The URL is invalid'],
  ['http://[::1/', 'The URL is invalid'],
  ['http://localhost:0/', 'Port 0 is not valid'],
  ['http://localhost/\r\nX: y', 'line break'],
  ['http://ada:secret-word@localhost/', 'a user name or password'],
  ['http://secret-word@localhost/', 'a user name or password'],
  ['http://:secret-word@localhost/', 'a user name or password'],
])('refused: %j', (text, words) => {
  const error = thrownBy(() => parseTarget(text))
  expect(error).toBeInstanceOf(AppError)
  expect(error).toMatchObject({ code: 'bad_target', message: expect.stringContaining(words) })
  expect(JSON.stringify(error)).not.toContain('secret-word')
})

test('taken, without the fragment, which is not sent', () => {
  expect(parseTarget('HTTP://LocalHost:3000/a?b#c').href).toBe('http://localhost:3000/a?b')
  expect(parseTarget('https://menu.example').href).toBe('https://menu.example/')
})

const world = (targets: Target[] = []): SenderConfiguration =>
  new SenderConfiguration({
    endpoints: [],
    fallbackBrand: 'X',
    forwards: [],
    targets,
    listener: 'http://127.0.0.1:4780',
    publicAddresses: [],
    scripts: [],
  })

test.each([
  ['http://127.0.0.1:4780/hook', 'own', true],
  ['http://localhost:4780', 'own', true],
  ['http://a.localhost:4780', 'own', true],
  ['http://0.0.0.0:4780', 'own', true],
  ['http://localhost:4781', 'loopback', true],
  ['http://192.168.0.9:4780', 'private', true],
  ['http://[fd00::1]/', 'private', true],
  ['https://8.8.8.8/', 'public', false],
  ['http://name.invalid/', 'unresolved', false],
])('%s is %s', async (url, place, confirmed) => {
  expect(await lookUpTarget(parseTarget(url), world())).toEqual({
    origin: new URL(url).origin,
    location: place,
    confirmed,
    verifyTls: true,
  })
})

test('a public target requires confirmation once', async () => {
  const url = parseTarget('https://8.8.8.8/hook')
  await expect(assertConfirmed(url, world())).rejects.toMatchObject({
    code: 'target_unconfirmed',
    message: expect.stringMatching(/https:\/\/8\.8\.8\.8 .* Confirm it once/),
    details: { origin: 'https://8.8.8.8' },
  })
  const target = {
    origin: 'https://8.8.8.8',
    location: 'public',
    confirmed: true,
    verifyTls: false,
  } as const
  expect(await assertConfirmed(url, world([target]))).toEqual(target)
  // Only verification was set.
  await expect(
    assertConfirmed(url, world([{ ...target, confirmed: false }])),
  ).rejects.toMatchObject({ code: 'target_unconfirmed' })
})

test('a target on this machine or in its network requires no confirmation', async () => {
  expect(await assertConfirmed(parseTarget('http://localhost:1/'), world())).toMatchObject({
    location: 'loopback',
  })
})

test.each([
  ['localhost', 'http://localhost/'],
  ['localhost:5702', 'http://localhost:5702/'],
  [' LocalHost:5702/hook?x=1 ', 'http://localhost:5702/hook?x=1'],
  ['127.0.0.1:3000', 'http://127.0.0.1:3000/'],
  ['192.168.4.20/hook', 'http://192.168.4.20/hook'],
  ['172.16.0.1?x=1', 'http://172.16.0.1/?x=1'],
  ['[::1]:8080/hook', 'http://[::1]:8080/hook'],
])('near, without a scheme: %j is %s', (text, whole) => {
  expect(parseTarget(text).href).toBe(whole)
})
