import { headerName } from '#catalogue/headers.ts'
import { formatCount } from '#shared/text/format.ts'
import type { FactCause } from '../cause.ts'
import type { Captured, KnownEndpoint, Subject } from '../subject.ts'

const maxLength = 100

function shortened(text: string): string {
  return (text.length > maxLength ? `${text.slice(0, maxLength)}…` : text).toWellFormed()
}

function endpointOf({ keyring }: Subject): KnownEndpoint | null {
  return keyring.endpoint === 'deleted' ? null : keyring.endpoint
}

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
    title: 'No secret is set in Tabscope',
    otherwise: 'The endpoint, if there is one, has a secret.',
    fix: 'Copy the secret of the webhook from the dashboard and set it under Endpoints.',
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
    title: 'A stored secret cannot be decrypted',
    otherwise: 'Every stored secret of the endpoint was decrypted.',
    fix: 'Set the secret again under Endpoints, or restore the key that it was encrypted with.',
    where: 'here',
    likelihood: 97,
    decides: true,
    state: (subject) => {
      const endpoint = endpointOf(subject)
      if (!endpoint) return null
      const which = (['current', 'previous'] as const).filter(
        (name) => endpoint[name] === 'unavailable',
      )
      return which.length === 0
        ? null
        : `The ${which.join(' and the ')} secret of “${endpoint.name}” was encrypted with a key that is no longer available, so it was not tried.`
    },
  },
  {
    code: 'header.missing',
    title: 'The signature header is missing',
    otherwise: 'The header was received.',
    fix: 'Set a secret for the webhook on the dashboard: the header is only sent if one is configured. If it is set, check whether a proxy or tunnel removes headers.',
    where: 'dashboard',
    likelihood: 96,
    decides: true,
    state: ({ received, elsewhere, headerName }) => {
      if (received.length > 0) return null
      const names = [...new Set(elsewhere.map(([name]) => shortened(name)))].slice(0, 4)
      return names.length === 0
        ? `Neither ${headerName} nor another header that looks like a signature was received.`
        : `${headerName} was not received, but ${names.join(', ')} was.`
    },
  },
  {
    code: 'body.truncated',
    title: 'The body is incomplete',
    otherwise: 'The body was received and stored completely.',
    fix: 'Have the delivery sent again. If the body is larger than the limit, increase the limit in Settings first.',
    where: 'between',
    likelihood: 95,
    decides: true,
    state: ({ captured }) => truncation(captured),
  },
  {
    code: 'encoding.unknown',
    title: 'The received value is not a signature',
    otherwise: 'Every received value is a readable signature.',
    fix: 'Check the value of the header: a signature in hex has 64 digits. A placeholder, a name or an empty value means that a variable was not set.',
    where: 'sender',
    likelihood: 94,
    decides: true,
    state: ({ received, readings }) =>
      received.length > 0 && readings.length === 0
        ? received.every((value) => value.trim() === '')
          ? 'The header is empty.'
          : 'The value is neither hex nor base64, or it is too short for a signature.'
        : null,
  },
  {
    code: 'application.other',
    title: 'The delivery is for another application',
    otherwise: 'The application ID does not differ from the endpoint’s.',
    fix: 'Check on the dashboard which integration this webhook belongs to: the webhooks of each integration have their own secrets. Or correct the application ID of the endpoint.',
    where: 'dashboard',
    likelihood: 93,
    decides: false,
    state: (subject) => {
      const expected = endpointOf(subject)?.applicationId ?? ''
      const { captured, keyring } = subject
      const name = headerName(captured.brand, 'application-id').toLowerCase()
      const received = captured.headers.find(([header]) => header.toLowerCase() === name)?.[1]
      if (expected === '' || received === undefined || received === expected) return null
      const owner = keyring.applications.find(({ id }) => id === received)
      const belongsTo = owner ? `, which belongs to the endpoint “${owner.endpoint}”` : ''
      return `The header has the application ID ${shortened(received)}${belongsTo}. This endpoint expects ${shortened(expected)}.`
    },
  },
]

function truncation({ arrival, bytes, body, headers }: Captured): string | null {
  const stored = formatCount(body.byteLength)
  const announced = headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1]
  const length = announced !== undefined && /^\d{1,15}$/.test(announced) ? Number(announced) : null
  const of = length === null ? '' : ` of ${formatCount(length)} according to Content-Length`
  switch (arrival) {
    case 'complete':
      return null
    case 'too_large':
      return `The body is larger than the limit: ${stored} bytes were stored${of || ` of ${formatCount(bytes)}`}. No signature can match a part of the body.`
    case 'cut_off':
      return `The sender closed the connection too early: ${stored} bytes were received${of}. No signature can match a part of the body.`
    case 'malformed':
      return `The request was not valid HTTP: ${stored} bytes of the body were stored${of}.`
  }
}
