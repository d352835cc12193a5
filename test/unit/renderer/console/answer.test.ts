import { describe, expect, it } from 'vitest'
import type { Timings } from '#contract/http.ts'
import { phasesOf } from '#parts/exchange/PhaseBar.tsx'
import { statusTone, statusWord } from '#kit/text/status.ts'

const none = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 20 }

const failedAt = (timings: Partial<Timings>, url: string) =>
  phasesOf({ ...none, ...timings }, url).flatMap(({ name, took, failed }) =>
    failed ? [name, took] : [],
  )

describe('the phases of a request', () => {
  it('assign the remaining time to the body', () => {
    const phases = phasesOf(
      { dnsMs: 1, connectMs: 2, tlsMs: null, firstByteMs: 10, totalMs: 20 },
      null,
    )
    expect(phases.map(({ name, took }) => [name, took])).toEqual([
      ['dns', 1],
      ['connect', 2],
      ['tls', null],
      ['firstByte', 10],
      ['rest', 7],
    ])
    const shorter = phasesOf({ ...none, firstByteMs: 5, totalMs: 4.9 }, null)
    expect(shorter.at(-1)?.took).toBe(0)
  })

  it('name the one in which a request failed, with the time that it took', () => {
    const url = 'https://api.example/x'
    expect(failedAt({}, url)).toEqual(['dns', 20])
    expect(failedAt({}, 'http://127.0.0.1:9/')).toEqual(['connect', 20])
    expect(failedAt({ dnsMs: 1 }, url)).toEqual(['connect', 19])
    expect(failedAt({ dnsMs: 1, connectMs: 2 }, url)).toEqual(['tls', 17])
    const waiting = { dnsMs: 1, connectMs: 2, tlsMs: 3 }
    expect(failedAt(waiting, url)).toEqual(['firstByte', 14])
    expect(failedAt({ ...waiting, firstByteMs: 4 }, url)).toEqual(['rest', 10])
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
