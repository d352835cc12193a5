import { describe, expect, test } from 'vitest'
import { defaultForward, type ForwardTarget } from '#contract/endpoint-rules.ts'
import { defaultUrlOf } from '#engine/sending/target.ts'
import { SenderConfiguration } from '#engine/sending/sender-configuration.ts'

const captured = { id: 7, endpointId: 1, type: 'OPEN_TAB', path: '/hooks/main?a=1' }
const listener = 'http://127.0.0.1:4780'

function world(
  forwards: readonly Partial<ForwardTarget>[],
  at: string | null = listener,
): SenderConfiguration {
  return new SenderConfiguration({
    endpoints: [],
    fallbackBrand: 'Service',
    forwards: forwards.map((forward, index) => ({
      ...defaultForward,
      types: [],
      id: index + 1,
      endpointId: 1,
      url: `http://localhost:${3000 + index}/`,
      temporary: false,
      ...forward,
    })),
    targets: [],
    listener: at,
    publicAddresses: [],
    scripts: [],
  })
}

describe('the default target of a delivery', () => {
  test.each([
    ['where it went last', 'http://last/', world([{}]), 'http://last/'],
    ['the first forward target', null, world([{}, {}]), 'http://localhost:3000/'],
    ['not one that is off', null, world([{ enabled: false }, {}]), 'http://localhost:3001/'],
    ['not one of another endpoint', null, world([{ endpointId: 2 }, {}]), 'http://localhost:3001/'],
    [
      'not one for other types',
      null,
      world([{ types: ['CLOSE_TAB'] }, {}]),
      'http://localhost:3001/',
    ],
    [
      'one for its type',
      null,
      world([{ types: ['CLOSE_TAB', 'OPEN_TAB'] }]),
      'http://localhost:3000/',
    ],
    ['else the Tabscope listener, by its own path', null, world([]), `${listener}/hooks/main?a=1`],
  ])('%s', (_, last, where, url) => {
    expect(defaultUrlOf(captured, last, where).href).toBe(url)
  })

  test.each([
    ['nobody listens', captured, world([], null)],
    ['its path is none', { ...captured, path: '*' }, world([])],
  ])('nowhere, since %s', (_, delivery, where) => {
    expect(() => defaultUrlOf(delivery, null, where)).toThrow(
      expect.objectContaining({ code: 'bad_target' }),
    )
  })

  test('a delivery without a type only goes to a target for all types', () => {
    const untyped = { ...captured, type: null }
    const forwards = world([{ types: ['OPEN_TAB'] }, {}])
    expect(defaultUrlOf(untyped, null, forwards).href).toBe('http://localhost:3001/')
  })
})
