import { headerName } from '#catalogue/headers.ts'
import { formatCount } from '#shared/text/format.ts'
import type { FactCause } from '../cause.ts'
import type { Captured, KnownEndpoint, Subject } from '../subject.ts'

/** Longest text of a request that an answer repeats, in characters. */
const longest = 100

function shortened(text: string): string {
  return (text.length > longest ? `${text.slice(0, longest)}…` : text).toWellFormed()
}

function endpointOf({ keyring }: Subject): KnownEndpoint | null {
  return keyring.endpoint === 'deleted' ? null : keyring.endpoint
}

/** What can be seen without computing anything. */
export const factCauses: readonly FactCause[] = [
  {
    code: 'endpoint.none',
    title: 'The path belongs to no endpoint',
    otherwise: 'The path belongs to an endpoint.',
    fix: 'Correct the webhook URL on the dashboard, or create an endpoint with this path.',
    where: 'dashboard',
    likelihood: 99,
    decides: true,
    state: ({ keyring, captured }) =>
      keyring.endpoint === null
        ? `No endpoint matched the path ${shortened(captured.path)} when it was received, so there is no secret to check with.`
        : keyring.endpoint === 'deleted'
          ? 'Its endpoint was deleted together with its secrets.'
          : null,
  },
  {
    code: 'secret.none',
    title: 'No secret is set here',
    otherwise: 'The endpoint has a secret, as far as there is an endpoint.',
    fix: 'Enter the secret of the webhook from the dashboard under Endpoints.',
    where: 'here',
    likelihood: 98,
    decides: true,
    state: (subject) => {
      const endpoint = endpointOf(subject)
      return endpoint?.current === 'none'
        ? `The endpoint “${endpoint.name}” has no secret, so no signature can be checked.`
        : null
    },
  },
  {
    code: 'secret.unavailable',
    title: 'A secret is stored that cannot be opened here',
    otherwise: 'Every secret that is stored for the endpoint could be opened.',
    fix: 'Enter the secret again under Endpoints, or put the key back that it was sealed with.',
    where: 'here',
    likelihood: 97,
    decides: true,
    state: (subject) => {
      const endpoint = endpointOf(subject)
      if (!endpoint) return null
      const which = (['current', 'previous'] as const).filter(
        (one) => endpoint[one] === 'unavailable',
      )
      return which.length === 0
        ? null
        : `The ${which.join(' and the ')} secret of “${endpoint.name}” was encrypted with a key that is no longer available, so it was not tried.`
    },
  },
  {
    code: 'header.missing',
    title: 'The signature header did not come',
    otherwise: 'The header was received.',
    fix: 'Set a secret for the webhook on the dashboard: the header is only sent if one is configured. If it is set, check whether a proxy or tunnel removes headers.',
    where: 'dashboard',
    likelihood: 96,
    decides: true,
    state: ({ received, elsewhere, headerName }) => {
      if (received.length > 0) return null
      const names = [...new Set(elsewhere.map(([name]) => shortened(name)))].slice(0, 4)
      return names.length === 0
        ? `No ${headerName} was received, nor another header that looks like a signature.`
        : `No ${headerName} came, but ${names.join(', ')} did.`
    },
  },
  {
    code: 'body.truncated',
    title: 'The body is incomplete',
    otherwise: 'The body was received and stored completely.',
    fix: 'Have it sent again. If the body is over the limit, raise the limit under Settings first.',
    where: 'between',
    likelihood: 95,
    decides: true,
    state: ({ captured }) => truncation(captured),
  },
  {
    code: 'encoding.unknown',
    title: 'The received value is not a signature',
    otherwise: 'Every received value is a readable signature.',
    fix: 'Look at the value in the header: a signature in hex has 64 digits. A placeholder, a name or an empty text comes from a variable that was not filled in.',
    where: 'sender',
    likelihood: 94,
    decides: true,
    state: ({ received, readings }) =>
      received.length > 0 && readings.length === 0
        ? received.every((value) => value.trim() === '')
          ? 'The header is empty.'
          : 'The value is neither hex nor base64 in any form, or too short to be one.'
        : null,
  },
  {
    code: 'application.other',
    title: 'It is meant for another application',
    otherwise: 'The application ID does not differ from the endpoint’s.',
    fix: 'Look on the dashboard which integration this webhook belongs to: its webhooks have secrets of their own. Or correct the application id of the endpoint.',
    where: 'dashboard',
    likelihood: 93,
    decides: false,
    state: (subject) => {
      const expected = endpointOf(subject)?.applicationId ?? ''
      const { captured, keyring } = subject
      const name = headerName(captured.brand, 'application-id').toLowerCase()
      const came = captured.headers.find(([header]) => header.toLowerCase() === name)?.[1]
      if (expected === '' || came === undefined || came === expected) return null
      const owner = keyring.applications.find(({ id }) => id === came)
      const whose = owner ? `, which is the one of the endpoint “${owner.endpoint}”` : ''
      return `The header has the application id ${shortened(came)}${whose}; this endpoint expects ${shortened(expected)}.`
    },
  },
]

function truncation({ arrival, bytes, body, headers }: Captured): string | null {
  const kept = formatCount(body.byteLength)
  const announced = headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1]
  const length = announced !== undefined && /^\d{1,15}$/.test(announced) ? Number(announced) : null
  const of = length === null ? '' : ` of the ${formatCount(length)} that Content-Length announces`
  switch (arrival) {
    case 'complete':
      return null
    case 'too_large':
      return `It was larger than the limit: ${kept} bytes were kept${of || ` of ${formatCount(bytes)}`}. No signature can match a part.`
    case 'cut_off':
      return `The sender ended before the body did: ${kept} bytes came${of}. No signature can match a part.`
    case 'malformed':
      return `It was not valid HTTP: ${kept} bytes of body were kept${of}.`
  }
}
