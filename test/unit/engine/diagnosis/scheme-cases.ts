import { hex, hmac, secret, text, type Case } from './given.ts'

const time = '1774000000'
const date = 'Sun, 29 Nov 2026 01:00:00 GMT'
const key = 'c2VjcmV0LXRhdmVybi0wMQ=='
const standard = (words: string, over: string): string =>
  `${words},${hmac(over, Buffer.from(key, 'base64')).toString('base64')}`

export const schemeCases: readonly Case[] = [
  {
    codes: ['scheme.standard_webhooks'],
    name: 'Standard Webhooks, with a list and a whsec_ secret',
    given: {
      signature: null,
      keyring: { current: `whsec_${key}` },
      headers: [
        ['webhook-id', 'msg_1'],
        ['webhook-timestamp', time],
        ['webhook-signature', `v1,AAAA ${standard('v1', `msg_1.${time}.${text}`)}`],
      ],
    },
    near: {
      signature: null,
      keyring: { current: `whsec_${key}` },
      headers: [
        ['webhook-id', 'msg_1'],
        ['webhook-timestamp', time],
        ['webhook-signature', standard('v1', `msg_2.${time}.${text}`)],
      ],
    },
  },
  {
    codes: ['scheme.stripe'],
    name: 'Stripe',
    given: {
      signature: null,
      headers: [['Stripe-Signature', `t=${time},v1=${hex(`${time}.${text}`)},v0=00`]],
    },
    near: {
      signature: null,
      headers: [['Stripe-Signature', `t=${time}1,v1=${hex(`${time}.${text}`)}`]],
    },
  },
  {
    codes: ['scheme.stripe'],
    name: 'Stripe’s form under the right name',
    given: { signature: `t=${time},v1=${hex(`${time}.${text}`)}` },
    near: { signature: `v1=${hex(`${time}.${text}`)}` },
  },
  {
    codes: ['scheme.slack'],
    name: 'Slack',
    given: {
      signature: null,
      headers: [
        ['X-Slack-Request-Timestamp', time],
        ['X-Slack-Signature', `v0=${hex(`v0:${time}:${text}`)}`],
      ],
    },
    near: {
      signature: null,
      headers: [
        ['X-Slack-Request-Timestamp', time],
        ['X-Slack-Signature', `v0=${hex(`v2:${time}:${text}`)}`],
      ],
    },
  },
  {
    codes: ['scheme.github'],
    name: 'GitHub',
    given: { signature: null, headers: [['X-Hub-Signature-256', `sha256=${hex(text)}`]] },
    near: {
      signature: null,
      headers: [['X-Hub-Signature-256', `sha256=${hex(text, `${secret}x`)}`]],
    },
  },
  {
    codes: ['scheme.timestamp'],
    name: 'a timestamp behind the body',
    given: { signature: hex(`${text}|${time}`), headers: [['X-Service-Timestamp', time]] },
    near: { signature: hex(`${text}|${time}`), headers: [['X-Service-Timestamp', `${time}0`]] },
  },
  {
    codes: ['scheme.timestamp'],
    name: 'a timestamp, a dot and the body',
    given: { signature: hex(`${time}.${text}`), headers: [['X-Service-Timestamp', time]] },
    near: { signature: hex(`${time}.${text}`) },
  },
  {
    codes: ['scheme.url', 'encoding.base64'],
    name: 'the address and the body',
    given: { signature: hmac(`http://127.0.0.1:4780/hooks/main${text}`).toString('base64') },
    near: { signature: hmac(`ftp://127.0.0.1:4780/hooks/main${text}`).toString('base64') },
  },
  {
    codes: ['scheme.field'],
    name: 'the Date header, a line break and the body',
    given: { signature: hex(`${date}\n${text}`), headers: [['Date', date]] },
    near: { signature: hex(`${date}\n${text}`) },
  },
  {
    codes: ['scheme.field'],
    name: 'the body and createdAt',
    given: { signature: hex(`${text}.2026-03-14T21:00:00.000Z`) },
    near: { signature: hex(`${text}.2026-03-14T21:00:00.001Z`) },
  },
  {
    codes: ['scheme.field'],
    name: 'method, path, Date and body',
    given: { signature: hex(`POST\n/hooks/main\n${date}\n${text}`), headers: [['Date', date]] },
    near: { signature: hex(`POST\n/hooks/mains\n${date}\n${text}`), headers: [['Date', date]] },
  },
  {
    codes: ['scheme.field'],
    name: 'a header and the body, divided by a slash',
    given: { signature: hex(`chan-5512/${text}`), headers: [['X-Link-Id', 'chan-5512']] },
    near: { signature: hex(`chan-5513/${text}`), headers: [['X-Link-Id', 'chan-5512']] },
  },
  {
    codes: ['scheme.url'],
    name: 'method, URL and body, divided by colons',
    given: { signature: hex(`POST:https://127.0.0.1:4780/hooks/main:${text}`) },
    near: { signature: hex(`PUT:https://127.0.0.1:4780/hooks/main:${text}`) },
  },
  {
    codes: ['encoding.list', 'scheme.timestamp'],
    name: 'a key, a time and a signature between slashes',
    given: { signature: `k1/1732842000/${hex(`1732842000.${text}`)}` },
    near: { signature: `k1/1732842001/${hex(`1732842000.${text}`)}` },
  },
]
