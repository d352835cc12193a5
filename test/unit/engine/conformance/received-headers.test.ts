import { describe, expect, it } from 'vitest'
import {
  allValues,
  planHeaders,
  receiveHeaders,
  headerEquals,
  valuesOf,
} from '#engine/conformance/received-headers.ts'

describe('valuesOf', () => {
  it('returns all values of a name in any case, in order', () => {
    const raw = ['X-A', '1', 'x-b', 'X-A', 'x-a', '2', 'X-AA', '3', 'X-A', '']
    expect(valuesOf(raw, 'x-a')).toEqual(['1', '2', ''])
    expect(valuesOf(raw, 'x-c')).toEqual([])
  })
})

describe('receiveHeaders', () => {
  const plan = planHeaders('Acme', [
    [' X-Key ', ' one '],
    ['x-key', 'two'],
    ['User-Agent', 'mine'],
  ])
  const { documented, custom } = plan

  it('finds documented and custom headers in any case', () => {
    const raw = ['x-acme-event-TYPE', 'A', 'X-KEY', 'k', 'X-Other', 'o', 'X-Acme-Signature', 's']
    const received = receiveHeaders(raw, plan)
    expect(allValues(received, documented['event-type'])).toEqual(['A'])
    expect(allValues(received, documented.signature)).toEqual(['s'])
    expect(allValues(received, documented['target-id'])).toEqual([])
    expect(received.repeated).toBe(false)
    expect(custom.map(({ slot }) => allValues(received, slot))).toEqual([['k'], []])
  })

  it('keeps all values of a repeated header, including empty ones', () => {
    const raw = ['User-Agent', '', 'user-agent', 'b', 'X-Acme-Event-Type', 'A']
    const received = receiveHeaders(raw, plan)
    expect(received.repeated).toBe(true)
    expect(allValues(received, documented['user-agent'])).toEqual(['', 'b'])
    expect(allValues(received, documented['event-type'])).toEqual(['A'])
  })

  it('groups custom headers by name, and marks documented headers that are configured', () => {
    expect(custom.map(({ slot, values }) => [slot.name, values])).toEqual([
      ['X-Key', ['one', 'two']],
      ['User-Agent', ['mine']],
    ])
    expect(custom[1]?.slot).toBe(documented['user-agent'])
    expect(documented['user-agent'].isCustom).toBe(true)
    expect(documented['event-type'].isCustom).toBe(false)
  })
})

describe('headerEquals', () => {
  it.each([
    ['tab-1', 'tab-1', true],
    ['tab-1', ' tab-1\t', true],
    ['Zo\u00c3\u00ab', 'Zo\u00eb', true],
    ['Zo\u00eb', 'Zo\u00eb', true],
    ['Zo\u00eb', ' Zo\u00eb ', true],
    ['Zoe', 'Zo\u00eb', false],
    ['TAB-1', 'tab-1', false],
    ['tab-1', 'tab-10', false],
    ['', ' ', true],
    ['', 'x', false],
  ])('of %j and %j: %j', (received, text, same) => {
    expect(headerEquals(received, text)).toBe(same)
  })
})
