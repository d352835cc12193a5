import { describe, expect, it } from 'vitest'
import type { Header } from '#contract/models.ts'
import {
  explainRefusal,
  quote,
  readServiceError,
  type RefusedResponse,
} from '#engine/oauth/refusal.ts'

const now = Date.parse('2026-11-27T12:00:00Z')
const same = (text: string): string => text
const mask = (text: string): string => text.replaceAll('canary', '«secret»')

function explain(
  status: number,
  {
    kind = 'authorize',
    body = '',
    headers = [],
    pageTitle = null,
  }: {
    kind?: 'authorize' | 'refresh'
    body?: string | object
    headers?: Header[]
    pageTitle?: RefusedResponse['pageTitle']
  } = {},
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = { status, headers, error: readServiceError(text, same), pageTitle }
  return explainRefusal(response, { now, kind })
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
    expect(
      explain(400, { body: { error: 'invalid_grant', error_description: 'Too old' } }).message,
    ).toBe('The token endpoint refused the request with 400: invalid_grant (“Too old”).')
    expect(explain(400, { body: { message: 'Too old' } }).message).toBe(
      'The token endpoint refused the request with 400: “Too old”.',
    )
    expect(explain(200, { body: { error: 'invalid_client' } })).toMatchObject({
      failure: 'token_refused',
      message:
        'The token endpoint responded with 200, but with an error in place of a token: invalid_client.',
    })
    expect(explain(403, { pageTitle: 'Just a moment' }).message).toBe(
      'The token endpoint refused the request with 403. The body is a web page, “Just a moment”, so a proxy or firewall in front of the service may have responded.',
    )
  })

  it.each<[string, RegExp, RegExp]>([
    ['invalid_grant', /code has expired, was already used/, /refresh token was revoked/],
    ['invalid_client', /access ID or the access secret/, /access ID or the access secret/],
  ])('explains the code %s, for a code exchange and for a refresh', (error, exchange, refresh) => {
    expect(explain(400, { body: { error } }).explained?.meaning).toMatch(exchange)
    const other = explain(400, { body: { error }, kind: 'refresh' })
    expect(other.explained?.meaning).toMatch(refresh)
    expect(other.explained?.remedy).not.toContain('the code cannot')
    // The code explains more than the status.
    expect(explain(401, { body: { error: error.toUpperCase() } }).explained?.meaning).toMatch(
      exchange,
    )
  })

  it.each<[number, RegExp]>([
    [401, /access ID or the access secret is wrong/],
    [403, /firewall/],
    [404, /no token endpoint/],
    [405, /no token endpoint/],
    [503, /overloaded or in maintenance/],
  ])('explains the status %s without a known code, as an assumption', (status, meaning) => {
    const { explained } = explain(status, { body: { error: 'E17' } })
    expect(explained?.meaning).toMatch(meaning)
    expect(explained?.meaning).toContain('does not describe error responses')
  })

  it.each([400, 418, 500])('leaves status %s to the general explanation', (status) => {
    expect(explain(status).explained).toBeNull()
  })

  it.each<[number, string | object, Header[], string, string]>([
    [429, '', [['Retry-After', '30']], '30 s (Retry-After: 30)', 'Wait 30 s,'],
    [
      429,
      '',
      [['retry-after', 'Fri, 27 Nov 2026 12:10:00 GMT']],
      '10 min (Retry-After: Fri, 27 Nov 2026 12:10:00 GMT)',
      'Wait 10 min,',
    ],
    [
      429,
      '',
      [
        ['Retry-After', 'Fri, 27 Nov 2026 15:05:00 GMT'],
        ['Date', 'Fri, 27 Nov 2026 15:00:00 GMT'],
      ],
      '5 min (Retry-After',
      'Wait 5 min,',
    ],
    [429, '', [['Retry-After', 'soon']], 'wait: Retry-After: soon.', 'Wait a few minutes,'],
    [429, '', [], 'with 429, too many requests.', 'Wait a few minutes,'],
    [400, { error: 'slow_down' }, [], 'too many requests: slow_down.', 'Wait a few minutes,'],
    [503, '', [['Retry-After', '120']], '2 min (Retry-After: 120)', 'Wait 2 min,'],
  ])('%s %j %j names how long to wait', (status, body, headers, words, remedy) => {
    const refusal = explain(status, { body, headers })
    expect(refusal.failure).toBe(status === 503 ? 'token_server_error' : 'token_rate_limited')
    expect(refusal.message).toContain(words)
    expect(refusal.explained?.remedy).toContain(remedy)
    expect(explain(status, { body, headers, kind: 'refresh' }).explained?.remedy).toContain(
      'refresh again',
    )
  })
})
