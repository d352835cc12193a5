import { describeValueKind } from '#catalogue/field-type.ts'
import type { Finding } from '#contract/models.ts'
import type { ExportedAttempt, ExportedDelivery } from '../items.ts'
import { redactBody } from './body.ts'
import type { HeaderRedaction } from './headers.ts'
import type { PathRules } from './path-rules.ts'
import { isIpAddress, isLoopback } from './contacts.ts'
import { isPseudonym } from './pseudonyms.ts'
import type { Place } from './redaction-session.ts'
import type { TextRedaction } from './text.ts'

const places = new Map<string, Place>()

export function namedPlace(name: string, id = false): Place {
  const cached = places.get(name)
  if (cached) return cached
  const place: Place = { describe: () => name, id }
  places.set(name, place)
  return place
}

export class DeliveryRedaction {
  readonly #texts: TextRedaction
  readonly #headers: HeaderRedaction
  readonly #rulesOf: (type: string | null) => PathRules | null
  #pathRules: PathRules | null = null

  /** `rulesOf`: the path rules for bodies of a type. */
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
    const { session } = this.#texts
    session.startDelivery(delivery.fields.id)
    this.#pathRules = this.#rulesOf(delivery.fields.type)
    const firstPass = this.#pass(delivery)
    // The second pass does not change existing pseudonyms.
    const redacted = session.digests.resolve() ? this.#pass(firstPass) : firstPass
    const result = withoutBodyDigests(delivery, redacted, (digest) =>
      session.digestPseudonym(digest),
    )
    session.startDelivery(null)
    return result
  }

  #pass(delivery: ExportedDelivery): ExportedDelivery {
    const { fields } = delivery
    const { session } = this.#texts
    this.#headers.collectRepeated(fields.headers)
    this.#headers.collectRepeated(fields.trailers)
    for (const { fields: attempt } of delivery.attempts) {
      this.#headers.collectRepeated(attempt.request.headers)
      this.#headers.collectRepeated(attempt.request.trailers)
      if (attempt.response) this.#headers.collectRepeated(attempt.response.headers)
    }
    // Bodies come first: titles and findings repeat values that can only be recognized by their names in the body.
    const body = delivery.omitted === null ? this.#body(delivery) : { ...delivery, changed: false }
    const attempts = delivery.attempts.map((attempt) => this.#attemptBodies(attempt))
    session.finishBodies()
    const bodyRedacted = fields.bodyRedacted || body.changed
    const bodyChanged = bodyRedacted || body.omitted !== null
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
        headers: this.#headers.redact(fields.headers, 'header', bodyChanged),
        trailers: this.#headers.redact(fields.trailers, 'trailer', bodyChanged),
        reason: this.#nullable(fields.reason, 'reason'),
        endpointName: this.#nullable(fields.endpointName, 'endpoint'),
        secretName: this.#nullable(fields.secretName, 'secret name'),
        note: this.#text(fields.note, 'note'),
        notForwarded: fields.notForwarded.map((reason) => this.#text(reason, 'not forwarded')),
        bodyRedacted,
      }),
      attempts: attempts.map((attempt, at) =>
        this.#attempt(attempt, delivery.attempts[at] ?? attempt, bodyChanged),
      ),
    }
  }

  findings<T extends { readonly findings: Finding[] }>(record: T): T {
    return record.findings.length === 0
      ? record
      : { ...record, findings: record.findings.map((finding) => this.finding(finding)) }
  }

  finding(finding: Finding): Finding {
    const header = /^header\.(.+)$/.exec(finding.location)?.[1]
    const field = /^body(?:\.|.*[.\]])([^.[\]]+)$/.exec(finding.location)?.[1]
    const redactValue = (value: string): string => {
      if (isPseudonym(value) || ownTexts.has(value)) return value
      const kind = header ? this.#headers.kindOf(header) : this.#texts.kindUnder(field ?? '', value)
      if (!kind) return this.#texts.redact(value, namedPlace('finding', isIdName(field ?? '')))
      this.#texts.session.addRepeated(kind, value)
      const quoted = /^"(.*)"$/s.exec(value)?.[1]
      return this.#texts.session.replace(kind, quoted ?? value, namedPlace('finding'))
    }
    const actual = finding.actual === undefined ? {} : { actual: redactValue(finding.actual) }
    const expected =
      finding.expected === undefined ? {} : { expected: redactValue(finding.expected) }
    return {
      ...finding,
      location: this.#text(finding.location, 'finding'),
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
    const place = namedPlace('body')
    const { session } = this.#texts
    const { bytes, unreadable } = redactBody(
      body,
      fields.headers,
      this.#texts,
      place,
      this.#pathRules,
    )
    if (bytes !== body) session.digests.addBody(body)
    if (unreadable === null) return { body: bytes, omitted: null, changed: bytes !== body }
    session.digests.addBody(body)
    session.replace('unreadable', unreadable, place)
    return { body: new Uint8Array(0), omitted: unreadable, changed: true }
  }

  #attemptBodies(attempt: ExportedAttempt): ExportedAttempt {
    const { fields, requestBody, answerBody } = attempt
    const headers = fields.response?.headers ?? []
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
    const place = namedPlace(`attempt ${which} body`)
    const { bytes, unreadable } = redactBody(body, headers, this.#texts, place, this.#pathRules)
    const { session } = this.#texts
    if (bytes !== body || unreadable !== null) session.digests.addBody(body)
    if (unreadable === null) return bytes
    return Buffer.from(session.replace('unreadable', unreadable, place))
  }

  /** `original`: with its original bodies. `bodyChanged`: the body of the delivery has been redacted. */
  #attempt(
    attempt: ExportedAttempt,
    original: ExportedAttempt,
    bodyChanged: boolean,
  ): ExportedAttempt {
    const { fields } = attempt
    const requestChanged = original.requestBody
      ? attempt.requestBody !== original.requestBody
      : bodyChanged
    // A response body that was not stored may have been an echo of the request.
    const answerChanged =
      attempt.answerBody === null ? bodyChanged : attempt.answerBody !== original.answerBody
    const { request, response, error } = fields
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
          headers: headers.redact(request.headers, 'attempt header', requestChanged),
          trailers: headers.redact(request.trailers, 'attempt trailer', requestChanged),
        },
        response: response && {
          ...response,
          statusText: this.#text(response.statusText, 'attempt status'),
          headers: headers.redact(response.headers, 'attempt answer header', answerChanged),
        },
      },
    }
  }

  #text(text: string, placeName: string): string {
    return this.#texts.redact(text, namedPlace(placeName))
  }

  /** This machine's address stays. */
  #address(address: string): string {
    const { session } = this.#texts
    if (!session.redacts('ip_address') || !isIpAddress(address) || isLoopback(address))
      return address
    return session.replace('ip_address', address, namedPlace('remote address'))
  }

  #nullable(text: string | null, placeName: string): string | null {
    return text === null ? null : this.#text(text, placeName)
  }

  #id(text: string | null): string | null {
    return text === null ? null : this.#texts.redact(text, namedPlace('target', true))
  }
}

/** Lengths that include bytes which are not stored are rounded up to a multiple of this. */
const lengthStep = 1024

/** A digest of an original body becomes a pseudonym, a length that of the redacted body. Lengths of bytes that are not exported are rounded up. */
function withoutBodyDigests(
  original: ExportedDelivery,
  redacted: ExportedDelivery,
  pseudonymOf: (digest: string) => string,
): ExportedDelivery {
  const { fields, body, omitted } = redacted
  const bodyChanged = fields.bodyRedacted || omitted !== null
  // An earlier export has replaced the digest already.
  const isReplaced = original.fields.bodyRedacted && body === original.body
  const bodyDigest = (digest: string): string => (isReplaced ? digest : pseudonymOf(digest))
  const bytes =
    omitted === null
      ? redactedLength(original.fields.bytes, original.body, body)
      : roundUp(original.fields.bytes)
  const attempts = redacted.attempts.map((attempt, at): ExportedAttempt => {
    const originalAttempt = original.attempts[at] ?? attempt
    const { request, response, requestBytes, responseBytes } = originalAttempt.fields
    const requestBody = attempt.requestBody
    const requestChanged =
      requestBody === null ? bodyChanged : requestBody !== originalAttempt.requestBody
    const answerBody = attempt.answerBody
    const answerChanged =
      answerBody === null ? bodyChanged : answerBody !== originalAttempt.answerBody
    if (!requestChanged && !answerChanged) return attempt
    const answerLength = (byteCount: number): number =>
      answerBody === null || originalAttempt.answerBody === null
        ? roundUp(byteCount)
        : redactedLength(byteCount, originalAttempt.answerBody, answerBody)
    return {
      ...attempt,
      fields: {
        ...attempt.fields,
        error: attempt.fields.error && {
          ...attempt.fields.error,
          message: roundLengths(attempt.fields.error.message),
        },
        notes: attempt.fields.notes.map(roundLengths),
        ...(requestChanged && {
          request: {
            ...attempt.fields.request,
            sha256: requestBody === null ? bodyDigest(request.sha256) : pseudonymOf(request.sha256),
          },
          requestBytes:
            requestBody === null || originalAttempt.requestBody === null
              ? bytes
              : redactedLength(requestBytes, originalAttempt.requestBody, requestBody),
        }),
        ...(answerChanged && {
          responseBytes: answerLength(responseBytes),
          response: attempt.fields.response && {
            ...attempt.fields.response,
            storedBytes: answerLength(response?.storedBytes ?? 0),
          },
        }),
      },
    }
  })
  if (!bodyChanged) return { ...redacted, attempts }
  return {
    ...redacted,
    attempts,
    fields: {
      ...fields,
      bytes,
      sha256: bodyDigest(original.fields.sha256),
      reason: fields.reason && roundLengths(fields.reason),
      notForwarded: fields.notForwarded.map(roundLengths),
    },
  }
}

/** What is not stored of the original is rounded up. */
export function redactedLength(bytes: number, original: Uint8Array, body: Uint8Array): number {
  return body.byteLength + roundUp(Math.max(0, bytes - original.byteLength))
}

export function roundUp(bytes: number): number {
  return Math.ceil(bytes / lengthStep) * lengthStep
}

/** In a message that mentions a number of bytes or a Content-Length. */
function roundLengths(text: string): string {
  return text.replaceAll(/\b\d[\d,]{0,18}(?= bytes\b)|(?<=Content-Length: )\d{1,15}/g, (number) =>
    String(roundUp(Number(number.replaceAll(',', '')))),
  )
}

/** Findings describe values with these words. They are never the value itself. */
const ownTexts: ReadonlySet<string> = new Set([
  ...[null, [''], [0], '', 0, true, undefined, {}].map((value) => describeValueKind(value)),
  'nothing',
  'none',
  'an empty text',
  'another value',
])

function isIdName(name: string): boolean {
  return /(?:Id|Uuid|UUID|ID)s?$/.test(name)
}
