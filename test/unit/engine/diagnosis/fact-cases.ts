import { hex, text, type Case } from './given.ts'

const endpoint = { name: 'Main', applicationId: 'app-1', current: 'set', previous: 'none' } as const

export const factCases: readonly Case[] = [
  {
    codes: ['endpoint.none'],
    name: 'a path of nobody',
    given: { keyring: { endpoint: null, current: null, previous: null } },
    near: { keyring: { endpoint } },
    says: 'No endpoint matched the path',
  },
  {
    codes: ['endpoint.none'],
    name: 'an endpoint that is deleted',
    given: { keyring: { endpoint: 'deleted', current: null, previous: null } },
    near: { keyring: { endpoint } },
    says: 'was deleted',
  },
  {
    codes: ['secret.none'],
    name: 'no secret on our side',
    given: {
      keyring: { endpoint: { ...endpoint, current: 'none' }, current: null, previous: null },
    },
    near: { keyring: { endpoint } },
  },
  {
    codes: ['secret.unavailable'],
    name: 'a secret that cannot be opened',
    given: {
      keyring: { endpoint: { ...endpoint, current: 'unavailable' }, current: null, previous: null },
    },
    near: { keyring: { endpoint } },
  },
  {
    codes: ['header.missing'],
    name: 'no header',
    given: { signature: null },
    near: { signature: 'f'.repeat(64) },
    says: 'X-Service-Signature',
  },
  {
    codes: ['header.missing'],
    name: 'no header, but one of another name',
    given: { signature: null, headers: [['X-Other-Signature', 'f'.repeat(64)]] },
    near: { headers: [['X-Other-Signature', 'f'.repeat(64)]] },
    says: 'X-Other-Signature',
  },
  {
    codes: ['body.truncated'],
    name: 'a sender that left early',
    given: {
      body: text.slice(0, 50),
      signature: hex(text),
      captured: {
        arrival: 'cut_off',
        reason: 'The sender closed the connection before the request was complete.',
        headers: [
          ['Content-Length', '1000'],
          ['X-Service-Signature', hex(text)],
        ],
      },
    },
    near: { body: text.slice(0, 50), signature: hex(text) },
    says: 'closed the connection too early',
  },
  {
    codes: ['request.malformed'],
    name: 'a request that is not HTTP',
    given: { signature: null, captured: { arrival: 'malformed' } },
    near: { signature: null },
    says: 'stored as bytes',
  },
  ...(
    [
      ['cut_off', 'The sender was too slow. The limit is 15 s for the request head.'],
      ['cut_off', 'Too many connections were open, and this one was the slowest: 3 bytes.'],
      ['too_large', 'Too many large bodies were received at the same time.'],
    ] as const
  ).map(([arrival, reason]) => ({
    codes: ['body.truncated'],
    name: `a body that Tabscope gave up on: ${reason}`,
    given: { signature: hex(`${text}x`), captured: { arrival, reason } },
    near: { signature: hex(`${text}x`) },
    says: 'Tabscope stopped reading',
  })),
  {
    codes: ['body.truncated'],
    name: 'a body over the limit',
    given: { signature: hex(`${text}x`), captured: { arrival: 'too_large', bytes: 99_999_999 } },
    near: { signature: hex(`${text}x`) },
    says: 'larger than the limit',
  },
  {
    codes: ['encoding.unknown'],
    name: 'a placeholder for a signature',
    given: { signature: '${SIGNATURE}' },
    near: { signature: 'f'.repeat(64) },
  },
  {
    codes: ['encoding.unknown'],
    name: 'an empty header',
    given: { signature: '' },
    near: { signature: 'ab'.repeat(8) },
    says: 'empty',
  },
  {
    codes: ['application.other'],
    name: 'the application of another endpoint',
    given: { headers: [['X-Service-Application-ID', 'app-bar']] },
    near: { headers: [['X-Service-Application-ID', 'app-1']] },
    says: 'the endpoint “Bar”',
  },
]
