import { expect, it } from 'vitest'
import type { DraftHeader, Preview } from '#contract/compose.ts'
import type { Header } from '#contract/models.ts'
import {
  add,
  followAgain,
  move,
  restore,
  remove,
  setOn,
  setValue,
} from '#renderer/features/compose/headers/HeaderList.tsx'
import { headerRows } from '#renderer/features/compose/headers/header-rows.ts'

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

function changes(headers: DraftHeader[], preview: Known | null = null): string[] {
  return headerRows(headers, { preview, original, brand: 'Service' }).rows.map(
    ({ change, moved }) => `${change}${moved ? ' moved' : ''}`,
  )
}

function canFollow(headers: DraftHeader[], at: number): boolean | undefined {
  return headerRows(headers, { preview: null, original, brand: 'Service' }).rows[at]?.canFollow
}

it('reports no changes for an unchanged draft, and no comparison without an original', () => {
  const rows = headerRows(captured(), { preview: null, original, brand: 'Service' })
  expect(rows.differing).toBe(0)
  expect(rows.removed).toEqual([])
  expect(new Set(changes(captured()))).toEqual(new Set(['same']))
  const alone = headerRows(captured(), { preview: null, original: null, brand: 'Service' })
  expect(alone.rows.every(({ change }) => change === null)).toBe(true)
  expect(alone.differing).toBe(0)
})

it('distinguishes changed, added, omitted, other case and removed', () => {
  const headers = [...captured(), { name: 'X-New', value: '1', on: true, byHand: false }]
  expect(changes(setValue(headers, 2, 'c'))).toEqual([
    'same',
    'same',
    'changed',
    'same',
    'same',
    'added',
  ])
  expect(changes(setOn(headers, 3, false))[3]).toBe('off')
  expect(
    changes(
      captured().with(1, {
        name: 'x-service-event-type',
        value: 'OPEN_TAB',
        on: true,
        byHand: false,
      }),
    )[1],
  ).toBe('case')
  const without = headerRows(remove(captured(), 2), { preview: null, original, brand: 'Service' })
  // With a duplicate name, the second header is matched with the first.
  expect(without.rows.map(({ change }) => change)).toEqual(['same', 'same', 'changed', 'same'])
  expect(without.removed).toEqual([{ header: ['x-twice', 'b'], place: 3 }])
  expect(without.differing).toBe(2)
})

it('reports which of them were moved, and how many differ', () => {
  const moved = move(move(captured(), 4, -1), 3, -1)
  expect(changes(moved)).toEqual(['same', 'same', 'same moved', 'same', 'same'])
  expect(headerRows(moved, { preview: null, original, brand: 'Service' }).differing).toBe(1)
})

it('restores a removed header at its original position', () => {
  const without = remove(captured(), 1)
  const { removed } = headerRows(without, { preview: null, original, brand: 'Service' })
  const [first] = removed
  expect(first && restore(without, first.header, first.place)).toEqual(captured())
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
  const { rows, added, differing } = headerRows(captured(), { preview, original, brand: 'Service' })
  expect(rows.map(({ follows }) => follows)).toEqual(['address', 'body', null, null, null])
  expect(rows.map(({ value }) => value)).toEqual(['two.example', 'CLOSE_TAB', 'a', 'b', 'ab12'])
  expect(rows[4]?.leftOut).toBe(true)
  expect(rows[2]?.problems).toEqual([problem])
  expect(added).toEqual([expect.objectContaining({ name: 'Content-Length', value: '12' })])
  // The type and the signature; the host follows the address.
  expect(differing).toBe(2)
})

it('keeps a value written by hand, until it is computed again', () => {
  const byHand = setValue(captured(), 1, 'X')
  expect(byHand[1]).toEqual({ name: 'X-Service-Event-Type', value: 'X', on: true, byHand: true })
  expect(canFollow(byHand, 1)).toBe(true)
  expect(canFollow(setValue(captured(), 2, 'X'), 2)).toBe(false)
  expect(followAgain(byHand, 1)[1]?.byHand).toBe(false)
  expect(move(captured(), 0, -1)).toEqual(captured())
  expect(move(captured(), 4, 1)).toEqual(captured())
  expect(add(captured())).toHaveLength(6)
})
