import { isUtf8 } from 'node:buffer'
import type { Header } from '#contract/models.ts'
import type { HttpAnswer } from '../http/http.ts'
import { maskHeaders } from '../records/secret-fields.ts'
import type { KnownSecret } from './known-secrets.ts'
import { strayingSecrets, type Outgoing } from './outgoing.ts'
import { RecordMasker } from './record-masker.ts'

/** Redirects beyond this are a loop, or as good as one. */
export const redirectLimit = 10

/** What a redirect leads to: a request, or a sentence why it is not followed. */
export type Step = { readonly next: Outgoing } | { readonly stopped: string }

const followed = new Set([301, 302, 303, 307, 308])
const ofBody = /^(content-.*|transfer-encoding|expect|trailer)$/

/**
 * The request that a redirect asks for (RFC 9110, 15.4), null when the answer is none. To another origin (a step from https to http is one)
 * it goes without token and credentials, and never gets them back; a body or an address that holds a known secret does not go there at all.
 */
export function redirectOf(
  from: Outgoing,
  answer: Pick<HttpAnswer, 'status' | 'headers'>,
  known: readonly KnownSecret[],
): Step | null {
  if (!followed.has(answer.status)) return null
  const written = answer.headers.find(([name]) => name.toLowerCase() === 'location')?.[1]
  if (written === undefined) return null
  const location = inUtf8(written)
  if (!URL.canParse(location, from.url.href)) {
    return { stopped: 'The redirect was not followed: its Location is no address.' }
  }
  const url = new URL(location, from.url)
  url.hash = ''
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return {
      stopped: `The redirect was not followed: it leads to "${url.protocol}", not to http or https.`,
    }
  }
  if (url.username !== '' || url.password !== '') {
    return {
      stopped: 'The redirect was not followed: its Location holds a user name or a password.',
    }
  }
  const next = elsewhere({ ...asAsked(from, answer.status), url }, from.url.origin, known)
  if (url.origin !== from.url.origin && strayingSecrets(next, known).length > 0) {
    return {
      stopped: `The redirect was not followed: it would take a secret to ${url.origin}.`,
    }
  }
  return { next }
}

/** Header values come as Latin-1; servers that do not percent-encode an address write it in UTF-8. */
function inUtf8(value: string): string {
  const bytes = Buffer.from(value, 'latin1')
  return isUtf8(bytes) ? bytes.toString() : value
}

/** 303, and by custom 301 and 302 after a POST, ask for the other address with GET and without the body. */
function asAsked(from: Outgoing, status: number): Outgoing {
  const toGet =
    (status === 303 && from.method !== 'HEAD') ||
    ((status === 301 || status === 302) && from.method === 'POST')
  if (!toGet) return from
  const headers = from.headers.filter(([name]) => !ofBody.test(name.toLowerCase()))
  return { ...from, method: 'GET', body: null, headers }
}

function elsewhere(next: Outgoing, origin: string, known: readonly KnownSecret[]): Outgoing {
  if (next.url.origin === origin) return next
  // What a record would hold back is a credential, and none of the other origin's.
  const masker = new RecordMasker(known)
  const harmless = ([name, value]: Header): boolean =>
    !/^(host|(proxy-)?authorization|cookie)$/i.test(name) &&
    maskHeaders(masker, [[name, value]])[0]?.[1] === value
  return { ...next, bearer: null, headers: next.headers.filter(harmless) }
}
