import { describe, expect, it } from 'vitest'
import type { LogEndpoint, LogHead, LogRun, LogToken } from '#contract/event-log.ts'
import type { ExportedAttempt } from '#engine/event-logs/items.ts'
import { exported, plainly, redactDelivery, redactorWith } from '#test/support/redacting.ts'

const run: LogRun = {
  kind: 'run',
  run: {
    id: 1,
    integrationId: 1,
    kind: 'authorize',
    agent: 'browser',
    state: 'succeeded',
    startedAt: 1_763_760_824_123,
    endedAt: null,
    redirectUrl: 'https://a.example/cb',
    failure: null,
    tokenId: 3,
    authorizeUrl: 'https://a.example/manager/oauth?access_id=ID-1&state=anna%40example.com',
    acceptsPaste: false,
    timeoutAt: null,
    steps: [
      {
        kind: 'exchange',
        at: 1,
        durationMs: 2,
        outcome: 'ok',
        title: 'Asked for anna@example.com',
        detail: 'with «code» and known-token-77',
        facts: [
          { name: 'code', value: '«code»' },
          { name: 'handle', value: 'anna' },
          { name: 'state', value: 'S' },
          { name: 'access token', value: 'tok-99' },
        ],
        request: {
          method: 'POST',
          url: 'https://a.example/token',
          headers: [
            ['Authorization', 'Bearer «token»'],
            ['Cookie', 'sid=1'],
          ],
          body: '{"code":"«code»","handle":"anna"}',
        },
        response: null,
        timings: null,
      },
    ],
    findings: [],
    maskedValues: [{ name: 'code', label: 'Authorization code', ending: 'abcd' }],
    hasRefusedToken: false,
  },
}

describe('records other than deliveries', () => {
  const known = [{ kind: 'token', value: 'known-token-77' }] as const

  it('are redacted, except for masks', () => {
    const out = redactorWith({ known }).item(run)
    const [step] = out.run.steps
    expect(plainly(out.run.authorizeUrl ?? '')).toBe(
      'https://a.example/manager/oauth?access_id=ID-1&state=‹email›',
    )
    expect(plainly(JSON.stringify(step))).toBe(
      JSON.stringify({
        ...run.run.steps[0],
        title: 'Asked for ‹email›',
        detail: 'with «code» and ‹token›',
        facts: [
          { name: 'code', value: '«code»' },
          { name: 'handle', value: '‹handle›' },
          { name: 'state', value: 'S' },
          { name: 'access token', value: '‹token›' },
        ],
        request: {
          method: 'POST',
          url: 'https://a.example/token',
          headers: [
            ['Authorization', 'Bearer «token»'],
            ['Cookie', '‹cookie›'],
          ],
          body: '{"code":"«code»","handle":"‹handle›"}',
        },
      }),
    )
    expect(out.run.maskedValues).toEqual([
      { name: 'code', label: 'Authorization code', ending: null },
    ])
    expect(out.run).toMatchObject({ kind: 'authorize', state: 'succeeded', tokenId: 3 })
  })

  it('include tokens, endpoints with their custom headers, and the filter of the head', () => {
    const redactor = redactorWith({ known, customHeaders: ['X-Tenant'] })
    const token: LogToken = {
      kind: 'token',
      id: 1,
      integrationId: 1,
      label: 'Token of anna@example.com',
      initiated: 1_763_760_824,
      expires: 1_763_847_224,
      expiresIn: 86_400,
      obtainedAt: 1_763_760_824_123,
      version: 1,
      status: 'good',
      findings: [],
      events: [{ kind: 'refresh_failed', at: 1, detail: 'said known-token-77', runId: 1 }],
    }
    expect(plainly(JSON.stringify(redactor.item(token)))).toBe(
      JSON.stringify({
        ...token,
        label: 'Token of ‹email›',
        events: [{ kind: 'refresh_failed', at: 1, detail: 'said ‹token›', runId: 1 }],
      }),
    )
    const endpoint: LogEndpoint = {
      kind: 'endpoint',
      id: 1,
      integrationId: 1,
      name: 'Of anna@example.com',
      slug: 'main',
      applicationId: 'app-1',
      customHeaders: [['X-Tenant', 'blue-company']],
    }
    expect(plainly(JSON.stringify(redactor.item(endpoint)))).toBe(
      JSON.stringify({
        ...endpoint,
        name: 'Of ‹email›',
        customHeaders: [['X-Tenant', '‹custom-header›']],
      }),
    )
    const { fields } = redactDelivery(
      redactor,
      exported({ fields: { reason: 'no X-Tenant: blue-company' } }),
    )
    expect(plainly(fields.reason ?? '')).toBe('no X-Tenant: ‹custom-header›')
    const head: LogHead = {
      kind: 'head',
      format: 'tabscope-event-log',
      version: 1,
      app: 'x',
      exportedAt: '2026-01-31T19:05:07.123Z',
      scope: {
        filter: 'text:anna@example.com',
        from: null,
        to: null,
        selected: null,
        traceOf: null,
      },
      redaction: { on: true, rules: ['$..anna@example.com'], note: '' },
      counts: { deliveries: 1, integrations: 0, endpoints: 0, tokens: 0, runs: 0 },
    }
    const out = redactor.head(head)
    expect(plainly(out.scope.filter)).toBe('text:‹email›')
    expect({ ...out, scope: head.scope }).toEqual(head)
  })
})

const attempt: ExportedAttempt = {
  fields: {
    id: 1,
    deliveryId: 1,
    draftId: null,
    jobId: null,
    forwardId: null,
    kind: 'resend',
    sentAt: 1,
    method: 'POST',
    url: 'https://user:pw12@a.example/x?handle=anna',
    status: 200,
    error: { code: 'reset', message: 'anna@example.com hung up' },
    durationMs: 1,
    edited: true,
    bodyEdited: true,
    signing: 'signed',
    secretName: 'current of Main',
    comparison: null,
    previousAttemptId: null,
    tryNumber: 1,
    requestBytes: 1,
    responseBytes: 1,
    request: {
      target: '/x?handle=anna',
      headers: [['X-Service-Signature', 'cd'.repeat(32)]],
      trailers: [['X-Late', '+49 30 901820']],
      sha256: 'ef'.repeat(32),
    },
    response: {
      status: 200,
      statusText: 'hi anna@example.com',
      httpVersion: '1.1',
      headers: [['Set-Cookie', 'sid=1234']],
      storedBytes: 1,
    },
    timings: null,
    remoteAddress: '10.0.0.1:443',
    reusedConnection: false,
    tlsVerified: null,
    notes: [`signed ${'cd'.repeat(32)} for anna@example.com`],
  },
  requestBody: Buffer.from('{"handle":"anna"}'),
  answerBody: Buffer.from([0x1f, 0x8b, 8, 0, 0]),
}

describe('attempts', () => {
  it('are redacted like deliveries', () => {
    const { attempts } = redactDelivery(redactorWith(), exported({ attempts: [attempt] }))
    const [out] = attempts
    const { request, response } = attempt.fields
    expect(JSON.parse(plainly(JSON.stringify(out?.fields)))).toEqual({
      ...attempt.fields,
      url: 'https://‹credential›@a.example/x?handle=‹handle›',
      error: { code: 'reset', message: '‹email› hung up' },
      request: {
        ...request,
        target: '/x?handle=‹handle›',
        headers: [['X-Service-Signature', '‹signature›']],
        trailers: [['X-Late', '‹phone›']],
        sha256: expect.not.stringMatching(request.sha256),
      },
      requestBytes: out?.requestBody?.byteLength,
      responseBytes: out?.answerBody?.byteLength,
      response: {
        ...response,
        statusText: 'hi ‹email›',
        headers: [['Set-Cookie', '‹cookie›']],
        storedBytes: out?.answerBody?.byteLength,
      },
      notes: ['signed ‹signature› for ‹email›'],
    })
    expect(plainly(Buffer.from(out?.requestBody ?? []).toString())).toBe('{"handle":"‹handle›"}')
    expect(plainly(Buffer.from(out?.answerBody ?? []).toString())).toBe('‹unreadable›')
  })
})

describe('the preview', () => {
  it('groups by kind and place, most values first, with three examples and no secrets', () => {
    const redactor = redactorWith()
    for (let id = 1; id <= 5; id += 1) {
      redactDelivery(
        redactor,
        exported({
          headers: [['Authorization', `Bearer t${id}`]],
          body: JSON.stringify({
            data: { guests: [{ email: `a${id}@x.example` }, { email: `b${id}@x.example` }] },
            'anna@x.example': { note: '4155550134' },
          }),
          fields: { id },
        }),
      )
    }
    const removals = redactor.removals()
    expect(
      removals.map(({ kind, location, values, deliveries }) => [
        kind,
        location,
        values,
        deliveries,
      ]),
    ).toEqual([
      ['email', 'body data.guests[*].email', 10, 5],
      ['email', 'body *', 5, 5],
      ['phone', 'body *.note', 5, 5],
      ['credential', 'header authorization', 5, 5],
    ])
    expect(removals[0]?.examples).toEqual([
      { deliveryId: 1, was: 'a1@x.example', becomes: expect.stringMatching(/^redacted-email-/) },
      { deliveryId: 1, was: 'b1@x.example', becomes: expect.stringMatching(/^redacted-email-/) },
      { deliveryId: 2, was: 'a2@x.example', becomes: expect.stringMatching(/^redacted-email-/) },
    ])
    expect(removals[3]?.examples.map(({ was }) => was)).toEqual([null, null, null])
    expect(redactor.removed()).toEqual({ email: 15, phone: 5, credential: 5 })
  })
})
