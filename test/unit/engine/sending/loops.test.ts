import { expect, test } from 'vitest'
import { assertNoLoop, pointsToSelf } from '#engine/sending/target.ts'

const addresses = [
  'https://pier9.loca.example/',
  'http://pier9.localhost:4999/',
  'https://bar.example/hooks/',
]

test.each([
  ['https://pier9.loca.example/hooks/sandbox', true],
  ['https://PIER9.loca.example./hooks/sandbox?x=1', true],
  ['https://pier9.loca.example:443/anything', true],
  // A tunnel has both.
  ['http://pier9.loca.example/hooks/sandbox', true],
  ['http://pier9.localhost:4999/hooks/sandbox', true],
  ['https://bar.example/hooks/sandbox', true],
  ['https://bar.example/app/../hooks/sandbox', true],
  // Other paths of the user's proxy.
  ['https://bar.example/app', false],
  ['https://bar.example/hooksandbox', false],
  ['https://pier10.loca.example/hooks/sandbox', false],
  ['https://pier9.loca.example.menu.example/hooks/sandbox', false],
  ['https://a.pier9.loca.example/hooks/sandbox', false],
  ['https://pier9.loca.example:8443/hooks/sandbox', false],
  ['http://pier9.localhost:5000/hooks/sandbox', false],
  ['http://127.0.0.1:4999/hooks/sandbox', false],
])('what is sent to %s comes back: %s', (url, expected) => {
  expect(pointsToSelf(new URL(url), addresses)).toBe(expected)
})

test('without a public address, no URL leads back', () => {
  expect(pointsToSelf(new URL('https://pier9.loca.example/'), [])).toBe(false)
})

test('such a URL is refused with a reason', () => {
  expect(() => assertNoLoop(new URL('https://pier9.loca.example/x'), addresses)).toThrow(
    expect.objectContaining({
      code: 'bad_target',
      message:
        'https://pier9.loca.example is the public URL of this listener, so a forwarded request would be received and forwarded again. Forward to another URL.',
    }),
  )
  expect(() => assertNoLoop(new URL('https://bar.example/app'), addresses)).not.toThrow()
})
