import { describe, expect, it } from 'vitest'
import type { Header } from '#contract/models.ts'
import { explainRefusal, quote, readServiceError } from '#engine/authorization/oauth/refusal.ts'

const now = Date.parse('2026-11-27T12:00:00Z')
const same = (text: string): string => text
const mask = (text: string): string => text.replaceAll('canary', '«secret»')

function explain(
  status: number,
  {
    body = '',
    headers = [],
    page = null,
  }: { body?: string | object; headers?: Header[]; page?: string | null } = {},
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return explainRefusal({ status, headers, error: readServiceError(text, same), page }, now)
}

describe('readServiceError', () => {
  it.each<[string | object, string | null, string | null]>([
    [{ error: 'invalid_grant', error_description: 'Too old' }, 'invalid_grant', 'Too old'],
    [{ error: 'invalid_grant' }, 'invalid_grant', null],
    [{ error: { code: 'bad_code', message: 'No such code' } }, 'bad_code', 'No such code'],
    [{ error: { type: 'bad_code', code: null } }, 'bad_code', null],
    [{ errors: [{ code: 17, message: 'No' }, { code: 18 }] }, '17', 'No'],
    [{ message: 'Unauthorized' }, null, 'Unauthorized'],
    [{ title: 'Forbidden', status: 403, detail: 'No rights' }, null, 'No rights'],
    ['error=invalid_grant&error_description=Too+old', 'invalid_grant', 'Too old'],
  ])('reads %j', (body, code, description) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    expect(readServiceError(text, same)).toEqual({ code, description })
  })

  it.each(['', '{}', 'null', '[]', '"invalid_grant"', '{"error":{}}', '{"error":""}', 'Not found'])(
    'reads no error from %j',
    (text) => expect(readServiceError(text, same)).toBeNull(),
  )

  it('masks, then shortens, and keeps everything on one line', () => {
    const long = `A \n\u{2028} line\r\n${'x'.repeat(282)}canary`
    const { description, code } = readServiceError(
      JSON.stringify({ error: `canary ${'c'.repeat(200)}`, error_description: long }),
      mask,
    ) ?? { description: null, code: null }
    expect(description).toMatch(/^A line x+«secret»$/)
    expect(code).toMatch(/^«secret» c+…$/)
    expect(quote(`${'x'.repeat(298)}canary`, mask)).not.toMatch(/c/)
  })
})

describe('explainRefusal', () => {
  it('quotes status, code and description', () => {
    expect(explain(400, { body: { error: 'E17', error_description: 'Too old' } }).message).toBe(
      'The token endpoint refused the request with 400: “E17” (“Too old”).',
    )
    expect(explain(400, { body: { message: 'Too old' } }).message).toBe(
      'The token endpoint refused the request with 400: “Too old”.',
    )
    expect(explain(200, { body: { error: 'E17' } })).toEqual({
      failure: 'token_refused',
      message:
        'The token endpoint responded with 200, but with an error in place of a token: “E17”.',
    })
    expect(explain(400, { page: 'a web page, “Just a moment”' }).message).toBe(
      'The token endpoint refused the request with 400. The body is a web page, “Just a moment”, so a proxy or firewall in front of the service may have responded.',
    )
  })

  it.each<[number, string, RegExp]>([
    [400, 'invalid_grant', /code or refresh token has expired, was already used/],
    [400, 'INVALID_CLIENT', /access ID or the access secret/],
    [401, 'invalid_grant', /was already used/],
    [401, 'E17', /access ID or the access secret/],
    [403, 'E17', /firewall/],
    [404, 'E17', /no token endpoint/],
    [503, 'E17', /overloaded or in maintenance/],
    [418, 'E17', /“E17”\.$/],
  ])('explains %s %s', (status, error, hint) => {
    expect(explain(status, { body: { error } }).message).toMatch(hint)
  })

  it.each<[number, string | object, Header[], string]>([
    [429, '', [['Retry-After', '30']], '30 s (Retry-After: 30)'],
    [
      429,
      '',
      [['retry-after', 'Fri, 27 Nov 2026 12:10:00 GMT']],
      '10 min (Retry-After: Fri, 27 Nov 2026 12:10:00 GMT)',
    ],
    [
      429,
      '',
      [
        ['Retry-After', 'Fri, 27 Nov 2026 15:05:00 GMT'],
        ['Date', 'Fri, 27 Nov 2026 15:00:00 GMT'],
      ],
      '5 min (Retry-After',
    ],
    [429, '', [['Retry-After', 'soon']], 'wait: Retry-After: “soon”.'],
    // The parser of V8 reads over words, which may be anything.
    [429, '', [['Retry-After', 'key 7 Jan 2027']], '(Retry-After: “key 7 Jan 2027”).'],
    [429, '', [], 'with 429, too many requests.'],
    [400, { error: 'slow_down' }, [], 'too many requests: slow_down.'],
    [503, '', [['Retry-After', '120']], '2 min (Retry-After: 120)'],
  ])('%s %j %j names how long to wait', (status, body, headers, words) => {
    const refusal = explain(status, { body, headers })
    expect(refusal.failure).toBe(status === 503 ? 'token_server_error' : 'token_rate_limited')
    expect(refusal.message).toContain(words)
  })
})
