import { kindWords } from '#catalogue/field-type.ts'
import type { Finding } from '#contract/models.ts'
import type { ExportedAttempt, ExportedDelivery } from '../items.ts'
import { redactBody } from './body.ts'
import type { HeaderRedaction } from './headers.ts'
import { kindUnder } from './pairs.ts'
import type { PathRules } from './paths.ts'
import { isPseudonym } from './pseudonyms.ts'
import type { Place } from './taking.ts'
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
  readonly #rules: PathRules | null

  constructor(texts: TextRedaction, headers: HeaderRedaction, rules: PathRules | null) {
    this.#texts = texts
    this.#headers = headers
    this.#rules = rules
  }

  redact(delivery: ExportedDelivery): ExportedDelivery {
    const { fields } = delivery
    const { taking } = this.#texts
    taking.begin(fields.id)
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
    const redacted = {
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
        locationName: this.#nullable(fields.locationName, 'location'),
        tags: fields.tags.map((tag) => this.#text(tag, 'tag')),
        headers: this.#headers.redact(fields.headers, 'header'),
        trailers: this.#headers.redact(fields.trailers, 'trailer'),
        reason: this.#nullable(fields.reason, 'reason'),
        endpointName: this.#nullable(fields.endpointName, 'endpoint'),
        secretName: this.#nullable(fields.secretName, 'secret name'),
        note: this.#text(fields.note, 'note'),
        notForwarded: fields.notForwarded.map((why) => this.#text(why, 'not forwarded')),
        bodyRedacted: fields.bodyRedacted || body.changed,
      }),
      attempts: attempts.map((attempt) => this.#attempt(attempt)),
    }
    taking.begin(null)
    return redacted
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
      const kind = header ? this.#headers.kindOf(header) : kindUnder(field ?? '', value)
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
    const { bytes, unreadable } = redactBody(body, fields.headers, this.#texts, place, this.#rules)
    if (unreadable === null) return { body: bytes, omitted: null, changed: bytes !== body }
    this.#texts.taking.take('unreadable', unreadable, place)
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
    if (unreadable === null) return bytes
    return Buffer.from(this.#texts.taking.take('unreadable', unreadable, place))
  }

  #attempt(attempt: ExportedAttempt): ExportedAttempt {
    const { fields } = attempt
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
          headers: headers.redact(request.headers, 'attempt header'),
          trailers: headers.redact(request.trailers, 'attempt trailer'),
        },
        answer: answer && {
          ...answer,
          statusText: this.#text(answer.statusText, 'attempt status'),
          headers: headers.redact(answer.headers, 'attempt answer header'),
        },
      },
    }
  }

  #text(text: string, where: string): string {
    return this.#texts.redact(text, placeOf(where))
  }

  #nullable(text: string | null, where: string): string | null {
    return text === null ? null : this.#text(text, where)
  }

  #id(text: string | null): string | null {
    return text === null ? null : this.#texts.redact(text, placeOf('target', true))
  }
}

/** What a finding says of a value in our own words: none of them is the value. */
const ownWords: ReadonlySet<string> = new Set([
  ...[null, [''], [0], '', 0, true, undefined, {}].map((value) => kindWords(value)),
  'nothing',
  'none',
  'an empty text',
  'another value',
])

function isId(name: string): boolean {
  return /(?:Id|Uuid|UUID|ID)s?$/.test(name)
}
