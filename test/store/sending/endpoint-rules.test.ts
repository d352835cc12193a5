import { describe, expect, it } from 'vitest'
import type { ForwardTarget } from '#contract/endpoint-rules.ts'
import {
  deleteForward,
  insertForward,
  readForwards,
  readResponses,
  switchResponsesOff,
  updateForward,
  writeResponses,
  type RuleFields,
} from '#engine/endpoints/rules-store.ts'
import { insertEndpoint } from '#engine/endpoints/store.ts'
import { storeWith, type TestStore } from '#test/support/test-store.ts'

const forward = {
  endpointId: 1,
  url: 'http://127.0.0.1:3000/in?a=1',
  types: ['OPEN_TAB'],
  mode: 'after',
  retries: 3,
  timeoutMs: 5000,
  concurrency: 2,
  queueLimit: 10,
  enabled: true,
  script: 'Add a header',
  onScriptFailure: 'hold',
} satisfies Omit<ForwardTarget, 'id' | 'temporary'>

const rule = {
  type: null,
  response: { kind: 'status', status: 503, headers: [['Retry-After', '5']], body: 'büsy' },
  delayMs: 100,
  when: { kind: 'share', share: 0.25 },
  enabled: true,
} satisfies RuleFields
const dropping = { ...rule, response: { kind: 'drop' }, when: { kind: 'first', count: 2 } } as const

function twoEndpoints(): TestStore {
  const store = storeWith()
  insertEndpoint(store.db, {
    integrationId: 1,
    name: 'Other',
    slug: 'other',
    applicationId: '',
    customHeaders: [],
  })
  return store
}

describe('forward targets', () => {
  it('are read as they were written, in order', () => {
    const { db } = twoEndpoints()
    const first = insertForward(db, forward)
    const second = insertForward(db, { ...forward, endpointId: 2, mode: 'return' })
    const changed = { ...forward, id: first, temporary: false, enabled: false, types: [] }
    updateForward(db, changed)
    expect(readForwards(db)).toEqual([
      changed,
      { ...forward, endpointId: 2, mode: 'return', id: second, temporary: false },
    ])
    deleteForward(db, first)
    expect(readForwards(db).map(({ id }) => id)).toEqual([second])
    // Attempts refer to them by id.
    expect(insertForward(db, forward)).toBeGreaterThan(second)
  })
})

describe('response rules', () => {
  it('replace the earlier rules of their endpoint, in order', () => {
    const { db } = twoEndpoints()
    const before = writeResponses(db, { endpointId: 1, rules: [rule] })
    const other = writeResponses(db, { endpointId: 2, rules: [rule] })
    const stored = writeResponses(db, { endpointId: 1, rules: [dropping, rule] })
    expect(readResponses(db)).toEqual([...stored, ...other])
    expect(stored).toMatchObject([dropping, rule])
    // An unchanged rule stays the same.
    expect(stored[1]?.id).toBe(before[0]?.id)
    const edited = writeResponses(db, { endpointId: 1, rules: [{ ...rule, delayMs: 7 }] })
    expect(stored.map(({ id }) => id)).not.toContain(edited[0]?.id)
    expect(readResponses(db)).toEqual([...edited, ...other])
  })

  it('are turned off for one endpoint or for all', () => {
    const { db } = twoEndpoints()
    const on = () => readResponses(db).map((stored) => [stored.endpointId, stored.enabled])
    for (const endpointId of [1, 2]) writeResponses(db, { endpointId, rules: [rule, dropping] })
    switchResponsesOff(db, 2)
    expect(on()).toEqual([
      [1, true],
      [1, true],
      [2, false],
      [2, false],
    ])
    switchResponsesOff(db, null)
    expect(on().some(([, isOn]) => isOn)).toBe(false)
    expect(readResponses(db)[0]).toMatchObject({ ...rule, enabled: false })
  })
})
