import { describe, expect, it } from 'vitest'
import {
  type Draft,
  emptyDraft,
  hasMarker,
  readDrafts,
  requestOf,
  tokenOf,
  withQueryRows,
  writeDrafts,
} from '#pages/authorization/console/draft.ts'
import { token } from '../authorization/samples.ts'

const row = (name: string, value: string, on = true) => ({ name, value, on })
const draft: Draft = {
  method: 'POST',
  path: 'orders?spot=4',
  query: [row('page', '2'), row('', 'lost'), row('size', '10', false)],
  headers: [row('X-Venue', 'pier-9')],
  body: '{"a":1}',
  tokenId: 7,
}

describe('stored drafts', () => {
  it('are restored unchanged', () => {
    expect(readDrafts(writeDrafts({ 1: draft, 2: emptyDraft }))).toEqual({
      1: draft,
      2: emptyDraft,
    })
  })

  it('are ignored if invalid', () => {
    for (const kept of [null, '', 'x', '[]', '{"1":{"method":"GET"}}', '{"1":null}']) {
      expect(readDrafts(kept), String(kept)).toEqual({})
    }
  })

  it('contain no value whose name suggests a secret', () => {
    const canary = 'canary-value-0123456789'
    const names = ['Authorization', 'Cookie', 'X-Api-Key', 'access_token', 'refreshToken', 'code']
    const secrets = {
      1: { ...draft, headers: names.map((name) => row(name, canary)) },
      2: { ...draft, query: names.map((name) => row(name, canary, false)) },
      3: { ...draft, body: `{"grant_type":"x","api_access_secret":"${canary}"}` },
      4: { ...draft, path: `x?refresh_token=${canary}` },
    }
    const kept = writeDrafts(secrets)
    expect(kept).not.toContain(canary)
    expect(readDrafts(kept)[1]?.headers.map(({ name }) => name)).toEqual(names)
    expect(readDrafts(kept)[3]?.path).toBe(draft.path)
  })
})

describe('a draft', () => {
  it.each([
    ['the newest that is active', undefined, [3, 2], 3],
    ['none, if none exists', undefined, [], undefined],
    ['none, if none is selected', null, [3, 2], undefined],
    ['the selected one', 2, [3, 2], 2],
    ['that of a later authorization, if the selected one was deleted', 2, [3, 1], 3],
    ['no earlier one, which may be that of another user', 2, [1], undefined],
  ])('is sent with a token: %s', (_, tokenId, ids, sent) => {
    const tokens = ids.map((id) => token({ id }))
    expect(tokenOf({ ...draft, tokenId }, tokens, 0)?.id).toBe(sent)
  })

  it('is sent without unnamed rows, and with disabled ones', () => {
    const request = requestOf(draft, 3, null)
    expect(request).toMatchObject({ integrationId: 3, tokenId: null, path: 'orders?spot=4' })
    expect(request.query.map(({ name, on }) => [name, on])).toEqual([
      ['page', true],
      ['size', false],
    ])
  })

  it('reports when it contains a marker', () => {
    expect(hasMarker(draft)).toBe(false)
    expect(hasMarker({ ...draft, body: '{"code":"«code»"}' })).toBe(true)
    expect(hasMarker({ ...draft, headers: [row('X', 'a «access_token»')] })).toBe(true)
    expect(hasMarker({ ...draft, body: '«Not a marker»' })).toBe(false)
  })
})

describe('a query typed into the path', () => {
  it('replaces rows with the same names', () => {
    const { query } = withQueryRows({ ...draft, path: 'orders?size=20' })
    expect(query).toEqual([row('size', '20'), row('page', '2'), row('', 'lost')])
  })

  it.each([
    ['orders?spot=4', 'orders', [row('spot', '4')]],
    ['orders?a=1&b=c%20d+e&&a=%3D=', 'orders', [row('a', '1'), row('b', 'c d e'), row('a', '==')]],
    ['?x=1', '', [row('x', '1')]],
    ['orders?', 'orders', []],
    ['http://localhost/orders?x=', 'http://localhost/orders', [row('x', '')]],
  ])('%s becomes rows, before existing ones', (path, rest, rows) => {
    const { path: left, query } = withQueryRows({ ...draft, path })
    expect(left).toBe(rest)
    expect(query).toEqual([...rows, ...draft.query])
  })

  it.each(['orders', 'orders?flag', 'orders?a=%', 'orders?a=1&flag', 'orders?a=1#b'])(
    '%s stays: rows would send something else',
    (path) => {
      expect(withQueryRows({ ...draft, path })).toEqual({ ...draft, path })
    },
  )
})
