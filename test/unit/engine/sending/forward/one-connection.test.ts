import { expect, it } from 'vitest'
import { endToEnd } from '#engine/sending/forward/passing.ts'

it('omits hop-by-hop headers and those that Connection names (RFC 9110, 7.6.1)', () => {
  expect(
    endToEnd([
      ['Content-Type', 'text/plain'],
      ['CONNECTION', 'close, X-Hop'],
      ['x-hop', 'here'],
      ['Set-Cookie', 'a=1'],
      ['Keep-Alive', 'timeout=5'],
      ['Proxy-Connection', 'close'],
      ['Proxy-Authenticate', 'Basic'],
      ['TE', 'trailers'],
      ['Trailer', 'X-Sum'],
      ['Transfer-Encoding', 'chunked'],
      ['Upgrade', 'h2c'],
      ['Content-Length', '5'],
      ['set-cookie', 'b=2'],
      ['X-Hops', 'kept'],
    ]),
  ).toEqual([
    'Content-Type',
    'text/plain',
    'Set-Cookie',
    'a=1',
    'set-cookie',
    'b=2',
    'X-Hops',
    'kept',
  ])
})
