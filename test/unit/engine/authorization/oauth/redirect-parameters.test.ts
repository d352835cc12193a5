import { describe, expect, it } from 'vitest'
import { readRedirect } from '#engine/authorization/oauth/redirect.ts'
import { newState, sameState } from '#engine/authorization/oauth/authorize-url.ts'

const read = (query: string) => {
  const outcome = readRedirect(`https://app.example/cb?${query}`, 'S')
  return outcome.ok ? { code: outcome.code } : outcome.refusal
}

describe('readRedirect', () => {
  it('returns the code if state and code are valid', () => {
    expect(read('code=a%2Fb%2Bc&state=S')).toEqual({ code: 'a/b+c' })
    expect(read('state=S&code=1&error=')).toEqual({ code: '1' })
  })

  it.each([
    // The state is checked first, as by `judgeReturn`: without it, neither an error nor a code is read.
    ['code=1', 'state_missing'],
    ['code=1&state=s', 'state_mismatch'],
    ['code=1&state=S%20', 'state_mismatch'],
    ['code=1&state=S&state=', 'state_mismatch'],
    ['error=access_denied&state=other', 'state_mismatch'],
    ['error=access_denied&state=S', 'access_denied'],
    ['error=access_denied&code=1&state=S', 'access_denied'],
    ['error=server_error&error_description=Down&state=S', 'authorization_error'],
    ['error=access_denied&error=server_error&state=S', 'authorization_error'],
    ['error=Access_Denied&state=S', 'authorization_error'],
    ['state=S', 'code_missing'],
    ['state=S#code=1', 'code_missing'],
    ['error=&state=S', 'code_missing'],
    ['code=&state=S', 'code_missing'],
    ['code=%20&state=S', 'code_missing'],
    ['code=1&code=1&state=S', 'code_missing'],
    ['code=&code=1&state=S', 'code_missing'],
  ])('refuses ?%s as %s', (query, refusal) => {
    expect(read(query)).toBe(refusal)
  })

  it('includes the service’s message, but no code', () => {
    expect(
      readRedirect(
        'https://a.example/?error=x&error_description=Try%20later&code=c-1&state=S',
        'S',
      ),
    ).toMatchObject({ message: 'The service returned the error “x”: “Try later”' })
  })
})

describe('state', () => {
  it('has 256 random bits, differs each time, and needs no encoding', () => {
    expect(newState()).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(newState()).not.toBe(newState())
    expect(newState((bytes) => Buffer.alloc(bytes, 0xff))).toBe(`${'_'.repeat(42)}8`)
  })

  it.each([
    ['a', 'a', true],
    ['', '', true],
    ['a', 'b', false],
    ['a', 'aa', false],
    ['a', '', false],
    ['ä', 'ä', true],
    ['ä', 'a', false],
  ])('compares %j with %j', (a, b, same) => {
    expect(sameState(a, b)).toBe(same)
  })
})
