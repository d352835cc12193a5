import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { causeNames, describeCause } from '#catalogue/signature-causes.ts'
import { readResponse, type HandlerResponse } from '#catalogue/response-causes.ts'
import type { Header } from '#contract/models.ts'

interface Recorded extends HandlerResponse {
  readonly software: string
  readonly code: string
}

/** From the software of that version unless it says otherwise. Bodies are shortened. */
const responses: readonly Recorded[] = JSON.parse(
  readFileSync(new URL('./responses.json', import.meta.url), 'utf8'),
)

it.each(responses.map((each) => [each.code, each.software, each] as const))(
  '%s: %s',
  (code, _software, response) => {
    const cause = readResponse(response)
    expect(cause).toMatchObject({ code, where: 'handler' })
    if (!cause) return
    const { sentence, fix } = describeCause(cause)
    expect(sentence).toContain(` ${response.status}`)
    // What the response says is quoted, so that it is masked as a value.
    const hasText =
      /\w/.test(response.body) || response.headers.some(([name]) => name === 'location')
    expect(sentence.includes('“')).toBe(hasText)
    expect(fix).toMatch(/\.$/)
    if (code !== 'handler.serialized') expect(sentence + fix).not.toMatch(/serializ|other secret/)
  },
)

it('has a recorded response for every cause', () => {
  const recordedCodes = new Set(responses.map(({ code }) => code))
  const codes = causeNames.map(({ code }) => code).filter((code) => code.startsWith('response.'))
  expect(codes.filter((code) => !recordedCodes.has(code))).toEqual([])
})

const base = { status: 502, headers: [], body: '' }

function said(headers: readonly Header[], status = 413): string {
  const cause = readResponse({ ...base, status, headers })
  if (!cause) return ''
  const { sentence, fix } = describeCause(cause)
  return `${sentence} ${fix}`
}

it('says which server responded, and gives its fix first', () => {
  expect(said([['Server', 'nginx/1.22.1']])).toContain('came from nginx. Set client_max_body_size')
  expect(said([['X-Powered-By', 'Express']])).toContain('express.raw(')
  expect(said([['server', 'gunicorn']], 500)).toContain('Gunicorn, a server for Python')
  expect(said([['Location', 'https://a.example/in?token=x']], 302)).not.toContain('token')
})

it('reads nothing from an accepted delivery, or without a response', () => {
  expect(readResponse({ ...base, status: 204, body: 'CSRF verification failed' })).toBeNull()
  expect(readResponse({ ...base, status: 0 })).toBeNull()
})

it('quotes a hostile response in one line without control characters', () => {
  const body = `${'<'.repeat(20_000)}<style>x</style>\u001b[2J“end” \u202e${'a'.repeat(9000)}`
  const quote = readResponse({ ...base, status: 400, body })?.values?.['said'] ?? ''
  expect(quote).toMatch(/^“[^“”\p{C}]+…”$/u)
  expect(quote.length).toBeLessThan(170)
})
