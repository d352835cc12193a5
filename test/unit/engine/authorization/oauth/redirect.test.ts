import { describe, expect, it } from 'vitest'
import {
  extraParameters,
  judgeReturn,
  judgeVisit,
  type Visit,
} from '#engine/authorization/oauth/redirect.ts'

const state = 'our-state'
const judge = (redirectUrl: string, address: string) => {
  const judged = judgeReturn(address, { redirectUrl, state })
  return judged.kind === 'refused' ? `${judged.code}${judged.final ? ', final' : ''}` : judged.kind
}
const answer = `code=c-1&state=${state}`

describe('judgeReturn', () => {
  it.each([
    ['https://app.example/cb', `https://app.example/cb?${answer}`],
    ['https://app.example/cb', `https://app.example:443/cb?${answer}`],
    ['https://APP.example/cb', `https://app.example/cb?${answer}`],
    ['https://app.example/cb', `HTTPS://app.example/cb?${answer}`],
    ['https://app.example', `https://app.example/?${answer}`],
    ['https://app.example/cb', `https://app.example/cb?${answer}#_=_`],
    ['https://app.example/a/../cb', `https://app.example/cb?${answer}`],
    ['https://app.example/cb', `https://app.example/cb?error=access_denied&state=${state}`],
    ['https://app.example/cb', `https://app.example/cb?${answer}&session_id=7`],
    ['https://app.example/cb?tenant=a%20b', `https://app.example/cb?tenant=a+b&${answer}`],
    ['https://app.example/cb?tenant=7', `https://app.example/cb?${answer}&tenant=7`],
    ['https://app.example/cb?a=1&b=2', `https://app.example/cb?a=1&x=9&b=2&${answer}`],
    ['https://app.example/cb?a=1&a=2', `https://app.example/cb?a=1&a=2&${answer}`],
    ['http://127.0.0.1/cb', `http://127.0.0.1:80/cb?${answer}`],
    ['http://[::1]:4800/cb', `http://[0:0:0:0:0:0:0:1]:4800/cb?${answer}`],
    ['com.example.app://cb/back', `com.example.app://cb/back?${answer}`],
    ['https://app.example/cb', `https://app.example/cb?state=${state}`],
  ])('accepts, for %s, %s', (redirectUrl, address) => {
    expect(judge(redirectUrl, address)).toBe('ours')
  })

  it.each([
    ['https://app.example/cb', 'state_missing'],
    ['https://app.example/cb?code=c-1', 'state_missing'],
    ['https://app.example/cb?error=access_denied', 'state_missing'],
    ['https://app.example/cb?code=c-1&state=', 'state_missing'],
    ['https://app.example/cb?code=c-1&State=our-state', 'state_missing'],
    ['https://app.example/cb?code=c-1#state=our-state', 'state_missing'],
    ['https://app.example/cb?code=c-1&state=our-state2', 'state_mismatch'],
    ['https://app.example/cb?error=access_denied&state=theirs', 'state_mismatch'],
    [`https://app.example/cb?${answer}&state=theirs`, 'state_mismatch'],
    [`https://app.example/cb?${answer}&state=${state}`, 'state_mismatch'],
  ])('is unsolicited: %s', (address, code) => {
    const judged = judgeReturn(address, { redirectUrl: 'https://app.example/cb', state })
    expect(judged).toMatchObject({ kind: 'unsolicited', code })
    expect(JSON.stringify(judged)).not.toMatch(/c-1|our-state|theirs/)
  })

  it.each([
    ['https://app.example/cb', `https://app.example/cb/?${answer}`, 'redirect_path'],
    ['https://app.example/cb/', `https://app.example/cb?${answer}`, 'redirect_path'],
    ['https://app.example/cb', `https://app.example/CB?${answer}`, 'redirect_path'],
    ['https://app.example/cb', `https://app.example/cb2?${answer}`, 'redirect_path'],
    ['https://app.example/cb2', `https://app.example/cb?${answer}`, 'redirect_path'],
    ['https://app.example/cb', `https://app.example/cb/more?${answer}`, 'redirect_path'],
    ['https://app.example/cb', `https://app.example/%63b?${answer}`, 'redirect_path'],
    ['https://app.example/cb', `https://app.example/?error=x&state=${state}`, 'redirect_path'],
    ['https://app.example/cb?t=7', `https://app.example/cb?${answer}`, 'redirect_query'],
    ['https://app.example/cb?t=7', `https://app.example/cb?t=8&${answer}`, 'redirect_query'],
    ['https://app.example/cb?t=7', `https://app.example/cb?t=7&t=8&${answer}`, 'redirect_query'],
    ['https://app.example/cb?t=7', `https://app.example/cb?T=7&${answer}`, 'redirect_query'],
    [
      'https://app.example/cb?a=1&b=2',
      `https://app.example/cb?b=2&a=1&${answer}`,
      'redirect_query',
    ],
    ['https://app.example/cb?a=', `https://app.example/cb?${answer}`, 'redirect_query'],
    ['https://app.example', `https://app.example.evil/?${answer}`, 'redirect_origin'],
    ['https://app.example', `https://app.example.evil/deep?${answer}`, 'redirect_origin'],
    ['https://app.example/cb', `https://app.example.evil/cb?${answer}`, 'redirect_origin'],
    ['https://app.example.com/cb', `https://app.example.co/cb?${answer}`, 'redirect_origin'],
    ['https://app.example/cb', `http://app.example/cb?${answer}`, 'redirect_origin'],
    ['https://app.example/cb', `https://app.example:8443/cb?${answer}`, 'redirect_origin'],
    ['https://app.example/cb', `https://user@app.example/cb?${answer}`, 'redirect_origin'],
    ['http://127.0.0.1:4800/cb', `http://localhost:4800/cb?${answer}`, 'redirect_origin'],
    ['http://localhost:4800/cb', `http://[::1]:4800/cb?${answer}`, 'redirect_origin'],
    ['http://127.0.0.1:80/cb', `http://127.0.0.1:8080/cb?${answer}`, 'redirect_origin'],
  ])('refuses and ends the run, for %s, %s', (redirectUrl, address, code) => {
    expect(judge(redirectUrl, address)).toBe(`${code}, final`)
  })

  it.each([
    ['https://app.example/cb', 'https://app.example/favicon.ico', 'redirect_path'],
    ['https://app.example/cb', 'https://app.example/login?code=123456', 'redirect_path'],
    ['https://app.example/cb', 'https://app.example/login?code=1&state=theirs', 'redirect_path'],
    ['https://app.example/cb', `https://app.example/login?state=${state}`, 'redirect_path'],
    ['https://app.example/cb?t=7', 'https://app.example/cb', 'redirect_query'],
    ['https://app.example/cb', `https://app.example/cb/?${answer}&state=x`, 'redirect_path'],
  ])('refuses but continues, for %s, at %s', (redirectUrl, address, code) => {
    expect(judge(redirectUrl, address)).toBe(code)
  })

  it.each([
    ['https://app.example/cb', 'https://service.example/manager/oauth?code=c-1'],
    ['https://app.example/cb', `https://service.example/login?${answer}`],
    ['https://app.example/cb', `https://service.example/cb?${answer}`],
    ['https://app.example/cb', `https://service.example/?next=https://app.example/cb?${answer}`],
    ['https://app.example/cb', `https://app.example@evil.example/cb?${answer}`],
    ['https://app.example/cb', `https://evil.example/https://app.example/cb?${answer}`],
    ['https://app.example/cb', 'https://app.example.evil/cb?code=c-1&state=theirs'],
    ['https://app.example', `https://app.example.evil/deep?state=${state}`],
    ['http://127.0.0.1:4800/cb', `http://127.0.0.1:4801/continue?${answer}`],
    ['com.example.app://cb/back', `com.example.app://other/back?${answer}`],
    ['https://app.example/cb', 'about:blank'],
    ['https://app.example/cb', 'no address'],
    ['', `https://app.example/cb?${answer}`],
  ])('ignores, for %s, %s', (redirectUrl, address) => {
    expect(judge(redirectUrl, address)).toBe('elsewhere')
  })

  it('never mentions code or query in its messages', () => {
    const judged = judgeReturn(`https://app.example/other?${answer}`, {
      redirectUrl: 'https://app.example/cb',
      state,
    })
    expect(judged).toMatchObject({ kind: 'refused' })
    expect(JSON.stringify(judged)).not.toContain('c-1')
  })
})

describe('judgeVisit', () => {
  const redirectUrl = 'http://127.0.0.1:4800/cb'
  const visit = (address: string, more: Partial<Visit> = {}) =>
    judgeVisit(
      { address: `http://${address}`, method: 'GET', form: null, ...more },
      { redirectUrl, state },
    )

  it.each([
    [`localhost:4800/cb?${answer}`, 'redirect_origin', 'the host is “localhost”, not “127.0.0.1”'],
    [`[::1]:4800/cb?${answer}`, 'redirect_origin', 'the host is “[::1]”, not “127.0.0.1”'],
    [
      `localhost:4801/other?${answer}`,
      'redirect_origin',
      'the host is “localhost”, not “127.0.0.1”, and the port is “4801”, not “4800”, and the path is “/other”, not “/cb”',
    ],
    [`127.0.0.1/cb?error=x&state=${state}`, 'redirect_origin', 'the port is “80”, not “4800”'],
    [`127.0.0.1:4800/CB?${answer}`, 'redirect_path', 'its path is not /cb'],
    // In a hosts file, for example. Only our state shows that it is not a page of somebody else.
    [`app.test:4800/cb?${answer}`, 'redirect_origin', 'the host is “app.test”, not “127.0.0.1”'],
  ])('ends the run for %s, and names what differs', (address, code, words) => {
    const judged = visit(address)
    expect(judged).toMatchObject({ kind: 'refused', code, final: true })
    expect(judged.kind === 'refused' && judged.message).toContain(words)
    expect(JSON.stringify(judged)).not.toMatch(/c-1|our-state/)
  })

  it('explains another name of this machine, and what to compare', () => {
    expect(visit(`localhost:4800/cb?${answer}`)).toMatchObject({
      facts: [{ name: 'host', value: 'localhost, expected 127.0.0.1' }],
      message: expect.stringContaining('list http://127.0.0.1:4800/cb on the dashboard'),
    })
  })

  it.each<[string, Partial<Visit>, string]>([
    ['127.0.0.1:4800/cb', { form: answer }, 'at http://127.0.0.1:4800/cb as a form'],
    ['127.0.0.1:4800/cb', { form: `error=x&state=${state}` }, 'as a form'],
    [`127.0.0.1:4800/cb?${answer}`, { form: 'state=theirs&approve=1' }, '307 or 308'],
    [
      'localhost:4800/',
      { form: answer },
      'Also, the host is “localhost”, not “127.0.0.1”, and the path',
    ],
  ])('ends the run for a POST to %s with %j', (address, more, words) => {
    const judged = visit(address, { method: 'POST', ...more })
    expect(judged).toMatchObject({ kind: 'refused', code: 'redirect_post', final: true })
    expect(judged.kind === 'refused' && judged.message).toContain(words)
  })

  it.each<[string, Partial<Visit>, string, string]>([
    ['localhost:4800/cb?code=c-1', {}, 'state_missing', 'http://localhost:4800/cb'],
    ['127.0.0.1:4800/x?code=c-1&state=theirs', {}, 'state_mismatch', 'http://127.0.0.1:4800/x'],
    [
      '127.0.0.1:4800/cb',
      { method: 'POST', form: 'code=c-1&state=theirs' },
      'state_mismatch',
      'http://127.0.0.1:4800/cb',
    ],
    ['127.0.0.1:4800/cb', { method: 'POST' }, 'state_missing', 'http://127.0.0.1:4800/cb'],
  ])('notes a visit of %s %j without our state', (address, more, code, at) => {
    expect(visit(address, more)).toMatchObject({ kind: 'unsolicited', code, at })
  })

  it.each<[string, Partial<Visit>?]>([
    ['localhost:4800/favicon.ico'],
    [`localhost:4800/cb?state=${state}`],
    ['127.0.0.1:4800/other', { method: 'POST', form: 'a=1' }],
    ['evil.test:4800/cb', { method: 'POST', form: 'a=1' }],
    ['evil.test:4800/cb?code=c-1&state=theirs'],
    ['evil.test:4800/cb'],
  ])('ignores %s %j', (address, more) => {
    expect(visit(address, more)).toEqual({ kind: 'elsewhere' })
  })
})

describe('extraParameters', () => {
  it('lists parameters that are not in the API documentation', () => {
    expect(
      extraParameters(
        `https://app.example/cb?t=7&${answer}&session=1&iss=2&session=3`,
        'https://app.example/cb?t=7',
      ),
    ).toEqual(['session', 'iss'])
  })
})
