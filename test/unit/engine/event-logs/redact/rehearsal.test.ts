import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { LogRehearsal } from '#contract/event-log.ts'
import type { RehearsalRequest } from '#contract/rehearsal.ts'
import type { LogItem } from '#engine/event-logs/items.ts'
import { createRedactor, type RedactorOptions } from '#engine/event-logs/redact/redactor.ts'
import { rehearsalRequest, sampleRehearsal } from '#test/support/event-log/sample-rehearsal.ts'

const secret = 'whsec-canary-0123456789abcdef'
const token = 'token-canary-0123456789abcdef'
const email = 'mia.moreau@example.com'

const options: RedactorOptions = {
  known: [{ kind: 'secret', value: secret }],
  handles: [],
  customHeaders: ['X-Ours'],
  customValues: [],
  rules: [],
  key: new Uint8Array(32),
}

function redacted(items: readonly LogItem[], more: Partial<RedactorOptions> = {}): LogItem[] {
  const redactor = createRedactor({ ...options, ...more })
  return items.map((item) => redactor.item(item))
}

function requestIn(items: readonly LogItem[]): RehearsalRequest {
  const request = items.flatMap((item) => (item.kind === 'rehearsal_case' ? item.requests : []))[0]
  if (!request) throw new Error('there is no request')
  return request
}

/** All texts and bodies, so that a value cannot hide in an encoding of JSON. */
function textOf(items: readonly LogItem[]): string {
  return JSON.stringify(items, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
  )
}

test('secrets, credentials and contacts are redacted in every text, header and body', () => {
  const text = `${secret} Authorization: Bearer ${token} ${email}`
  const items = sampleRehearsal(text)
  expect(textOf(items).split(email).length).toBeGreaterThan(20)
  const written = textOf(redacted(items))
  for (const value of [secret, token, email]) expect(written).not.toContain(value)
})

test('a signature is redacted wherever the case sends it, and wherever the handler repeats it', () => {
  const signature = createHash('sha256').update('signature').digest('hex')
  const request = rehearsalRequest('x', {
    url: `http://127.0.0.1:3000/?s=${signature}`,
    headers: [['X-Other', signature]],
    missingHeaders: [['X-Service-Signature', signature]],
    responseBody: Buffer.from(`expected ${signature}`),
  })
  expect(textOf(redacted(sampleRehearsal('x', { requests: [request] })))).not.toContain(signature)
})

test('credentials in URLs of the options are redacted', () => {
  const [item] = sampleRehearsal('x')
  if (item?.kind !== 'rehearsal') throw new Error('there is no rehearsal')
  const url = `https://user:${token}@handler.example/in?access_token=${token}`
  const { rehearsal } = item
  const options = {
    ...rehearsal.options,
    url,
    observer: { kind: 'url' as const, url },
    oauth: {
      startUrl: url,
      callUrl: url,
      redirectUrl: url,
      port: 0,
      accessId: token,
      flowTimeout: 100,
      watchTime: 50,
    },
  }
  const written = textOf(
    redacted([{ ...item, rehearsal: { ...rehearsal, options } }], {
      known: [{ kind: 'token', value: token }],
    }),
  )
  expect(written).not.toContain(token)
})

test('options keep their maximum length when pseudonyms are longer than values', () => {
  const [item] = sampleRehearsal('x')
  if (item?.kind !== 'rehearsal') throw new Error('there is no rehearsal')
  const { rehearsal } = item
  const options = {
    ...rehearsal.options,
    url: `http://handler.example/?${'a@b.example&'.repeat(160)}`,
    secretOption: 'a@b.example '.repeat(25),
    only: ['S4', 'a@b.example'],
  }
  const [after] = redacted([{ ...item, rehearsal: { ...rehearsal, options } }])
  expect(LogRehearsal.parse(after).rehearsal.options.only).toEqual(['S4'])
})

test('results, levels, grades and IDs stay, even if a guest is called like one of them', () => {
  const items = sampleRehearsal('x')
  const after = redacted(items, { handles: ['fail', 'done', 'command', 'POST'] })
  expect(after[0]).toMatchObject({
    rehearsal: {
      state: 'done',
      grade: 'F',
      cappedBy: 'S4',
      options: { observer: { kind: 'command' } },
    },
  })
  expect(after[1]).toMatchObject({
    result: { id: 'S4', level: 'MUST', result: 'fail', variants: [{ result: 'fail' }] },
    requests: [{ caseId: 'S4' }, { caseId: 'S4' }],
  })
})

test('the marked part of a body moves with the values that are replaced before it', () => {
  const before = `{"type":"OPEN_TAB","data":{"email":"${email}","note":"`
  const body = Buffer.from(`${before}changed"}}`)
  const from = Buffer.byteLength(before)
  const request = rehearsalRequest('x', {
    body,
    bodyBytes: body.byteLength,
    bodyChange: [from, from + 7],
  })
  const after = requestIn(redacted(sampleRehearsal('x', { requests: [request] })))
  const [start, end] = after.bodyChange ?? [0, 0]
  expect(Buffer.from(after.body.subarray(start, end)).toString()).toBe('changed')
  expect(after.bodyBytes).toBe(after.body.byteLength)
})

test('a change that touches a replaced value includes all of its replacement', () => {
  const before = '{"type":"OPEN_TAB","data":{"email":"'
  const body = Buffer.from(`${before}${email}"}}`)
  const from = Buffer.byteLength(before) + 2
  const request = rehearsalRequest('x', {
    body,
    bodyBytes: body.byteLength,
    bodyChange: [from, from + 3],
  })
  const after = requestIn(redacted(sampleRehearsal('x', { requests: [request] })))
  const [start, end] = after.bodyChange ?? [0, 0]
  const marked = Buffer.from(after.body.subarray(start, end)).toString()
  expect(marked).toMatch(/^redacted-email-[a-z2-7]+$/)
})

test('a body that cannot be searched is left out, and its length is rounded up', () => {
  const body = Buffer.from('not compressed at all \u0000\u0001')
  const request = rehearsalRequest('x', {
    headers: [['Content-Encoding', 'gzip']],
    body,
    bodyBytes: body.byteLength,
  })
  const after = requestIn(redacted(sampleRehearsal('x', { requests: [request] })))
  expect(after).toMatchObject({ bodyBytes: 1024, bodyChange: null })
  expect(after.body.byteLength).toBe(0)
  expect(after.omitted).toContain('cannot be decoded')
})

test('a rule for a path applies to the bodies of requests', () => {
  const request = rehearsalRequest('the text')
  const rules = [{ kind: 'path' as const, path: '$.data.text' }]
  const after = requestIn(redacted(sampleRehearsal('x', { requests: [request] }), { rules }))
  expect(Buffer.from(after.body).toString()).toMatch(/"text":"redacted-/)
})
