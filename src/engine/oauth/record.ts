import type { Run, RunFailure, RunFailureCode, RunStep } from '#contract/authorization.ts'
import type { ReceivedAnswer, SentRequest } from '#contract/http.ts'
import type { Finding, SecretView } from '#contract/models.ts'
import type { HttpAnswer, HttpRequest } from '../platform/http/http.ts'
import type { Masker } from '../platform/masking/masker.ts'
import { maskHeaders, maskQuery, maskSecretFields } from '../platform/masking/secret-fields.ts'
import { failures } from './failures.ts'

interface Words {
  readonly meaning: string
  readonly remedy: string
}

const template =
  'The refresh template is an assumption: the API documentation does not describe this request ("Refresh exchange: not shown").'
const otherAnswer: Words = {
  meaning: `The response is not the documented token response. ${template}`,
  remedy:
    'Check the response, and fix the template of the integration. The old token is unchanged.',
}

/** What a failure means for a refresh, where that is not what it means for the exchange of a code. */
const refreshFailures: Partial<Record<RunFailureCode, Words>> = {
  not_ready: {
    meaning: 'The integration lacks something that the refresh template uses.',
    remedy: 'Complete the integration, then refresh again.',
  },
  secret_unavailable: {
    meaning:
      'It was encrypted with a key that is no longer available: another machine, user or keychain.',
    remedy: 'Enter the access secret again, from the dashboard; then refresh again.',
  },
  closed: {
    meaning:
      'The request was already sent. The service may have issued a new token and revoked the refresh token.',
    remedy: 'Refresh again. If that is refused, authorize again.',
  },
  token_unreachable: {
    meaning: 'The base URL’s host is down, refuses the connection, or this machine is offline.',
    remedy: 'Look at the base URL and the network, then refresh again.',
  },
  token_tls: {
    meaning:
      'Its certificate is not valid for this host, or something in between answers in its place.',
    remedy: 'Fix the certificate or the base URL. Neither secret nor refresh token was sent.',
  },
  token_timeout: {
    meaning:
      'The service is slow or hangs. It may have made a new token all the same, so it is not tried again by itself.',
    remedy: 'Refresh again. If that is refused, authorize again.',
  },
  token_redirected: {
    meaning: `The service answers under another address than base URL and path of the template. ${template}`,
    remedy: 'Fix the base URL or the path. Credentials are not sent after a redirect.',
  },
  token_refused: {
    meaning: `The refresh token was revoked, access id or access secret are wrong, or the service wants another request. ${template}`,
    remedy: 'Check the response, and fix the template; or authorize again.',
  },
  token_server_error: {
    meaning: `The fault is on the service’s side, unless it fails on what it was sent. ${template}`,
    remedy: 'Refresh again in a while.',
  },
  token_status: otherAnswer,
  token_too_large: otherAnswer,
  token_not_json: otherAnswer,
  token_html: otherAnswer,
  token_snake_case: otherAnswer,
  token_missing: otherAnswer,
  token_truncated: {
    meaning:
      'The connection, or something in between, cut it off. The old refresh token may be used up.',
    remedy: 'Refresh again. If that is refused, authorize again.',
  },
  token_expired: {
    meaning: 'The service’s clock or its arithmetic is wrong, or this computer’s clock is ahead.',
    remedy:
      'Set this computer’s clock right, then refresh again. You can keep the token all the same, and try it.',
  },
  internal: {
    meaning: 'This is a fault of Tabscope’s.',
    remedy: 'Look at the log, then refresh again.',
  },
}

/** Characters of a body that a record keeps. */
const shownBody = 64 * 1024

/** A request as a record shows it. What it carries must be held by `masker` before; `body` is text. */
export function recordRequest(masker: Masker, request: HttpRequest): SentRequest {
  return {
    method: request.method,
    url: maskQuery(masker, request.url.href),
    headers: maskHeaders(masker, request.headers),
    body:
      request.body === null ? null : maskSecretFields(masker, Buffer.from(request.body).toString()),
  }
}

/** An answer as a record shows it: what is known is held back, and what looks like a secret by its name as well. */
export function recordAnswer(masker: Masker, answer: HttpAnswer): ReceivedAnswer {
  const text = textOf(answer.body)
  // Masked before it is cut: a secret must not lose its end, by which it is known, first.
  const body = text === null ? null : maskSecretFields(masker, text)
  return {
    status: answer.status,
    statusText: masker.mask(answer.statusText),
    httpVersion: answer.httpVersion,
    headers: maskHeaders(masker, answer.headers),
    body: body === null ? null : body.slice(0, shownBody),
    bytes: answer.bytes,
    truncated: answer.truncated || (body !== null && body.length > shownBody),
  }
}

/** Null for what is no text. An answer that was cut may end in the middle of a character. */
function textOf(body: Uint8Array): string | null {
  if (body.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body, { stream: true })
  } catch {
    return null
  }
}

/** A step as it begins; what is not given is empty. `at` is set by the run. */
export type StepFields = Pick<RunStep, 'kind' | 'title'> & Partial<Omit<RunStep, 'kind' | 'title'>>

export function newStep(fields: StepFields, at: number): RunStep {
  return {
    at,
    took: null,
    outcome: 'ok',
    detail: null,
    facts: [],
    request: null,
    answer: null,
    timings: null,
    ...fields,
  }
}

/** Every text of a step, masked with all that is known by now. */
export function maskStep(masker: Masker, step: RunStep): RunStep {
  const mask = (text: string): string => masker.mask(text)
  const maskOr = (text: string | null): string | null => (text === null ? null : mask(text))
  const headers = (list: readonly [string, string][]): [string, string][] =>
    list.map(([name, value]) => [mask(name), mask(value)])
  return {
    ...step,
    title: mask(step.title),
    detail: maskOr(step.detail),
    facts: step.facts.map(({ name, value }) => ({ name: mask(name), value: mask(value) })),
    request: step.request && {
      ...step.request,
      url: mask(step.request.url),
      headers: headers(step.request.headers),
      body: maskOr(step.request.body),
    },
    answer: step.answer && {
      ...step.answer,
      headers: headers(step.answer.headers),
      body: maskOr(step.answer.body),
    },
  }
}

/** Findings may quote what came. */
export function maskFinding(masker: Masker, finding: Finding): Finding {
  const { message, expected, actual } = finding
  return {
    ...finding,
    place: masker.mask(finding.place),
    message: masker.mask(message),
    ...(expected === undefined ? {} : { expected: masker.mask(expected) }),
    ...(actual === undefined ? {} : { actual: masker.mask(actual) }),
  }
}

/** A failure in words; `message` says what happened this time, where there is more to say than always. The secret is the access secret that was sent. */
export function failureOf(
  code: RunFailureCode,
  message: string | undefined,
  kind: Run['kind'],
  { whiteSpaceAtEnds }: Pick<SecretView, 'whiteSpaceAtEnds'> = {},
): RunFailure {
  const words = failures[code]
  const { meaning, remedy } = (kind === 'refresh' ? refreshFailures[code] : undefined) ?? words
  const spaced = code === 'token_refused' && whiteSpaceAtEnds
  return {
    code,
    message: message ?? words.message,
    meaning: spaced
      ? `The access secret begins or ends with white space, which may be the cause. Otherwise: ${meaning}`
      : meaning,
    remedy: spaced ? `Replace the access secret without the white space. ${remedy}` : remedy,
  }
}
