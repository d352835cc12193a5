import type { Header } from '#contract/models.ts'
import type { SchemeCause } from '../cause.ts'
import { message, type Message, type Captured, type Subject } from '../subject.ts'

const listCodes = ['encoding.version_prefix', 'encoding.list', 'header.other_name']
const maxHeaders = 4

function valuesOf({ headers, trailers }: Captured, name: RegExp): string[] {
  return [...headers, ...trailers]
    .filter(([header]) => name.test(header.toLowerCase()))
    .map(([, value]) => value)
    .slice(0, maxHeaders)
}

function timestampsIn(captured: Captured): string[] {
  return valuesOf(captured, /(?:^|[-_])(?:timestamp|time|ts)$/).filter((value) => value !== '')
}

/** From values such as `t=1712345678,v1=…`. */
function timestampParts({ received, elsewhere }: Subject): string[] {
  return [...received, ...elsewhere.map(([, value]: Header) => value)]
    .flatMap((value) => /(?:^|[,;\s])t=(\d{1,20})(?:[,;\s]|$)/.exec(value)?.[1] ?? [])
    .slice(0, maxHeaders)
}

/** What well-known schemes sign in addition to the body. */
export const schemeCauses: readonly SchemeCause[] = [
  {
    code: 'scheme.standard_webhooks',
    tries:
      'The ID, timestamp and body were signed together, separated by dots, as Standard Webhooks and Svix do.',
    implies: [
      ...listCodes,
      'encoding.base64',
      'secret.base64_decoded',
      'secret.prefix_decoded',
      'secret.prefix',
    ],
    keyChanges: ['secret.base64_decoded', 'secret.prefix_decoded', 'secret.prefix'],
    messages: async ({ captured, body: { bytes } }) =>
      valuesOf(captured, /(?:^|-)(?:webhook|svix|message|msg|delivery)-?id$/).flatMap((id) =>
        timestampsIn(captured).map((time) =>
          signed('scheme.standard_webhooks', 'ID, timestamp and body', `${id}.${time}.`, bytes),
        ),
      ),
  },
  {
    code: 'scheme.stripe',
    tries: 'The timestamp in the value and the body were signed together, separated by a dot.',
    implies: listCodes,
    keyChanges: [],
    messages: async (subject) =>
      timestampParts(subject).map((time) =>
        signed('scheme.stripe', 'timestamp and body', `${time}.`, subject.body.bytes),
      ),
  },
  {
    code: 'scheme.slack',
    tries: '“v0”, the timestamp and the body were signed together, separated by colons.',
    implies: listCodes,
    keyChanges: [],
    messages: async ({ captured, body: { bytes } }) =>
      timestampsIn(captured).flatMap((time) =>
        ['v0', 'v1'].map((version) =>
          signed('scheme.slack', 'version, timestamp and body', `${version}:${time}:`, bytes),
        ),
      ),
  },
  {
    code: 'scheme.github',
    tries: 'X-Hub-Signature-256 was checked.',
    implies: ['header.other_name', 'encoding.prefix'],
    keyChanges: [],
    messages: async ({ captured, body: { bytes } }) =>
      valuesOf(captured, /^x-hub-signature-256$/).length > 0
        ? [message(['scheme.github'], 'the body as received', bytes)]
        : [],
  },
  {
    code: 'scheme.timestamp',
    tries: 'Each received timestamp was added before and after the body, with common separators.',
    implies: ['header.other_name'],
    keyChanges: [],
    messages: async (subject) => {
      const { captured, body } = subject
      const words = 'timestamp and body'
      return [...timestampsIn(captured), ...timestampParts(subject)].flatMap((time) =>
        ['', '.', ':', '\n', '|', '-', '_', ' '].flatMap((separator) => [
          signed('scheme.timestamp', words, `${time}${separator}`, body.bytes),
          message(
            ['scheme.timestamp'],
            'body and timestamp',
            body.bytes,
            Buffer.from(`${separator}${time}`, 'latin1'),
          ),
        ]),
      )
    },
  },
  {
    code: 'scheme.url',
    tries: 'The full URL and the path were added before and after the body.',
    implies: ['header.other_name'],
    keyChanges: [],
    messages: async ({ captured, body: { bytes } }) =>
      addressesOf(captured).flatMap((address) => [
        signed('scheme.url', 'URL and body', address, bytes),
        message(['scheme.url'], 'body and URL', bytes, Buffer.from(address, 'latin1')),
      ]),
  },
]

function signed(code: string, words: string, before: string, body: Uint8Array): Message {
  return message([code], words, Buffer.from(before, 'latin1'), body)
}

/** Proxies and tunnels report another host. */
function addressesOf(captured: Captured): string[] {
  const { path, method } = captured
  const hosts = valuesOf(captured, /^(?:host|x-forwarded-host|x-original-host)$/)
  const origins = hosts.flatMap((host) => [`https://${host}`, `http://${host}`])
  return [
    ...origins.map((origin) => `${origin}${path}`),
    path,
    `${method} ${path}\n`,
    `${method}${path}`,
  ]
}
