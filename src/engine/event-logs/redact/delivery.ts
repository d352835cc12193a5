import { describeValueKind } from '#catalogue/field-type.ts'
import type { Finding } from '#contract/models.ts'
import type { ExportedAttempt, ExportedDelivery } from '../items.ts'
import { redactBody } from './body.ts'
import type { HeaderRedaction } from './headers.ts'
import type { PathRules } from './paths.ts'
import { isIpAddress, isLoopback } from './contacts.ts'
import { isPseudonym } from './pseudonyms.ts'
import type { Place } from './redaction-session.ts'
import type { TextRedaction } from './text.ts'

const places = new Map<string, Place>()

/** A place with a fixed name. */
export function placeOf(name: string, id = false): Place {
  const known = places.get(name)
  if (known) return known
  const place: Place = { say: () => name, id }
  places.set(name, place)
  return place
}

/** Takes out of deliveries and their attempts what must go. */
export class DeliveryRedaction {
  readonly #texts: TextRedaction
  readonly #headers: HeaderRedaction
  readonly #rulesOf: (type: string | null) => PathRules | null
  /** Those of the delivery at hand. */
  #rules: PathRules | null = null

  /** `rulesOf`: the paths to follow in bodies of a delivery of this type. */
  constructor(
    texts: TextRedaction,
    headers: HeaderRedaction,
    rulesOf: (type: string | null) => PathRules | null,
  ) {
    this.#texts = texts
    this.#headers = headers
    this.#rulesOf = rulesOf
  }

  redact(delivery: ExportedDelivery): ExportedDelivery {
    const { taking } = this.#texts
    taking.begin(delivery.fields.id)
    this.#rules = this.#rulesOf(delivery.fields.type)
    const first = this.#pass(delivery)
    // What is a pseudonym by now stays as it is.
    const redacted = taking.digests.resolve() ? this.#pass(first) : first
    const sized = withoutDigests(delivery, redacted, (digest) => taking.digestName(digest))
    taking.begin(null)
    return sized
  }

  #pass(delivery: ExportedDelivery): ExportedDelivery {
    const { fields } = delivery
    const { taking } = this.#texts
    this.#headers.note(fields.headers)
    this.#headers.note(fields.trailers)
    for (const { fields: attempt } of delivery.attempts) {
      this.#headers.note(attempt.request.headers)
      this.#headers.note(attempt.request.trailers)
      if (attempt.answer) this.#headers.note(attempt.answer.headers)
    }
    // The bodies first: what stands under a telling name there is repeated in titles and findings.
    const body = delivery.omitted === null ? this.#body(delivery) : { ...delivery, changed: false }
    const attempts = delivery.attempts.map((attempt) => this.#attemptBodies(attempt))
    taking.endBodies()
    const bodyRedacted = fields.bodyRedacted || body.changed
    const gone = bodyRedacted || body.omitted !== null
    return {
      ...delivery,
      body: body.body,
      omitted: body.omitted,
      fields: this.findings({
        ...fields,
        method: this.#text(fields.method, 'method'),
        path: this.#text(fields.path, 'path'),
        type: this.#nullable(fields.type, 'type'),
        title: this.#text(fields.title, 'title'),
        target: this.#id(fields.target),
        remoteAddress: this.#address(fields.remoteAddress),
        locationName: this.#nullable(fields.locationName, 'location'),
        tags: fields.tags.map((tag) => this.#text(tag, 'tag')),
        headers: this.#headers.redact(fields.headers, 'header', gone),
        trailers: this.#headers.redact(fields.trailers, 'trailer', gone),
        reason: this.#nullable(fields.reason, 'reason'),
        endpointName: this.#nullable(fields.endpointName, 'endpoint'),
        secretName: this.#nullable(fields.secretName, 'secret name'),
        note: this.#text(fields.note, 'note'),
        notForwarded: fields.notForwarded.map((why) => this.#text(why, 'not forwarded')),
        bodyRedacted,
      }),
      attempts: attempts.map((attempt, at) =>
        this.#attempt(attempt, delivery.attempts[at] ?? attempt, gone),
      ),
    }
  }

  findings<T extends { readonly findings: Finding[] }>(of: T): T {
    return of.findings.length === 0
      ? of
      : { ...of, findings: of.findings.map((finding) => this.finding(finding)) }
  }

  finding(finding: Finding): Finding {
    const header = /^header\.(.+)$/.exec(finding.place)?.[1]
    const field = /^body(?:\.|.*[.\]])([^.[\]]+)$/.exec(finding.place)?.[1]
    const told = (value: string): string => {
      if (isPseudonym(value) || ownWords.has(value)) return value
      const kind = header ? this.#headers.kindOf(header) : this.#texts.kindUnder(field ?? '', value)
      if (!kind) return this.#texts.redact(value, placeOf('finding', isId(field ?? '')))
      this.#texts.taking.repeat(kind, value)
      const quoted = /^"(.*)"$/s.exec(value)?.[1]
      return this.#texts.taking.take(kind, quoted ?? value, placeOf('finding'))
    }
    const actual = finding.actual === undefined ? {} : { actual: told(finding.actual) }
    const expected = finding.expected === undefined ? {} : { expected: told(finding.expected) }
    return {
      ...finding,
      place: this.#text(finding.place, 'finding'),
      message: this.#text(finding.message, 'finding'),
      ...expected,
      ...actual,
    }
  }

  #body({ body, fields }: ExportedDelivery): {
    body: Uint8Array
    omitted: string | null
    changed: boolean
  } {
    const place = placeOf('body')
    const { taking } = this.#texts
    const { bytes, unreadable } = redactBody(body, fields.headers, this.#texts, place, this.#rules)
    if (bytes !== body) taking.digests.addBody(body)
    if (unreadable === null) return { body: bytes, omitted: null, changed: bytes !== body }
    taking.digests.addBody(body)
    taking.take('unreadable', unreadable, place)
    return { body: new Uint8Array(0), omitted: unreadable, changed: true }
  }

  #attemptBodies(attempt: ExportedAttempt): ExportedAttempt {
    const { fields, requestBody, answerBody } = attempt
    const headers = fields.answer?.headers ?? []
    return {
      fields,
      requestBody: requestBody && this.#attemptBody(requestBody, fields.request.headers, 'request'),
      answerBody: answerBody && this.#attemptBody(answerBody, headers, 'answer'),
    }
  }

  #attemptBody(
    body: Uint8Array,
    headers: Parameters<typeof redactBody>[1],
    which: string,
  ): Uint8Array {
    const place = placeOf(`attempt ${which} body`)
    const { bytes, unreadable } = redactBody(body, headers, this.#texts, place, this.#rules)
    const { taking } = this.#texts
    if (bytes !== body || unreadable !== null) taking.digests.addBody(body)
    if (unreadable === null) return bytes
    return Buffer.from(taking.take('unreadable', unreadable, place))
  }

  /** `before`: with its bodies as they were. `gone`: the delivery's body is not as it was. */
  #attempt(attempt: ExportedAttempt, before: ExportedAttempt, gone: boolean): ExportedAttempt {
    const { fields } = attempt
    const sentGone = before.requestBody ? attempt.requestBody !== before.requestBody : gone
    // An answer that is not here may have been an echo of what was sent.
    const answerGone = attempt.answerBody === null ? gone : attempt.answerBody !== before.answerBody
    const { request, answer, error } = fields
    const headers = this.#headers
    return {
      ...attempt,
      fields: {
        ...fields,
        method: this.#text(fields.method, 'attempt method'),
        url: this.#text(fields.url, 'attempt url'),
        error: error && { ...error, message: this.#text(error.message, 'attempt error') },
        secretName: this.#nullable(fields.secretName, 'secret name'),
        notes: fields.notes.map((note) => this.#text(note, 'attempt note')),
        request: {
          ...request,
          target: this.#text(request.target, 'attempt path'),
          headers: headers.redact(request.headers, 'attempt header', sentGone),
          trailers: headers.redact(request.trailers, 'attempt trailer', sentGone),
        },
        answer: answer && {
          ...answer,
          statusText: this.#text(answer.statusText, 'attempt status'),
          headers: headers.redact(answer.headers, 'attempt answer header', answerGone),
        },
      },
    }
  }

  #text(text: string, where: string): string {
    return this.#texts.redact(text, placeOf(where))
  }

  /** Whose machine it came from, unless that is this one. */
  #address(address: string): string {
    const { taking } = this.#texts
    if (!taking.takes('ip_address') || !isIpAddress(address) || isLoopback(address)) return address
    return taking.take('ip_address', address, placeOf('remote address'))
  }

  #nullable(text: string | null, where: string): string | null {
    return text === null ? null : this.#text(text, where)
  }

  #id(text: string | null): string | null {
    return text === null ? null : this.#texts.redact(text, placeOf('target', true))
  }
}

/** Lengths that were counted of more than is here are told in steps of so many bytes. */
const lengthStep = 1024

/**
 * What is told of bodies beside them, without what the bodies were: a digest becomes one of this log, a length that of what is here. Bytes that
 * were never kept count in steps, as do those of a body that is left out.
 */
function withoutDigests(
  before: ExportedDelivery,
  redacted: ExportedDelivery,
  keyed: (digest: string) => string,
): ExportedDelivery {
  const { fields, body, omitted } = redacted
  const gone = fields.bodyRedacted || omitted !== null
  const bytes =
    omitted === null
      ? lengthOf(before.fields.bytes, before.body, body)
      : inSteps(before.fields.bytes)
  const attempts = redacted.attempts.map((attempt, at): ExportedAttempt => {
    const was = before.attempts[at] ?? attempt
    const { request, answer, requestBytes, answerBytes } = was.fields
    const sent = attempt.requestBody
    const sentGone = sent === null ? gone : sent !== was.requestBody
    const answered = attempt.answerBody
    const answerGone = answered === null ? gone : answered !== was.answerBody
    if (!sentGone && !answerGone) return attempt
    const answerLength = (counted: number): number =>
      answered === null || was.answerBody === null
        ? inSteps(counted)
        : lengthOf(counted, was.answerBody, answered)
    return {
      ...attempt,
      fields: {
        ...attempt.fields,
        error: attempt.fields.error && {
          ...attempt.fields.error,
          message: lengthsInSteps(attempt.fields.error.message),
        },
        notes: attempt.fields.notes.map(lengthsInSteps),
        ...(sentGone && {
          request: { ...attempt.fields.request, sha256: keyed(request.sha256) },
          requestBytes:
            sent === null || was.requestBody === null
              ? bytes
              : lengthOf(requestBytes, was.requestBody, sent),
        }),
        ...(answerGone && {
          answerBytes: answerLength(answerBytes),
          answer: attempt.fields.answer && {
            ...attempt.fields.answer,
            bytesKept: answerLength(answer?.bytesKept ?? 0),
          },
        }),
      },
    }
  })
  if (!gone) return { ...redacted, attempts }
  return {
    ...redacted,
    attempts,
    fields: {
      ...fields,
      bytes,
      sha256: keyed(before.fields.sha256),
      reason: fields.reason && lengthsInSteps(fields.reason),
      notForwarded: fields.notForwarded.map(lengthsInSteps),
    },
  }
}

function lengthOf(bytes: number, before: Uint8Array, body: Uint8Array): number {
  return body.byteLength + inSteps(Math.max(0, bytes - before.byteLength))
}

function inSteps(bytes: number): number {
  return Math.ceil(bytes / lengthStep) * lengthStep
}

/** A sentence of ours that may say how many bytes there were, or which Content-Length there should have been. */
function lengthsInSteps(text: string): string {
  return text.replaceAll(/\b\d[\d,]{0,18}(?= bytes\b)|(?<=Content-Length: )\d{1,15}/g, (written) =>
    String(inSteps(Number(written.replaceAll(',', '')))),
  )
}

/** What a finding says of a value in our own words: none of them is the value. */
const ownWords: ReadonlySet<string> = new Set([
  ...[null, [''], [0], '', 0, true, undefined, {}].map((value) => describeValueKind(value)),
  'nothing',
  'none',
  'an empty text',
  'another value',
])

function isId(name: string): boolean {
  return /(?:Id|Uuid|UUID|ID)s?$/.test(name)
}
