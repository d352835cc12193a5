import type { Header } from '#contract/models.ts'
import type { SchemeCause } from '../cause.ts'
import { message, type Message, type Captured, type Subject } from '../subject.ts'

const alone =
  'The documented signature covers only the body. Disable this scheme where the signature is computed.'
const listed = ['encoding.version_prefix', 'encoding.list', 'header.other_name']
/** A header may come many times: so many of one kind are looked at. */
const headerLimit = 4

function valuesOf({ headers, trailers }: Captured, name: RegExp): string[] {
  return [...headers, ...trailers]
    .filter(([header]) => name.test(header.toLowerCase()))
    .map(([, value]) => value)
    .slice(0, headerLimit)
}

function timestampsIn(captured: Captured): string[] {
  return valuesOf(captured, /(?:^|[-_])(?:timestamp|time|ts)$/).filter((value) => value !== '')
}

/** `t=1712345678`, among the parts of a value. */
function timestampParts({ received, elsewhere }: Subject): string[] {
  return [...received, ...elsewhere.map(([, value]: Header) => value)]
    .flatMap((value) => /(?:^|[,;\s])t=(\d{1,20})(?:[,;\s]|$)/.exec(value)?.[1] ?? [])
    .slice(0, headerLimit)
}

/** Ways of signing that others have made known, with what they sign beside the body. */
export const schemeCauses: readonly SchemeCause[] = [
  {
    code: 'scheme.standard_webhooks',
    title: 'Signed as Standard Webhooks does, with an id and a timestamp',
    tries:
      'Id, timestamp and body were signed together, with a dot between, as Standard Webhooks and Svix do.',
    fix: alone,
    where: 'sender',
    likelihood: 69,
    implies: [
      ...listed,
      'encoding.base64',
      'secret.base64_decoded',
      'secret.prefix_decoded',
      'secret.prefix',
    ],
    keyChanges: ['secret.base64_decoded', 'secret.prefix_decoded', 'secret.prefix'],
    messages: async ({ captured, body: { bytes } }) =>
      valuesOf(captured, /(?:^|-)(?:webhook|svix|message|msg|delivery)-?id$/).flatMap((id) =>
        timestampsIn(captured).map((time) =>
          signed('scheme.standard_webhooks', 'id, timestamp and body', `${id}.${time}.`, bytes),
        ),
      ),
  },
  {
    code: 'scheme.stripe',
    title: 'Signed as Stripe does, with a timestamp',
    tries: 'The timestamp in the value and the body were signed together, with a dot between.',
    fix: alone,
    where: 'sender',
    likelihood: 67,
    implies: listed,
    keyChanges: [],
    messages: async (subject) =>
      timestampParts(subject).map((time) =>
        signed('scheme.stripe', 'timestamp and body', `${time}.`, subject.body.bytes),
      ),
  },
  {
    code: 'scheme.slack',
    title: 'Signed as Slack does, with a version and a timestamp',
    tries: '“v0”, the timestamp and the body were signed together, with colons between.',
    fix: alone,
    where: 'sender',
    likelihood: 53,
    implies: listed,
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
    title: 'Signed as GitHub does, in a header of GitHub’s name',
    tries: 'X-Hub-Signature-256 was checked.',
    fix: 'Send the hex digits alone under the name that is expected here.',
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
    tries:
      'Each received timestamp was added before and after the body, with the usual separators.',
    fix: alone,
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
    title: 'Signed together with the address',
    tries: 'The full URL and the path were added before and after the body.',
    fix: alone,
    where: 'sender',
    likelihood: 32,
    implies: ['header.other_name'],
    keyChanges: [],
    messages: async ({ captured, body: { bytes } }) =>
      addressesOf(captured).flatMap((address) => [
        signed('scheme.url', 'address and body', address, bytes),
        message(['scheme.url'], 'body and address', bytes, Buffer.from(address, 'latin1')),
      ]),
  },
]

function signed(code: string, words: string, before: string, body: Uint8Array): Message {
  return message([code], words, Buffer.from(before, 'latin1'), body)
}

/** The address as the sender may have known it: proxies and tunnels tell of another one. */
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
