import { describe, expect, it } from 'vitest'
import { createGrants } from '#sandbox/service/grants.ts'
import { users } from '#sandbox/service/grants.ts'
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
  it('expires a token exactly after its lifetime', async () => {
    const { clock, grants, user, issue } = setUp()
    await clock.pass(999)
    const { token, initiated, expires } = issue(10)
    expect(expires - initiated).toBe(10)
    await clock.pass(9000)
    expect(grants.inspect(token)).toEqual({ state: 'alive', user })
    await clock.pass(1)
    expect(grants.inspect(token)).toEqual({ state: 'expired', user })
  })

  it('does not extend expired tokens when all tokens are expired', async () => {
    const { clock, grants, issue } = setUp()
    issue(10)
    issue(1000)
    await clock.pass(20_000)
    grants.expireAll()
    const [later, sooner] = grants.rows()
    expect((later?.expires ?? 0) - (later?.issued ?? 0)).toBe(20)
    expect((sooner?.expires ?? 0) - (sooner?.issued ?? 0)).toBe(10)
  })

  it('revokes the tokens of one approval only', () => {
    const { grants, issue } = setUp()
    const first = issue()
    const second = issue()
    const third = grants.refresh(first.refreshToken, 100, { once: false })
    if (typeof third === 'string') throw new Error(third)
    expect(grants.revoke(3)).toBe(true)
    expect(grants.rows().map(({ id, state }) => [id, state])).toEqual([
      [3, 'revoked'],
      [2, 'alive'],
      [1, 'revoked'],
    ])
    expect(grants.refresh(first.refreshToken, 100, { once: false })).toBe('revoked')
    expect(grants.inspect(second.token).state).toBe('alive')
    expect(grants.revoke(4)).toBe(false)
  })

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
    expect(grants.rows()).toHaveLength(500)
    expect(grants.inspect(first.token)).toEqual({ state: 'unknown', user: null })
    expect(grants.refresh(first.refreshToken, 100, { once: false })).toBe('unknown')
  })
})
