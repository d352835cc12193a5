import type { Run, RunFailure, RunFailureCode, RunStep } from '#contract/authorization.ts'
import type { ReceivedAnswer, SentRequest } from '#contract/http.ts'
import type { Finding, SecretView } from '#contract/models.ts'
import type { HttpAnswer, HttpRequest } from '../http/http.ts'
import type { Masker } from '../records/masker.ts'
import { maskHeaders, maskQuery, maskSecretFields } from '../records/secret-fields.ts'
import { failures } from './failures.ts'
import { refreshFailures } from './refresh-failures.ts'

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
