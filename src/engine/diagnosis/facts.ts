import { headerName } from '#catalogue/headers.ts'
import type { CauseCode } from '#catalogue/cause-titles.ts'
import type { CauseValues, KnownEndpoint, Subject } from './subject.ts'

const maxLength = 100

function shortened(text: string): string {
  return (text.length > maxLength ? `${text.slice(0, maxLength)}…` : text).toWellFormed()
}

function endpointOf({ keyring }: Subject): KnownEndpoint | null {
  return typeof keyring.endpoint === 'string' ? null : keyring.endpoint
}

/** Any other reason of an incomplete request is a limit of Tabscope. */
const senderEnd = /^The (?:sender closed|connection was lost)/

/** A condition that explains an invalid signature without computing one. */
export interface FactCause {
  readonly code: CauseCode
  /** What is the case if the cause does not apply, as a sentence. */
  readonly otherwise: string
  /** The values for the sentence in the catalogue; null if the cause does not apply. */
  readonly state: (subject: Subject) => CauseValues | null
  /** If the cause applies, no signature can match, or there is none to match. */
  readonly decides: boolean
}

export const factCauses: readonly FactCause[] = [
  {
    code: 'request.malformed',
    otherwise: 'The request was valid HTTP.',
    decides: true,
    state: ({ captured: { arrival } }) => (arrival === 'malformed' ? {} : null),
  },
  {
    code: 'endpoint.none',
    otherwise: 'The path belongs to an endpoint.',
    decides: true,
    state: ({ keyring, captured }) => {
      // What is not HTTP has no path.
      if (captured.arrival === 'malformed') return null
      if (keyring.endpoint === 'deleted') return { state: 'deleted' }
      return keyring.endpoint === null ? {} : null
    },
  },
  {
    code: 'secret.none',
    otherwise: 'The endpoint, if there is one, has a secret.',
    decides: true,
    state: (subject) => {
      const endpoint = endpointOf(subject)
      return endpoint?.current === 'none' ? { endpoint: endpoint.name } : null
    },
  },
  {
    code: 'secret.unavailable',
    otherwise: 'Every stored secret of the endpoint was decrypted.',
    decides: true,
    state: (subject) => {
      const endpoint = endpointOf(subject)
      if (!endpoint) return null
      const which = (['current', 'previous'] as const).filter(
        (name) => endpoint[name] === 'unavailable',
      )
      return which.length === 0
        ? null
        : { endpoint: endpoint.name, secrets: which.join(' and the ') }
    },
  },
  {
    code: 'header.missing',
    otherwise: 'The header was received.',
    decides: true,
    state: ({ received, elsewhere, headerName, captured }) => {
      if (received.length > 0 || captured.arrival === 'malformed') return null
      const names = [...new Set(elsewhere.map(([name]) => shortened(name)))].slice(0, 4)
      const header = shortened(headerName)
      return names.length === 0 ? { header } : { header, others: names.join(', ') }
    },
  },
  {
    code: 'body.truncated',
    otherwise: 'The body was received and stored completely.',
    decides: true,
    state: ({ captured: { arrival, reason } }) => {
      if (arrival !== 'cut_off' && arrival !== 'too_large') return null
      const bySender = arrival === 'cut_off' ? senderEnd : /^The (?:sender announced|body was)/
      return !reason || bySender.test(reason) ? { arrival } : { arrival, by: 'Tabscope' }
    },
  },
  {
    code: 'encoding.unknown',
    otherwise: 'Every received value is a readable signature.',
    decides: true,
    state: ({ received, readings }) =>
      received.length > 0 && readings.length === 0
        ? received.every((value) => value.trim() === '')
          ? { value: 'empty' }
          : {}
        : null,
  },
  {
    code: 'application.other',
    otherwise: 'The application ID does not differ from the endpoint’s.',
    decides: false,
    state: (subject) => {
      const expected = endpointOf(subject)?.applicationId ?? ''
      const { captured, keyring } = subject
      const name = headerName(captured.brand, 'application-id').toLowerCase()
      const received = captured.headers.find(([header]) => header.toLowerCase() === name)?.[1]
      if (expected === '' || received === undefined || received === expected) return null
      const owner = keyring.applications.find(({ id }) => id === received)
      return owner ? { endpoint: owner.endpoint } : {}
    },
  },
]
