import { frameworks } from '../frameworks.ts'
import { rehearsalCaseOf } from './cases.ts'
import type { FixTopic } from './define.ts'
import { oauthCases } from './oauth-cases.ts'

/** In general. `framework.json` has what a framework adds. */
const fixes: Readonly<Record<FixTopic, string>> = {
  'verify-raw-body':
    'Compute the HMAC-SHA256 over the bytes as received, before any parsing, and write it in lower-case hexadecimal digits. Never serialize the parsed body again.',
  'compare-signature':
    'Compare the header with the expected text in constant time, and treat another length as different. Do not decode the header: decoding stops silently at characters that are not hexadecimal.',
  'require-secret':
    'Stop at the start if the secret is not set or empty, and reject every request whose signature header is absent or different. Read the signature from its header only, and use only the secret of this webhook.',
  'tolerate-fields':
    'Read only the fields that you need, accept that each optional one is absent, null or empty, and ignore those that you do not know. Zero and an empty text are values.',
  'parse-safely':
    'Verify the signature first. Then parse, check that the result is an object whose type is a text, and respond with 400 to everything else. Do not copy its keys into other objects.',
  deduplicate:
    'There is no event ID: use type, target and createdAt of the parsed event. Insert them into a table with a unique key, in the same transaction as the effect, and respond with 2xx if they are there already. Do not look first and write then.',
  'verify-first':
    'Verify the signature before everything else: before deduplication, locks, queues and logs that other code reads. A request that fails must leave nothing behind.',
  order:
    'Do not rely on the order of events. Store createdAt with each target, ignore an event that is older than what is stored, and create a target that is not known yet from whichever event is received first.',
  'dispatch-on-body':
    'Decide by the type in the signed body, never by the header, which everybody can change. Respond with 2xx to a type that you do not know, and do nothing.',
  'hide-errors':
    'Respond to errors with a status and no details. Write details to a log, and neither the secret nor the expected signature to either.',
  'body-limit':
    'Accept bodies of at least 256 KiB, and refuse those above your limit with 413 while they are still received. The API documentation does not limit the size.',
  transport:
    'Let the HTTP library read the body to its end, whether it has a length or is chunked, and discard it if the connection ends before. Compare header names without their case.',
  'respond-fast':
    'Store the event, respond with 2xx, and do everything else afterwards from a queue. Register the final URL of the handler, since a sender need not follow a redirect.',
  method: 'Register the handler for POST only. Everything else gets 404 or 405, without an effect.',
}

/** In general, and in a framework if one is selected. */
export function fixOf(topic: FixTopic, framework: string | null): string {
  const general = fixes[topic]
  const known = frameworks.find(({ id }) => id === framework)
  const own = topic === 'verify-raw-body' ? known?.note : known?.fixes[topic]
  return own === undefined ? general : `${general}\n${own}`
}

/** Empty for an unknown case. */
export function fixOfCase(id: string, framework: string | null): string {
  const definition = rehearsalCaseOf(id)
  if (definition) return fixOf(definition.fix, framework)
  return oauthCases.find((each) => each.id === id)?.fix ?? ''
}
