import { expect, it } from 'vitest'
import { runAddress, runOf, tokenAddress, tokenOf } from '#client/addresses/authorization.ts'

it('maps each run and token to its URL and back', () => {
  for (const id of [null, 12]) {
    expect(runOf(runAddress(id))).toBe(id)
    expect(tokenOf(tokenAddress(id))).toBe(id)
  }
})

it('opens the newest run for any other URL', () => {
  for (const hash of ['', '#/deliveries', '#/authorization/runs/0x1f', '#/authorization/runs/2/']) {
    expect(runOf(hash)).toBeNull()
  }
})
