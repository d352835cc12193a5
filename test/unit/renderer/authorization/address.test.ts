import { expect, it } from 'vitest'
import { runAddress, runsPlaceOf, tokenAddress, tokenOf } from '#client/addresses/authorization.ts'

it('maps each run and token to its URL and back', () => {
  for (const [runId, against] of [
    [null, null],
    [12, null],
    [12, 9],
  ] as const) {
    expect(runsPlaceOf(runAddress(runId, against))).toEqual({ runId, against })
  }
  for (const id of [null, 3]) expect(tokenOf(tokenAddress(id))).toBe(id)
})

it('opens the newest run for any other URL', () => {
  for (const hash of ['', '#/deliveries', '#/authorization/runs/0x1f', '#/authorization/runs/2/']) {
    expect(runsPlaceOf(hash)).toEqual({ runId: null, against: null })
  }
})
