import type {
  Run,
  RunFailure,
  RunFailureCode,
  RunStep,
  RunSummary,
} from '#contract/authorization.ts'
import type { ReceivedResponse, SentRequest } from '#contract/http.ts'
import type { Finding, SecretView } from '#contract/models.ts'
import { AppError } from '../../platform/errors.ts'
import type { HttpResponse, HttpRequest } from '../../platform/http/http.ts'
import type { Masker } from '../../platform/masking/masker.ts'
import { maskHeaders, maskQuery, maskSecretFields } from '../../platform/masking/secret-fields.ts'
import { failures, type Explanation } from './failures.ts'

const template =
  'The refresh template is an assumption: the API documentation does not describe this request ("Refresh exchange: not shown").'
const undocumented: Explanation = {
  meaning: `The refresh token was revoked, or the service expects a different request. ${template}`,
  remedy: 'Check the response, and fix the template of the integration, or authorize again.',
}
const mayHaveRefreshed: Explanation = {
  meaning: 'The service may have issued a new token and revoked the refresh token.',
  remedy: 'Refresh again. If that fails, authorize again.',
}

/** Where more than the remedy differs from the exchange of a code. */
const refreshFailures: Partial<Record<RunFailureCode, Explanation>> = {
  closed: mayHaveRefreshed,
  token_unreachable: mayHaveRefreshed,
  token_timeout: mayHaveRefreshed,
  token_truncated: mayHaveRefreshed,
  token_refused: undocumented,
  token_encoding: undocumented,
  token_not_json: undocumented,
  token_html: undocumented,
  token_snake_case: undocumented,
  token_missing: undocumented,
}

function explanationOf(code: RunFailureCode, kind: Run['kind']): Explanation {
  const { meaning, remedy } = failures[code]
  if (kind !== 'refresh') return { meaning, remedy }
  const again = remedy.replace('authorize again', 'refresh again')
  return (
    refreshFailures[code] ?? { meaning, remedy: again.replace('Authorize again', 'Refresh again') }
  )
}

const recordedBodyLength = 64 * 1024

/** `masker` must already know the secrets in the request. The body must be text. */
export function recordRequest(masker: Masker, request: HttpRequest): SentRequest {
  return {
    method: request.method,
    url: maskQuery(masker, request.url.href),
    headers: maskHeaders(masker, request.headers),
    body:
      request.body === null ? null : maskSecretFields(masker, Buffer.from(request.body).toString()),
  }
}

/** Masks known secrets, and fields whose name suggests a secret. */
export function recordResponse(masker: Masker, response: HttpResponse): ReceivedResponse {
  const text = textOf(response.body)
  // Masked first: the masker would not recognize a secret that is cut off.
  const body = text === null ? null : maskSecretFields(masker, text)
  return {
    status: response.status,
    statusText: masker.mask(response.statusText),
    httpVersion: response.httpVersion,
    headers: maskHeaders(masker, response.headers),
    body: body === null ? null : body.slice(0, recordedBodyLength),
    bytes: response.bytes,
    truncated: response.truncated || (body !== null && body.length > recordedBodyLength),
  }
}

function textOf(body: Uint8Array): string | null {
  if (body.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body, { stream: true })
  } catch {
    return null
  }
}

/** Fields that are not given are empty. The run sets `at`. */
export type StepFields = Pick<RunStep, 'kind' | 'title'> & Partial<Omit<RunStep, 'kind' | 'title'>>

export function newStep(fields: StepFields, at: number): RunStep {
  return {
    at,
    durationMs: null,
    outcome: 'ok',
    detail: null,
    facts: [],
    request: null,
    response: null,
    timings: null,
    ...fields,
  }
}

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
    response: step.response && {
      ...step.response,
      headers: headers(step.response.headers),
      body: maskOr(step.response.body),
    },
  }
}

/** A finding may quote the response. */
export function maskFinding(masker: Masker, finding: Finding): Finding {
  const { message, expected, actual } = finding
  return {
    ...finding,
    location: masker.mask(finding.location),
    message: masker.mask(message),
    ...(expected === undefined ? {} : { expected: masker.mask(expected) }),
    ...(actual === undefined ? {} : { actual: masker.mask(actual) }),
  }
}

/** `message` replaces that of the code. `whiteSpaceAtEnds`: of the access secret that was sent. */
export function failureOf(
  code: RunFailureCode,
  kind: Run['kind'],
  message: string = failures[code].message,
  whiteSpaceAtEnds?: SecretView['whiteSpaceAtEnds'],
): RunFailure {
  const { meaning, remedy } = explanationOf(code, kind)
  if (code !== 'token_refused' || !whiteSpaceAtEnds) return { code, message, meaning, remedy }
  return {
    code,
    message,
    meaning: `The access secret starts or ends with white space, which may be the cause. Otherwise: ${meaning}`,
    remedy: `Replace the access secret without the white space. ${remedy}`,
  }
}

/** A run that is stored as unfinished but not live has failed: its process died. */
export function endInterrupted<R extends RunSummary>(run: R): R {
  if (run.state === 'succeeded' || run.state === 'failed') return run
  const ended = 'steps' in run ? { acceptsPaste: false, timeoutAt: null } : {}
  return { ...run, ...ended, state: 'failed', failure: failureOf('closed', run.kind) }
}

export function throwRunNotFound(id: number): never {
  throw new AppError('not_found', `Run ${id} does not exist. Its record may have been cleared.`)
}
