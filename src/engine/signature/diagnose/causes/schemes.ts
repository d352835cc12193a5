import type { Header } from '#contract/models.ts'
import type { SchemeCause } from '../cause.ts'
import { message, type Message, type Captured, type Subject } from '../subject.ts'

const bodyOnly =
  'The documented signature covers only the body. Disable this scheme in the code that signs.'
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
    title: 'Signed as Standard Webhooks does, with an ID and a timestamp',
    tries:
      'The ID, timestamp and body were signed together, separated by dots, as Standard Webhooks and Svix do.',
    fix: bodyOnly,
    where: 'sender',
    likelihood: 69,
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
    title: 'Signed as Stripe does, with a timestamp',
    tries: 'The timestamp in the value and the body were signed together, separated by a dot.',
    fix: bodyOnly,
    where: 'sender',
    likelihood: 67,
    implies: listCodes,
    keyChanges: [],
    messages: async (subject) =>
      timestampParts(subject).map((time) =>
        signed('scheme.stripe', 'timestamp and body', `${time}.`, subject.body.bytes),
      ),
  },
  {
    code: 'scheme.slack',
    title: 'Signed as Slack does, with a version and a timestamp',
    tries: '“v0”, the timestamp and the body were signed together, separated by colons.',
    fix: bodyOnly,
    where: 'sender',
    likelihood: 53,
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
    title: 'Signed as GitHub does, in GitHub’s header',
    tries: 'X-Hub-Signature-256 was checked.',
    fix: 'Send only the hex digits in the expected header.',
    where: 'sender',
    likelihood: 70,
    implies: ['header.other_name', 'encoding.prefix'],
    keyChanges: [],
    messages: async ({ captured, body: { bytes } }) =>
      valuesOf(captured, /^x-hub-signature-256$/).length > 0
        ? [message(['scheme.github'], 'the body as received', bytes)]
        : [],
  },
  {
    code: 'scheme.timestamp',
    title: 'Signed together with a timestamp',
    tries: 'Each received timestamp was added before and after the body, with common separators.',
    fix: bodyOnly,
    where: 'sender',
    likelihood: 41,
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
    title: 'Signed together with the URL',
    tries: 'The full URL and the path were added before and after the body.',
    fix: bodyOnly,
    where: 'sender',
    likelihood: 32,
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
