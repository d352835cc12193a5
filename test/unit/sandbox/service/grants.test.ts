import { describe, expect, it } from 'vitest'
import { createGrants, users } from '#sandbox/service/grants.ts'
import { fakeClock } from '#test/support/fake-clock.ts'

/** Returns a source of unique bytes. */
function counting(): (bytes: number) => Uint8Array {
  let count = 0
  return (bytes) => {
    const result = Buffer.alloc(bytes)
    result.writeUInt32BE((count += 1), bytes - 4)
    return result
  }
}

function setUp() {
  const clock = fakeClock()
  const grants = createGrants(clock, counting())
  const [user] = users
  if (!user) throw new Error('no user')
  const issue = (lifetime = 100) => {
    const issued = grants.exchange(grants.code(user), lifetime)
    if (typeof issued === 'string') throw new Error(issued)
    return issued
  }
  return { clock, grants, user, issue }
}

describe('createGrants', () => {
  it('distinguishes an access token from a refresh token and a code', () => {
    const { grants, user, issue } = setUp()
    const { token, refreshToken } = issue()
    expect(grants.inspect(refreshToken).state).toBe('unknown')
    expect(grants.refresh(token, 100, { once: false })).toBe('unknown')
    expect(grants.exchange(token, 100)).toBe('unknown')
    expect(grants.inspect(grants.code(user)).state).toBe('unknown')
  })

  it('limits the number of stored tokens', () => {
    const { grants, issue } = setUp()
    const first = issue()
    for (let count = 0; count < 500; count += 1) issue()
    expect(grants.activeCount()).toBe(500)
    expect(grants.inspect(first.token)).toEqual({ state: 'unknown', user: null })
    expect(grants.refresh(first.refreshToken, 100, { once: false })).toBe('unknown')
  })
})
