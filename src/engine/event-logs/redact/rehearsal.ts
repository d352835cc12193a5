import type { LogRehearsal } from '#contract/event-log.ts'
import type { Header } from '#contract/models.ts'
import type { CaseResult, Rehearsal, RehearsalRequest } from '#contract/rehearsal.ts'
import { parseBody } from '../../capture/parse-body.ts'
import type { RehearsalCaseItem } from '../items.ts'
import { redactBody } from './body.ts'
import { namedPlace, redactedLength, roundUp } from './delivery.ts'
import type { HeaderRedaction } from './headers.ts'
import type { PathRules } from './path-rules.ts'
import type { TextRedaction } from './text.ts'

const place = namedPlace('rehearsal')

/** As in the contract. */
const longest = { url: 2000, command: 4000, accessId: 200, secretOption: 300 } as const

/** Results, levels, grades and IDs of cases stay. */
export class RehearsalRedaction {
  readonly #texts: TextRedaction
  readonly #headers: HeaderRedaction
  readonly #rulesOf: (type: string | null) => PathRules | null

  constructor(
    texts: TextRedaction,
    headers: HeaderRedaction,
    rulesOf: (type: string | null) => PathRules | null,
  ) {
    this.#texts = texts
    this.#headers = headers
    this.#rulesOf = rulesOf
  }

  run({ kind, rehearsal }: LogRehearsal): LogRehearsal {
    const { options, cappedBy, problem, step, progress } = rehearsal
    return {
      kind,
      rehearsal: {
        ...rehearsal,
        options: this.#options(options),
        cappedBy: this.#nullable(cappedBy),
        problem: problem && {
          message: this.#text(problem.message),
          causes: problem.causes.map((cause) => this.#text(cause)),
        },
        ...(step !== undefined && { step: this.#nullable(step) }),
        ...(progress !== undefined && {
          progress: progress && {
            ...progress,
            variant: this.#text(progress.variant),
            action: this.#nullable(progress.action),
          },
        }),
      },
    }
  }

  case({ requests, result, ...rest }: RehearsalCaseItem): RehearsalCaseItem {
    const { session } = this.#texts
    const redacted = requests.map((request) => this.#request(request))
    session.startDelivery(null)
    // The texts of the result may quote the requests.
    for (const request of requests) this.#collectRepeated(request)
    session.finishBodies()
    return { ...rest, result: this.#result(result), requests: redacted }
  }

  #options(options: Rehearsal['options']): Rehearsal['options'] {
    const { url, oauth, only, skip, observer, secretOption } = options
    return {
      ...options,
      url: this.#option(url, longest.url),
      ...(oauth && {
        oauth: {
          ...oauth,
          startUrl: this.#url(oauth.startUrl),
          callUrl: this.#url(oauth.callUrl),
          redirectUrl: this.#url(oauth.redirectUrl),
          accessId: this.#option(oauth.accessId, longest.accessId),
        },
      }),
      // A pattern of cases holds nothing to redact. Anything else selects nothing.
      only: only.filter((pattern) => this.#text(pattern) === pattern),
      skip: skip.filter((pattern) => this.#text(pattern) === pattern),
      observer:
        observer.kind === 'url'
          ? { ...observer, url: this.#option(observer.url, longest.url) }
          : observer.kind === 'command' && observer.command !== undefined
            ? { ...observer, command: this.#option(observer.command, longest.command) }
            : observer,
      secretOption: this.#option(secretOption, longest.secretOption),
    }
  }

  #result(result: CaseResult): CaseResult {
    return {
      ...result,
      sent: this.#text(result.sent),
      expected: this.#text(result.expected),
      received: this.#text(result.received),
      reason: this.#nullable(result.reason),
      repeat: this.#text(result.repeat),
      variants: result.variants.map((variant) => ({
        ...variant,
        name: this.#text(variant.name),
        received: this.#text(variant.received),
        reason: this.#nullable(variant.reason),
      })),
    }
  }

  #request(request: RehearsalRequest): RehearsalRequest {
    const { session } = this.#texts
    session.startDelivery(null)
    const first = this.#pass(request)
    // The second pass does not change existing pseudonyms.
    return session.digests.resolve() ? this.#pass(first) : first
  }

  #collectRepeated({ headers, missingHeaders, responseHeaders }: RehearsalRequest): void {
    for (const list of [headers, missingHeaders, responseHeaders]) {
      this.#headers.collectRepeated(list)
    }
  }

  #pass(request: RehearsalRequest): RehearsalRequest {
    this.#collectRepeated(request)
    const parsed = parseBody(request.body)
    const type = parsed.kind === 'object' ? parsed.payload.type : null
    const rules = this.#rulesOf(typeof type === 'string' ? type : null)
    const sent = this.#body(request.body, request.headers, 'rehearsal body', rules)
    const received = this.#body(
      request.responseBody,
      request.responseHeaders,
      'rehearsal response body',
      rules,
    )
    this.#texts.session.finishBodies()
    const changed = sent.bytes !== request.body
    const answerChanged = received.bytes !== request.responseBody
    const omitted = sent.omitted ?? received.omitted
    return {
      ...request,
      variant: this.#text(request.variant),
      method: this.#text(request.method),
      url: this.#text(request.url),
      headers: this.#headers.redact(request.headers, 'rehearsal header', changed),
      missingHeaders: this.#headers.redact(request.missingHeaders, 'rehearsal header', changed),
      body: sent.bytes,
      bodyBytes: !changed
        ? request.bodyBytes
        : sent.omitted === null
          ? redactedLength(request.bodyBytes, request.body, sent.bytes)
          : roundUp(request.bodyBytes),
      bodyChange: sent.omitted === null ? moved(request, sent.bytes) : null,
      error: this.#nullable(request.error),
      responseHeaders: this.#headers.redact(
        request.responseHeaders,
        'rehearsal response header',
        answerChanged,
      ),
      responseBody: received.bytes,
      ...(omitted !== null && { omitted }),
    }
  }

  #body(
    body: Uint8Array,
    headers: readonly Header[],
    placeName: string,
    rules: PathRules | null,
  ): { readonly bytes: Uint8Array; readonly omitted: string | null } {
    const { session } = this.#texts
    const bodyPlace = namedPlace(placeName)
    const { bytes, unreadable } = redactBody(body, headers, this.#texts, bodyPlace, rules)
    if (bytes !== body || unreadable !== null) session.digests.addBody(body)
    if (unreadable === null) return { bytes, omitted: null }
    session.replace('unreadable', unreadable, bodyPlace)
    return { bytes: new Uint8Array(), omitted: unreadable }
  }

  #text(text: string): string {
    return this.#texts.redact(text, place)
  }

  /** A pseudonym may be longer than what it replaces, but options have a maximum length. */
  #option(text: string, most: number): string {
    return this.#text(text).slice(0, most)
  }

  #url(url: string | null): string | null {
    return url === null ? null : this.#option(url, longest.url)
  }

  #nullable(text: string | null): string | null {
    return text === null ? null : this.#text(text)
  }
}

/** Where the part that differs from a valid delivery is in the redacted body, with replaced values that it touches. */
function moved(
  { body, bodyChange }: RehearsalRequest,
  redacted: Uint8Array,
): RehearsalRequest['bodyChange'] {
  if (bodyChange === null || redacted === body) return bodyChange
  const shorter = Math.min(body.length, redacted.length)
  let start = 0
  while (start < shorter && body[start] === redacted[start]) start += 1
  let end = 0
  while (end < shorter - start && body.at(-1 - end) === redacted.at(-1 - end)) end += 1
  const [from, to] = bodyChange
  const grown = redacted.length - body.length
  return [
    from <= start ? from : from >= body.length - end ? from + grown : start,
    to <= start ? to : to >= body.length - end ? to + grown : redacted.length - end,
  ]
}
