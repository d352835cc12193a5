import { expect, it } from 'vitest'
import { prepareResponse, hasContentLength } from '#engine/receiving/listener/respond/rules.ts'

const body = Buffer.from('text')

it('keeps case, order and duplicates of headers, and removes framing headers and invalid headers', () => {
  const { rawHeaders } = prepareResponse(
    200,
    [
      ['x-b', '1'],
      ['CONTENT-LENGTH', '9'],
      ['X-B', '2'],
      ['Connection', 'close'],
      ['Keep-Alive', 'timeout=5'],
      ['Transfer-encoding', 'chunked'],
      ['Upgrade', 'h2c'],
      ['Trailer', 'X'],
      ['', 'no name'],
      ['a b', 'no token'],
      ['X-Line', 'a\nb'],
      ['X-Wide', '漢'],
      ['X-Latin', 'ü'],
      ['X-Empty', ''],
      ['Date', 'then'],
    ],
    body,
  )
  expect(rawHeaders).toEqual([
    'x-b',
    '1',
    'X-B',
    '2',
    'X-Latin',
    'ü',
    'X-Empty',
    '',
    'Date',
    'then',
  ])
})

it.each([
  [200, 4, true],
  [204, 0, false],
  [205, 0, true],
  [304, 0, false],
  [599, 4, true],
])('with status %i the body has %i bytes, with Content-Length: %s', (status, length, says) => {
  const prepared = prepareResponse(status, [], body)
  expect([prepared.body.byteLength, hasContentLength(prepared)]).toEqual([length, says])
})
