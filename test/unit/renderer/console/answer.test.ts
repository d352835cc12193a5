import { describe, expect, it } from 'vitest'
import { mergePage } from '#renderer/features/console/HistoryList.tsx'
import { phasesOf } from '#renderer/ui/PhaseBar.tsx'
import { statusTone, statusWord } from '#renderer/ui/text/status.ts'

const rows = (...ids: number[]) => ids.map((id) => ({ id }))
const ids = (list: readonly { id: number }[]) => list.map(({ id }) => id)

describe('the phases of a request', () => {
  it('assign the remaining time to the body', () => {
    const phases = phasesOf({ dnsMs: 1, connectMs: 2, tlsMs: null, firstByteMs: 10, totalMs: 20 })
    expect(phases.map(({ name, took }) => [name, took])).toEqual([
      ['dns', 1],
      ['connect', 2],
      ['tls', null],
      ['firstByte', 10],
      ['rest', 7],
    ])
    const shorter = phasesOf({
      dnsMs: null,
      connectMs: null,
      tlsMs: null,
      firstByteMs: 5,
      totalMs: 4.9,
    })
    expect(shorter.at(-1)?.took).toBe(0)
  })
})

describe('a status', () => {
  it('has a label and a tone, known or not', () => {
    expect([200, 403, 299, 599, 103, 302].map(statusWord)).toEqual([
      'OK',
      'Forbidden',
      'Success',
      'Server Error',
      'Informational',
      'Found',
    ])
    expect([103, 200, 304, 404, 500].map(statusTone)).toEqual([
      'info',
      'valid',
      'warning',
      'invalid',
      'invalid',
    ])
  })
})

describe('pages of the history', () => {
  it('are appended at the end', () => {
    const first = mergePage({ rows: [], more: false }, rows(9, 8, 7), 3, undefined)
    expect(first).toEqual({ rows: rows(9, 8, 7), more: true })
    const second = mergePage(first, rows(6, 5), 3, 7)
    expect(ids(second.rows)).toEqual([9, 8, 7, 6, 5])
    expect(second.more).toBe(false)
  })

  it('keep older pages if a new first page overlaps', () => {
    const known = { rows: rows(9, 8, 7, 6, 5), more: true }
    const joined = mergePage(known, rows(10, 9, 8), 3, undefined)
    expect(ids(joined.rows)).toEqual([10, 9, 8, 7, 6, 5])
    expect(joined.more).toBe(true)
  })

  it('restart after a gap, and when the history was cleared', () => {
    const known = { rows: rows(9, 8, 7, 6), more: true }
    expect(ids(mergePage(known, rows(30, 29, 28), 3, undefined).rows)).toEqual([30, 29, 28])
    expect(mergePage(known, [], 3, undefined)).toEqual({ rows: [], more: false })
    expect(ids(mergePage(known, rows(9), 3, undefined).rows)).toEqual([9])
  })
})
