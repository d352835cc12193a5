import { expect, it } from 'vitest'
import type { DraftHeader, Preview } from '#contract/compose.ts'
import type { Header } from '#contract/models.ts'
import { headerRows, withPart } from '#parts/composer/headers/HeaderList.tsx'

const setValue = (headers: DraftHeader[], index: number, value: string) =>
  withPart(headers, index, { value, byHand: true })

const original: Header[] = [
  ['Host', 'one.example'],
  ['X-Service-Event-Type', 'OPEN_TAB'],
  ['X-Twice', 'a'],
  ['x-twice', 'b'],
  ['X-Service-Signature', 'ab12'],
]
const captured = (): DraftHeader[] =>
  original.map(([name, value]) => ({ name, value, on: true, byHand: false }))

type Known = Pick<Preview, 'headers' | 'leftOut' | 'problems'>

/** As the engine prepares a draft whose values are all its own. */
function sent(headers: readonly DraftHeader[]): Known {
  const on = [...headers.entries()].filter(([, header]) => header.on)
  return {
    headers: on.map(([draft, { name, value }]) => ({ name, value, draft, from: 'draft' })),
    leftOut: [],
    problems: [],
  }
}

function differing(headers: DraftHeader[]): number {
  return headerRows(headers, { preview: sent(headers), original, brand: 'Service' }).differing
}

function canFollow(headers: DraftHeader[], at: number): boolean | undefined {
  return headerRows(headers, { preview: null, original, brand: 'Service' }).rows[at]?.canFollow
}

it('counts the names that differ from what was received, and has nothing to compare without it', () => {
  expect(differing(captured())).toBe(0)
  expect(differing(setValue(captured(), 0, 'follows the address'))).toBe(0)
  expect(differing(setValue(captured(), 2, 'c'))).toBe(1)
  expect(differing(withPart(captured(), 3, { on: false }))).toBe(1)
  expect(differing(setValue(captured(), 1, 'X').toSpliced(4, 1))).toBe(2)
  const other = { name: 'x-service-event-type', value: 'OPEN_TAB', on: true, byHand: false }
  expect(differing(captured().with(1, other))).toBe(1)
  const alone = { preview: sent(captured()), original: null, brand: 'Service' }
  expect(headerRows(captured(), alone)).toMatchObject({ compared: null, differing: 0 })
})

it('shows the source of a value, omitted headers and problems in their rows', () => {
  const problem = {
    code: 'header.value',
    severity: 'error',
    field: 'headers',
    header: 2,
    message: 'No.',
  } as const
  const preview: Known = {
    headers: [
      { name: 'Host', value: 'two.example', draft: 0, from: 'url' },
      { name: 'X-Service-Event-Type', value: 'CLOSE_TAB', draft: 1, from: 'body' },
      { name: 'X-Twice', value: 'a', draft: 2, from: 'draft' },
      { name: 'x-twice', value: 'b', draft: 3, from: 'draft' },
      { name: 'Content-Length', value: '12', draft: null, from: 'length' },
    ],
    leftOut: [4],
    problems: [problem],
  }
  const {
    rows,
    compared,
    differing: count,
  } = headerRows(captured(), {
    preview,
    original,
    brand: 'Service',
  })
  expect(rows.map(({ follows }) => follows)).toEqual(['address', 'body', null, null, null])
  expect(rows.map(({ value }) => value)).toEqual(['two.example', 'CLOSE_TAB', 'a', 'b', 'ab12'])
  expect(rows[4]?.leftOut).toBe(true)
  expect(rows[2]?.problems).toEqual([problem])
  // Also what the draft does not name, but not the host, which follows the address.
  expect(compared?.after.at(-1)).toEqual(['Content-Length', '12'])
  expect(compared?.before.map(([name]) => name)).not.toContain('Host')
  // The type, the signature and the length.
  expect(count).toBe(3)
})

it('keeps a value written by hand, until it is computed again', () => {
  const byHand = setValue(captured(), 1, 'X')
  expect(byHand[1]).toEqual({ name: 'X-Service-Event-Type', value: 'X', on: true, byHand: true })
  expect(canFollow(byHand, 1)).toBe(true)
  expect(canFollow(setValue(captured(), 2, 'X'), 2)).toBe(false)
  expect(withPart(byHand, 1, { byHand: false })[1]?.byHand).toBe(false)
})
