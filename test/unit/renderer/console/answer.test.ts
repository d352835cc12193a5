import { describe, expect, it } from 'vitest'
import { phasesOf } from '#renderer/ui/PhaseBar.tsx'
import { statusTone, statusWord } from '#renderer/ui/text/status.ts'

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
