import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Diagnosis } from '#contract/deliveries.ts'
import type { Header } from '#contract/models.ts'
import { describeCause } from '#catalogue/signature-causes.ts'
import { diagnose } from '#engine/diagnosis/diagnose.ts'
import { defaultLimits, TimeBudget } from '#engine/diagnosis/time-budget.ts'
import { hex, hmac, inputOf, previousSecret, secret, text, type Given } from './given.ts'

/** All single changes where nothing is found, however busy the computer is. */
const enough = { ...defaultLimits, ms: Infinity, bytes: 2 * 1024 * 1024 }

const diagnosisOf = (given: Given, budget = new TimeBudget(enough)): Promise<Diagnosis> =>
  diagnose(inputOf(given), budget)

const whereLineBreak = async (given: Given): Promise<string | undefined> =>
  (await diagnosisOf(given)).causes.find(({ code }) => code === 'secret.line_break')?.where

describe('a valid delivery', () => {
  it('is valid, and a handler that rejects it is wrong', async () => {
    const diagnosis = await diagnosisOf({ signature: hex(text) })
    expect(diagnosis).toMatchObject({
      verdict: 'valid',
      causes: [],
      tried: 1,
      exhaustive: true,
      candidate: null,
    })
    expect(diagnosis.conclusion).toMatch(/^The signature is valid/)
    expect(diagnosis.conclusion).toContain('raw bytes')
  })

  it('names the previous secret, and upper case', async () => {
    const diagnosis = await diagnosisOf({ signature: hex(text, previousSecret).toUpperCase() })
    expect(diagnosis.verdict).toBe('valid')
    expect(diagnosis.causes.map(({ code, outcome }) => [code, outcome])).toEqual([
      ['secret.previous', 'matches'],
      ['encoding.upper_case', 'matches'],
    ])
    expect(diagnosis.conclusion).toContain('previous secret')
  })

  it('is not valid one digit away', async () => {
    const diagnosis = await diagnosisOf({ signature: `${hex(text).slice(0, 63)}g` })
    expect(diagnosis.verdict).toBe('invalid')
  })
})

const rejected = (
  body: string,
  headers: readonly Header[] = [],
  said: { status?: number; body?: string } = {},
): Promise<Diagnosis> =>
  diagnose({
    ...inputOf({ body, signature: hex(body) }),
    response: { status: 401, body: '', ...said, headers },
  })

describe('JSON that was written again', () => {
  const signed = '{"type": "ORDER_PLACED", "data": {"total": 42.5, "name": "a"}}'
  const sent = JSON.stringify(JSON.parse(signed))
  const lower: readonly Header[] = [
    ['host', 'a'],
    ['transfer-encoding', 'chunked'],
    ['x-service-signature', hex(signed)],
  ]

  it.each<[string, readonly Header[], string, string | null]>([
    ['the sender', [], 'sender', null],
    ['a proxy with Via', [['Via', '1.1 proxy']], 'between', '(via)'],
    ['a tunnel', [['X-Forwarded-For', '1.2.3.4']], 'between', '(x-forwarded-for)'],
    ['names in lower case with chunks', lower, 'between', '(chunks and names in lower case)'],
  ])('is not blamed on the sender alone: %s', async (_, headers, where, shown) => {
    const given = inputOf({ body: sent, signature: hex(signed), headers })
    const captured = { ...given.captured, ...(headers === lower && { headers }) }
    const { causes } = await diagnose({ ...given, captured }, new TimeBudget(enough))
    const cause = causes.find(({ code }) => code === 'body.spaced')
    expect(cause).toMatchObject({ outcome: 'matches', where })
    expect(cause?.fix.includes('fixRequestBody')).toBe(shown !== null)
    if (shown !== null) expect(cause?.fix).toContain(shown)
    if (cause) expect(describeCause(cause).fix).toBe(cause.fix)
  })
})

describe('a valid delivery that a handler rejects', () => {
  const order = '{"type":"ORDER_PLACED","data":{"name":"Café a/b","total":42.50,"extra":{}}}'

  it('lists what frameworks would compute, those first that the response suggests', async () => {
    const { rejected: cause, frameworks } = await rejected(order, [['X-Powered-By', 'PHP/8.2']])
    expect(cause).toMatchObject({ code: 'handler.serialized', where: 'handler' })
    expect(cause?.values?.['status']).toBe('401')
    expect(frameworks[0]).toMatchObject({
      label: 'Laravel, Symfony, WordPress',
      check: 'php',
      changes: true,
      difference: { path: 'data.name', received: 'é', signed: '\\u00e9' },
    })
    const express = frameworks.find(({ label }) => label === 'Express')
    expect(express?.difference).toEqual({ path: 'data.total', received: '42.50', signed: '42.5' })
  })

  it.each([
    ['gunicorn', 'Flask'],
    ['uvicorn', 'FastAPI, Starlette'],
    ['daphne', 'Django, AWS Lambda'],
    ['TornadoServer/6.2', 'Tornado, aiohttp, Pyramid, Quart'],
  ])('lists first what runs on %s', async (server, label) => {
    expect((await rejected(order, [['Server', server]])).frameworks[0]?.label).toBe(label)
  })

  it('blames neither JSON nor the secret if the response states another reason', async () => {
    const said = { status: 403, body: '<p>CSRF verification failed. Request aborted.</p>' }
    const diagnosis = await rejected(order, [], said)
    expect(diagnosis.rejected).toMatchObject({ code: 'response.csrf_django', where: 'handler' })
    expect(diagnosis.conclusion).toMatch(
      /^The signature is valid.*Refused by Django’s CSRF check\.$/,
    )
    const [cause] = diagnosis.causes
    expect(cause).toMatchObject({ code: 'response.csrf_django', outcome: 'matches' })
    expect(cause?.detail).toContain('“CSRF verification failed. Request aborted.”')
    expect(diagnosis.frameworks).toEqual([])
    const unknown = await rejected(order, [], { status: 403, body: `Closed. ${secret}` })
    expect(unknown.rejected?.values).toEqual({ status: '403', said: '“Closed. [secret]”' })
    expect(JSON.stringify(unknown)).not.toMatch(/serializ|another secret/)
  })

  it('excludes what leaves the body as it is', async () => {
    const { frameworks } = await rejected('{"type":"OPEN_TAB","data":{}}')
    const excluded = frameworks.filter(({ changes }) => !changes).map(({ label }) => label)
    for (const label of ['Express', 'Rails', 'Spring Boot', 'ASP.NET Core'])
      expect(excluded).toContain(label)
    const changing = frameworks.filter(({ changes }) => changes).map(({ label }) => label)
    for (const label of ['Flask', 'Laravel, Symfony, WordPress', 'Go'])
      expect(changing).toContain(label)
  })

  it('has no guess without a rejection, and none for a body that is no JSON', async () => {
    expect((await diagnosisOf({ signature: hex(text) })).rejected).toBeNull()
    expect((await rejected('no JSON')).frameworks).toEqual([])
  })

  const mark = Buffer.from([0xef, 0xbb, 0xbf])
  const latin1 = Buffer.from('{"name":"Caf\u00e9"}', 'latin1')
  const zipped = gzipSync(order)
  const gzip: readonly Header[] = [['Content-Encoding', 'gzip']]
  const huge = Buffer.alloc(11 * 1024 * 1024, '{"a":1}')

  // As FRAMEWORKS in the guide's page raw-body.md: what a handler gets, and what loses it.
  it.each([
    ['a body that was read before', order, '', 'body.empty', 'Bind in Gin and Echo'],
    ['{} of Koa', order, '{}', 'body.empty', 'Koa ({})'],
    ['text of UTF-8 decoding', latin1, latin1.toString(), 'body.replaced', 'arrayBuffer() in Hono'],
    ['text without its mark', Buffer.concat([mark, Buffer.from(order)]), order, 'body.bom', 'Koa'],
    ['a decompressed body', zipped, order, 'body.decoded', 'inflate: false', gzip],
    ['a Buffer as JSON', order, JSON.stringify(Buffer.from(order)), 'body.buffer', 'Buffer itself'],
    ['a promise', order, '[object Promise]', 'body.object_text', 'await'],
    ['its first piece', order, order.slice(0, 40), 'body.cut', 'Next.js with proxy.js'],
    [
      'the first 10 MiB, at the end of a piece',
      huge,
      huge.subarray(0, 10 * 1024 * 1024 - 137),
      'body.cut',
      'proxyClientMaxBodySize',
    ],
  ] as const)(
    'explains %s',
    async (_, body, used, code, advice, headers: readonly Header[] = []) => {
      const given = inputOf({ body, signature: hex(body), headers })
      const { computed } = await diagnose({ ...given, computed: hex(used) }, new TimeBudget(enough))
      expect(computed).toMatchObject({ outcome: 'explained', causes: [{ code, where: 'handler' }] })
      expect(computed?.causes[0]?.fix).toContain(advice)
    },
  )

  it('says which value of a repeated signature header frameworks read', async () => {
    const headers: readonly Header[] = [['x-service-signature', '0'.repeat(64)]]
    const given = inputOf({ body: order, signature: hex(order), headers })
    const { computed } = await diagnose({ ...given, computed: hex(order) }, new TimeBudget(enough))
    expect(computed?.conclusion).toContain('serverless-offline the last')
  })

  it.each([
    ['explained', hex(JSON.stringify(JSON.parse(order))), ['body.numbers']],
    ['explained', hex(order, `${secret}\n`), ['secret.line_break']],
    ['explained', hex(''), ['body.empty']],
    ['correct', hex(order), []],
    ['unknown', hex(order, 'another secret'), []],
    ['unknown', 'no digest', []],
  ] as const)('is %s by the digest of the handler: %s', async (outcome, computed, codes) => {
    const given = inputOf({ body: order, signature: hex(order) })
    const { computed: found } = await diagnose({ ...given, computed }, new TimeBudget(enough))
    expect(found?.outcome).toBe(outcome)
    expect(found?.causes.map(({ code }) => code)).toEqual(codes)
    for (const { where, detail } of found?.causes ?? []) {
      expect(where).toBe('handler')
      expect(detail).toMatch(/[Yy]our handler/)
    }
  })
})

it('shows the first difference, and who writes what was signed', async () => {
  const sent = '{"name":"a/b","total":1}'
  const { difference, producers, conclusion, causes } = await diagnosisOf({
    body: sent,
    signature: hex('{"name":"a\\/b","total":1}'),
  })
  expect(difference).toEqual({
    offset: 10,
    received: '{"name":"a/b","total":1}',
    signed: '{"name":"a\\/b","total":1}',
  })
  expect(producers[0]).toBe('json_encode of PHP')
  expect(conclusion).toContain('json_encode of PHP')
  expect(causes[0]?.detail).toBe('The sender signed `\\/` for name, but sent `/`.')
  expect(causes[0]?.where).toBe('sender')
})

describe('the diagnosis', () => {
  it('reports honestly that nothing matches, and what to do', async () => {
    const diagnosis = await diagnosisOf({ signature: hex(text, 'a secret that nobody here knows') })
    expect(diagnosis.causes.filter(({ outcome }) => outcome === 'matches')).toEqual([])
    expect(diagnosis).toMatchObject({ verdict: 'invalid', exhaustive: true, producers: [] })
    expect(diagnosis.conclusion).toMatch(
      /^No known cause matches.* All single changes.*[\d,]+ combinations/,
    )
    expect(diagnosis.conclusion).toMatch(/dashboard.*proxy or tunnel/)
  })

  it('notes another application where nothing else is found', async () => {
    const { conclusion } = await diagnosisOf({ headers: [['X-Service-Application-ID', 'app-bar']] })
    expect(conclusion).toContain('the delivery is for another application')
  })

  it('starts titles within a sentence in lower case, except names', async () => {
    const line = await diagnosisOf({ signature: hex(text, `${secret}\n`) })
    expect(line.conclusion).toMatch(/^Found: a line break at the end/)
    const cut = await diagnosisOf({ body: '{"a":{}', signature: hex('{"a":{}}') })
    expect(cut.conclusion).toMatch(/^Found: Content-Length counts characters/)
  })

  it('reports who has to fix a secret by the side with the extra characters', async () => {
    expect(
      await whereLineBreak({ signature: hex(text), keyring: { current: `${secret}\n` } }),
    ).toBe('here')
    expect(await whereLineBreak({ signature: hex(text, `${secret}\n`) })).toBe('sender')
  })

  it('is missing, unsigned or invalid like the check itself', async () => {
    expect((await diagnosisOf({ signature: null })).verdict).toBe('missing')
    expect((await diagnosisOf({})).verdict).toBe('invalid')
    const keyring = { endpoint: null, current: null, previous: null }
    const unsigned = await diagnosisOf({ keyring, signature: hex(text, 'bR7#kkZq1-99') })
    expect(unsigned.verdict).toBe('unchecked')
    expect(unsigned.conclusion).toMatch(/^The path belongs to no endpoint\. Found: signed with/)
  })
})

describe('a candidate', () => {
  const candidate = 'gV5~Tr0qq-55'

  it.each([
    ['matches', hex(text, candidate)],
    ['matches_changed', hmac(text, candidate).toString('base64')],
    ['matches_changed', hex(text, `${candidate}\n`)],
    ['matches_changed', hex(JSON.stringify(JSON.parse(text), null, 2), candidate)],
    ['differs', hex(text, `${candidate}5`)],
  ] as const)('%s', async (outcome, signature) => {
    const diagnosis = await diagnosisOf({ signature, candidate })
    expect(diagnosis.candidate).toBe(outcome)
    const cause = diagnosis.causes.find(({ code }) => code === 'secret.candidate')
    expect(cause?.outcome).toBe(outcome === 'differs' ? undefined : 'matches')
  })

  it('reports the change with which it matches', async () => {
    const { causes } = await diagnosisOf({ signature: hex(text, `${candidate}\n`), candidate })
    const [first, second] = causes
    expect([first?.code, second?.code]).toEqual(['secret.candidate', 'secret.line_break'])
    expect(first?.detail).toContain('the secret that you entered followed by a line break')
  })

  it('is tried on a valid delivery as well', async () => {
    expect((await diagnosisOf({ signature: hex(text), candidate })).candidate).toBe('differs')
    expect((await diagnosisOf({ signature: hex(text), candidate: secret })).candidate).toBe(
      'matches',
    )
  })

  it('is not distinguished from the endpoint’s secret if that matches too', async () => {
    const signature = hmac(text).toString('base64')
    const diagnosis = await diagnosisOf({ signature, candidate: secret })
    expect(diagnosis.candidate).toBe('matches_changed')
    expect(diagnosis.causes[0]?.code).toBe('encoding.base64')
  })
})

describe('the time budget', () => {
  it('ends the diagnosis in time, reports that not everything was tried, and never affects the verdict', async () => {
    let now = 0
    const clock = (): number => (now += 5)
    const limited = new TimeBudget({ ...defaultLimits, ms: 400 }, clock)
    const diagnosis = await diagnosisOf({ signature: hex(text, 'nobody knows') }, limited)
    expect(diagnosis.exhaustive).toBe(false)
    expect(diagnosis.tried).toBeLessThan(200)
    expect(diagnosis.conclusion).toContain('too short for all single changes')
    const none = new TimeBudget({ ...defaultLimits, ms: 0, bytes: 0 }, clock)
    expect((await diagnosisOf({ signature: hex(text) }, none)).verdict).toBe('valid')
  })

  it('ends early only once enough were tried', () => {
    let now = 0
    const limits = { ...defaultLimits, ms: 3000, enough: { ms: 300, tries: 10 } }
    const budget = new TimeBudget(limits, () => now)
    budget.tried = 10
    expect(budget.over).toBe(false)
    now = 301
    expect(budget.over).toBe(true)
    budget.tried = 9
    expect(budget.over).toBe(false)
    now = 3001
    expect(budget.over).toBe(true)
  })

  it('is bounded by bytes as well as by time', async () => {
    const budget = new TimeBudget({ ...defaultLimits, bytes: 20 * text.length }, () => 0)
    const diagnosis = await diagnosisOf({ signature: hex(text, 'nobody knows') }, budget)
    expect(diagnosis.exhaustive).toBe(false)
    expect(diagnosis.tried).toBeLessThan(40)
  })

  it('leaves half for the known secrets after a candidate was tried', async () => {
    const budget = new TimeBudget({ ...defaultLimits, bytes: 60 * text.length }, () => 0)
    const given = { signature: hex(text, `${secret}\n`), candidate: 'gV5~Tr0qq-55' }
    expect((await diagnosisOf(given, budget)).causes[0]?.code).toBe('secret.line_break')
  })

  it('pauses between slices', async () => {
    let turns = 0
    const other = setInterval(() => (turns += 1), 1)
    try {
      const body = JSON.stringify({ data: { text: 'x'.repeat(4 << 20) } })
      const some = { ...defaultLimits, ms: Infinity, bytes: 256 * 1024 * 1024 }
      await diagnosisOf({ body, signature: hex(body, 'nobody knows') }, new TimeBudget(some))
    } finally {
      clearInterval(other)
    }
    expect(turns).toBeGreaterThan(10)
  })
})
