import { hash, randomBytes } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import { eventTypes } from '#catalogue/catalogue.ts'
import { describeType, describeValueKind } from '#catalogue/field-type.ts'
import { describeFinding, findingCodes, nothingToRepeat } from '#catalogue/findings.ts'
import { factsOf } from '#catalogue/facts.ts'
import { isCauseCode } from '#catalogue/cause-titles.ts'
import { harmlessFields, isDocumentedType } from '#catalogue/harmless.ts'
import { fieldOf } from '#contract/filter/fields.ts'
import type { LogEndpoint, LogHead } from '#contract/event-log.ts'
import { type Cause, type Finding, Header } from '#contract/models.ts'
import type { RehearsalRequest } from '#contract/rehearsal.ts'
import * as z from 'zod'
import { quoteForeign } from '#shared/text/format.ts'
import { parseBody } from '../payload/parse-body.ts'
import { configuredValue } from '../payload/conformance/header-rules.ts'
import { titleOfDelivery } from '../payload/inspect.ts'
import type { ExportedAttempt, ExportedDelivery, LogItem, RehearsalCaseItem } from './items.ts'
import { maskBody, type MaskedBody } from '../payload/masking/body.ts'
import {
  maskAddress,
  maskHeaderName,
  maskHeaders,
  maskHost,
  maskPath,
  maskSentence,
  maskUrl,
  maskProtocolText,
} from '../payload/masking/headers.ts'
import { fromBytes, toBytes } from '../platform/byte-text.ts'
import { type MaskOptions, Values } from '../payload/masking/values.ts'

const empty = new Uint8Array()
const Headers = z.array(Header)

/** Masks records of one file, or of one connection: the same value gets the same alias in all of them. */
export class RecordMasker {
  readonly #values: Values
  readonly #key = randomBytes(32).toString('hex')

  constructor(options: MaskOptions = {}) {
    this.#values = new Values(options)
  }

  get counts(): Readonly<Record<string, number>> {
    const { aliases, masked } = this.#values.counts
    return { aliases, masked }
  }

  hasField(field: string): boolean {
    return this.#values.usedChoices.has(field)
  }

  head(head: LogHead): LogHead {
    const filter = this.#filter(head.scope.filter)
    const { redaction } = head
    return {
      ...head,
      scope: { ...head.scope, filter },
      redaction: {
        ...redaction,
        kept: redaction.kept.map((field) => this.#fieldName(field)),
        masked: redaction.masked.map((field) => this.#fieldName(field)),
      },
    }
  }

  item<I extends LogItem>(item: I): I {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the kind of an item does not change
    return this.#item(item) as I
  }

  #filter(text: string): string {
    return text.replaceAll(
      /([a-z]+)(?=[:<>])|([A-Z_]{2,}|[a-z_]+|\d{1,5}[smhd])(?=[\s),]|$)|[^\s:,()<>=-]+/g,
      (part, name?: string, word?: string) => {
        if (name !== undefined && fieldOf(name)) return part
        return word !== undefined &&
          (isDocumentedType(word) || filterWords.has(word) || /^\d/.test(word))
          ? part
          : this.#values.maskUnicode(part)
      },
    )
  }

  delivery({ fields, body, omitted, attempts }: ExportedDelivery): ExportedDelivery {
    const values = this.#values
    if (values.uses) values.uses.delivery = fields.id
    values.people.clear()
    values.marks =
      fields.verdict !== 'valid' ||
      fields.findings.some(({ location }) => location.startsWith('body'))
    const masked: MaskedBody =
      omitted === null
        ? maskBody(values, body, { headers: fields.headers, type: fields.type })
        : { bytes: empty, omitted: this.#sentence(omitted) }
    const growth = masked.omitted === null ? masked.bytes.byteLength - body.byteLength : null
    const context = { brand: fields.brand, growth }
    const parsed = parseBody(masked.bytes)
    const payload = parsed.kind === 'object' ? parsed.payload : null
    const sentence = (text: string): string => this.#sentence(text, growth)
    return {
      body: masked.bytes,
      omitted: masked.omitted,
      fields: {
        ...fields,
        method: methodOf(fields.method) ?? values.mask(fields.method),
        path: this.#use(
          'path',
          fields.path,
          values.choiceOf('path') === 'keep'
            ? values.kept(fields.path, false)
            : maskPath(values, fields.path, fields.endpointId !== null),
        ),
        type:
          typeof payload?.type === 'string' ? payload.type : fields.type && this.#type(fields.type),
        title:
          masked.omitted === null
            ? titleOfDelivery(parsed, fields.findings)
            : 'The body is left out',
        facts: payload && factsOf(payload),
        target: payload
          ? (idOf(payload.targetUuid) ?? idOf(payload.targetId))
          : fields.target && values.id(toBytes(fields.target), false),
        locationName: fields.locationName && values.location(toBytes(fields.locationName), false),
        createdAt: this.#isTime(payload?.createdAt) ? fields.createdAt : null,
        httpVersion: versionOf(fields.httpVersion),
        remoteAddress: maskAddress(values, fields.remoteAddress),
        headers: maskHeaders(values, fields.headers, context),
        trailers: maskHeaders(values, fields.trailers, context),
        findings: fields.findings.map((finding) => this.#finding(finding, fields)),
        causes: fields.causes && fields.causes.flatMap((cause) => this.#cause(cause)),
        bytes: growth === null ? 0 : Math.max(0, fields.bytes + growth),
        sha256: this.#digest(fields.sha256, fields.bodyRedacted),
        reason: fields.reason && sentence(fields.reason),
        relay: fields.relay && {
          ...fields.relay,
          name: this.#choose('relay', fields.relay.name),
          receiver: this.#choose('relay', fields.relay.receiver),
        },
        endpointName: fields.endpointName && this.#choose('endpoint name', fields.endpointName),
        secretName: fields.secretName && this.#secretName(fields.secretName),
        tags: fields.tags.map((tag) => this.#choose('tag', tag)),
        note: this.#choose('note', fields.note),
        notForwarded: fields.notForwarded.map(sentence),
        bodyRedacted: true,
      },
      attempts: attempts.map((attempt) => this.#attempt(attempt, fields, growth)),
    }
  }

  #finding(finding: Finding, { type, brand }: { type: string | null; brand: string }): Finding {
    const { location, expected, actual } = finding
    const code = knownCodes.has(finding.code)
      ? finding.code
      : this.#values.maskUnicode(finding.code)
    const choice = this.#values.choiceOf(fieldAt(location))
    const value = (text: string): string => {
      if (choice === 'keep') return this.#kept(text)
      if (ownTexts.has(text) && (choice === null || text === expected)) return text
      if (choice === 'mask') return this.#values.maskUnicode(text)
      const rule = findingRules[code]
      const bytes = toBytes(text)
      const values = this.#values
      switch (rule) {
        case 'id':
          return text
            .split(', ')
            .map((id) => values.id(toBytes(id), false))
            .join(', ')
        case 'type':
          return text
            .split(', ')
            .map((each) => values.type(each) ?? values.maskUnicode(each))
            .join(', ')
        case 'time':
          return fromBytes(values.time(bytes))
        case 'words':
          return fromBytes(maskProtocolText(values, bytes, brand))
        case 'sentence':
          return text === actual ? this.#sentence(text) : this.#values.maskUnicode(text)
        case 'count':
          return /^\d{1,6}$/.test(text) ? text : values.maskUnicode(text)
        case 'value': {
          const field = harmlessFields(type)
            .get('data')
            ?.inside?.get(/^body\.data\.(.+)$/.exec(location)?.[1] ?? '')
          return (
            (field?.rule === 'text' && values.isPlain(bytes) && !values.namesPerson(bytes)
              ? text
              : values.type(text)) ?? values.maskUnicode(text)
          )
        }
        default:
          return methodOf(text) ?? values.maskUnicode(text)
      }
    }
    const masked = {
      code,
      location: this.#location(location),
      ...(expected !== undefined && { expected: value(expected) }),
      ...(actual !== undefined && { actual: value(actual) }),
    }
    return describeFinding(masked, type === null ? null : this.#values.type(type))
  }

  /** None for a code that this version does not know. */
  #cause({ code, where, values }: Cause): Cause[] {
    if (!isCauseCode(code)) return []
    if (values === undefined) return [{ code, where }]
    const masked = Object.entries(values).map(([name, value]) => [
      name,
      name === 'endpoint' ? this.#choose('endpoint name', value) : this.#sentence(value),
    ])
    return [{ code, where, values: Object.fromEntries(masked) }]
  }

  #sentence(text: string, growth: number | null = null): string {
    return maskSentence(this.#values, text, growth)
  }

  #item(item: LogItem): LogItem {
    const { uses } = this.#values
    if (uses) uses.delivery = null
    switch (item.kind) {
      case 'delivery':
        return { kind: 'delivery', delivery: this.delivery(item.delivery) }
      case 'endpoint':
        return this.#endpoint(item)
      case 'rehearsal_case':
        return this.#case(item)
      case 'integration':
        return { ...this.#record(item), name: this.#choose('integration name', item.name) }
      case 'token':
      case 'run':
      case 'rehearsal':
        return this.#record(item)
    }
  }

  #endpoint(item: LogEndpoint): LogEndpoint {
    const values = this.#values
    return {
      ...item,
      name: this.#choose('endpoint name', item.name),
      applicationId: values.id(toBytes(item.applicationId), false),
      customHeaders: item.customHeaders.map(([name, value]) => [
        maskHeaderName(values, name),
        this.#choose(`header ${name.toLowerCase()}`, value),
      ]),
    }
  }

  #attempt(
    { fields, requestBody, answerBody }: ExportedAttempt,
    of: ExportedDelivery['fields'],
    growthOfBody: number | null,
  ): ExportedAttempt {
    const values = this.#values
    const { request, response, error } = fields
    const sent =
      requestBody && maskBody(values, requestBody, { headers: request.headers, type: of.type })
    const received =
      answerBody &&
      response &&
      maskBody(values, answerBody, { headers: response.headers, type: null, prefix: 'response ' })
    const growth = requestBody === null ? growthOfBody : growthOf(sent, requestBody)
    const answerGrowth = growthOf(received, answerBody)
    const sentence = (text: string): string => this.#sentence(text)
    return {
      requestBody: sent && noteOmitted(sent),
      answerBody: received && noteOmitted(received),
      fields: {
        ...fields,
        method: methodOf(fields.method) ?? values.mask(fields.method),
        url: maskUrl(values, fields.url),
        error: error && { ...error, message: sentence(error.message) },
        secretName: fields.secretName && this.#secretName(fields.secretName),
        notes: fields.notes.map(sentence),
        requestBytes: growth === null ? 0 : Math.max(0, fields.requestBytes + growth),
        responseBytes: answerGrowth === null ? 0 : Math.max(0, fields.responseBytes + answerGrowth),
        remoteAddress: fields.remoteAddress && maskHost(values, fields.remoteAddress),
        request: {
          target: /^https?:/.test(request.target)
            ? maskUrl(values, request.target)
            : maskPath(values, request.target, false),
          headers: maskHeaders(values, request.headers, { brand: of.brand, growth }),
          trailers: maskHeaders(values, request.trailers, { brand: of.brand, growth }),
          sha256: this.#digest(request.sha256, of.bodyRedacted),
        },
        response: response && {
          ...response,
          httpVersion: versionOf(response.httpVersion),
          statusText:
            STATUS_CODES[response.status] === response.statusText
              ? response.statusText
              : values.mask(response.statusText),
          headers: maskHeaders(values, response.headers, {
            brand: of.brand,
            growth: answerGrowth,
            prefix: 'response ',
          }),
          storedBytes: received?.bytes.byteLength ?? 0,
        },
      },
    }
  }

  #case({ requests, result, ...rest }: RehearsalCaseItem): RehearsalCaseItem {
    return {
      ...rest,
      result: this.#record(result),
      requests: requests.map((request) => this.#request(request)),
    }
  }

  #request(request: RehearsalRequest): RehearsalRequest {
    const values = this.#values
    values.people.clear()
    values.marks = true
    const parsed = parseBody(request.body)
    const type =
      parsed.kind === 'object' && typeof parsed.payload.type === 'string'
        ? parsed.payload.type
        : null
    const sent = maskBody(values, request.body, { headers: request.headers, type })
    const received = maskBody(values, request.responseBody, {
      headers: request.responseHeaders,
      type: null,
      prefix: 'response ',
    })
    const growth = sent.bytes.byteLength - request.body.byteLength
    const answerGrowth = received.bytes.byteLength - request.responseBody.byteLength
    const omitted = sent.omitted ?? received.omitted
    const context = { brand: 'Service', growth }
    return {
      ...request,
      variant: this.#sentence(request.variant),
      method: methodOf(request.method) ?? values.mask(request.method),
      url: /^https?:/.test(request.url)
        ? maskUrl(values, request.url)
        : maskPath(values, request.url, false),
      headers: maskHeaders(values, request.headers, context),
      missingHeaders: maskHeaders(values, request.missingHeaders, context),
      body: sent.bytes,
      bodyBytes: Math.max(0, request.bodyBytes + growth),
      bodyChange: request.bodyChange && moved(request.bodyChange, request.body, sent.bytes),
      error: request.error && this.#sentence(request.error, growth),
      responseHeaders: maskHeaders(values, request.responseHeaders, {
        ...context,
        growth: answerGrowth,
        prefix: 'response ',
      }),
      responseBody: received.bytes,
      ...(omitted !== null && { omitted }),
    }
  }

  #record<T>(record: T): T {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- strings stay strings, and everything else is unchanged
    return this.#walk(record, '') as T
  }

  #walk(value: unknown, key: string): unknown {
    if (typeof value === 'string') return this.#text(value, key)
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) {
      const headers = key === 'headers' ? Headers.safeParse(value).data : undefined
      if (headers) return maskHeaders(this.#values, headers, { brand: 'Service', growth: null })
      return value
        .map((element: unknown) => this.#walk(element, key))
        .filter((element) => element !== '' || (key !== 'only' && key !== 'skip'))
    }
    const walked = Object.fromEntries(
      Object.entries(value).map(([name, element]) => [name, this.#walk(element, name)]),
    )
    return typeof walked['body'] === 'string' && 'bytes' in walked
      ? { ...walked, bytes: Buffer.byteLength(walked['body']) }
      : walked
  }

  #text(text: string, key: string): string {
    const values = this.#values
    switch (key) {
      case 'ending':
        return ''
      case 'id':
      case 'caseId':
      case 'cappedBy':
      case 'only':
      case 'skip':
        return /^[A-Z]{1,2}\d{0,3}\*?$/.test(text) ? text : ''
      case 'accessId':
      case 'applicationId':
        return values.id(toBytes(text), false)
      case 'body':
        return Buffer.from(
          maskBody(values, Buffer.from(text), { headers: [], type: null, prefix: 'run ' }).bytes,
        ).toString()
      case 'statusText':
        return Object.values(STATUS_CODES).includes(text) ? text : values.maskUnicode(text)
      case 'location':
        return this.#location(text)
      case 'brand':
        return /^[A-Za-z][A-Za-z0-9-]{0,40}$/.test(text) ? text : values.maskUnicode(text)
      case 'label':
        return this.#choose('token label', text)
      // Of a response: its status and the phrase after it.
      case 'title': {
        const phrase = /^\d{3} /.test(text) ? text.slice(4) : ''
        return phrase === '' || STATUS_CODES[text.slice(0, 3)] === phrase
          ? this.#sentence(text)
          : `${text.slice(0, 4)}${values.maskUnicode(phrase)}`
      }
      // Of a fact of a run, or of a finding.
      case 'value':
      case 'actual':
        return text
          .split(', expected ')
          .map((part) =>
            knownValues.has(part) ? part : this.#sentence(quoteForeign(part)).slice(1, -1),
          )
          .join(', expected ')
      default:
        if (/^[A-Za-z][a-zA-Z0-9_.]{0,40}$/.test(text) && wireKeys.has(key)) return text
        return /^https?:\/\/\S+$/.test(text)
          ? fromBytes(maskUrl(values, toBytes(text)))
          : this.#sentence(text)
    }
  }

  #location(location: string): string {
    const header = /^header\.(.+)$/.exec(location)?.[1]
    if (header !== undefined) return `header.${maskHeaderName(this.#values, header)}`
    const state = { maps: false }
    return location.replaceAll(/(?<=\[)\d{1,6}(?=\])|[^.[\]]+/g, (key, at: number) => {
      const isIndex = /^\d+$/.test(key) && location[at - 1] === '['
      return isIndex || ownPlaces.has(key) ? key : this.#keyOf(key, state)
    })
  }

  /** A key may be a value, as in an object by guest. */
  #fieldName(field: string): string {
    const header = /^((?:response )?header )(.+)$/.exec(field)
    if (header) return (header[1] ?? '') + maskHeaderName(this.#values, header[2] ?? '')
    if (!field.includes('.')) return field
    const state = { maps: false }
    return field.replaceAll(/(?<=\.)[^.[\]]+/g, (key) => this.#keyOf(key, state))
  }

  #keyOf(key: string, state: { maps: boolean }): string {
    return fromBytes(this.#values.key(toBytes(key), false, state))
  }

  #kept(text: string): string {
    return fromBytes(this.#values.kept(toBytes(text), false))
  }

  #type(text: string): string {
    return this.#values.type(text) ?? this.#values.maskUnicode(text)
  }

  #isTime(value: unknown): boolean {
    return typeof value === 'string' && this.#values.time(value) === value
  }

  #secretName(name: string): string {
    return name === 'current' || name === 'previous' ? name : this.#values.maskUnicode(name)
  }

  #use(field: string, original: string, becomes: string): string {
    this.#values.useOf(field, original, becomes)
    return becomes
  }

  #choose(field: string, text: string): string {
    if (text === '') return text
    const isKept = this.#values.choiceOf(field) === 'keep'
    const becomes = isKept ? this.#kept(text) : this.#values.maskUnicode(text)
    this.#use(field, toBytes(text), toBytes(becomes))
    return becomes
  }

  /** The same for equal bodies, and no digest of them. */
  #digest(sha256: string, isMasked: boolean): string {
    if (isMasked && this.#values.isMasked) return sha256
    return hash('sha256', this.#key + sha256)
  }
}

const knownCodes: ReadonlySet<string> = new Set(findingCodes.map(({ code }) => code))

const methods = new Set(['', ...'GET HEAD POST PUT DELETE CONNECT OPTIONS TRACE PATCH'.split(' ')])

function methodOf(text: string): string | null {
  return methods.has(text) ? text : null
}

/** Also of a file from somebody else. */
function versionOf(httpVersion: string): string {
  return /^\d(?:\.\d)?$/.test(httpVersion) ? httpVersion : ''
}

function fieldAt(location: string): string {
  return location.replace(/^body\.(?=data(?:\.|$))/, '').replace(/^header\./, 'header ')
}

function growthOf(masked: MaskedBody | null, body: Uint8Array | null): number | null {
  return masked === null || body === null || masked.omitted !== null
    ? null
    : masked.bytes.byteLength - body.byteLength
}

function idOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}

function noteOmitted({ bytes, omitted }: MaskedBody): Uint8Array {
  return omitted === null ? bytes : Buffer.from(omitted)
}

/** Where the part that differs from a valid delivery is in the masked body: counted from the nearer end. */
function moved(
  [from, to]: readonly [number, number],
  body: Uint8Array,
  masked: Uint8Array,
): [number, number] {
  const place = (at: number): number =>
    Math.min(
      masked.length,
      at <= body.length / 2 ? at : Math.max(0, masked.length - (body.length - at)),
    )
  return [Math.min(place(from), place(to)), place(to)]
}

const filterWords = new Set(
  'valid invalid missing unsigned none and or not AND OR NOT today yesterday pinned error warning info'.split(
    ' ',
  ),
)

/** In runs and tokens: of a redirect that differs, of an error that RFC 6749 lists, and kinds of JSON values. */
const knownValues = new Set(
  '(none) http https POST GET access_denied invalid_request unauthorized_client unsupported_response_type invalid_scope server_error temporarily_unavailable string number boolean object application/json text/html text/plain'.split(
    ' ',
  ),
)

const ownPlaces = new Set(['body', 'request', 'script'])

const wireKeys = new Set(
  'kind outcome state agent severity status code result level grade phase'.split(' '),
)

/** Findings describe values with these words. They are never the value itself. */
const ownTexts: ReadonlySet<string> = new Set([
  ...[null, [''], [0], '', 0, true, undefined, {}].map((value) => describeValueKind(value)),
  ...(['string', 'number', 'boolean', 'string[]', 'object'] as const).map(describeType),
  ...eventTypes.flatMap(({ data, target }) => [
    ...data.flatMap(({ known = [], inside }) => [
      ...known,
      known.join(' or '),
      ...(inside?.known ?? []),
    ]),
    ...[target.uuid, target.id].map((name) => `the ${name}`),
  ]),
  configuredValue,
  nothingToRepeat,
  'nothing',
  'an empty text',
  'another value',
  'application/json',
  'such as 2026-03-14T21:00:00.123Z',
])

const findingRules: Readonly<
  Record<string, 'id' | 'type' | 'time' | 'words' | 'count' | 'value' | 'sentence'>
> = {
  'header.type_mismatch': 'type',
  'header.type_missing': 'type',
  'header.target_uuid_mismatch': 'id',
  'header.target_uuid_missing': 'id',
  'header.target_id_mismatch': 'id',
  'header.target_id_missing': 'id',
  'header.application_id_mismatch': 'id',
  'header.application_id_missing': 'id',
  'header.user_agent': 'words',
  'header.content_type': 'words',
  'header.repeated': 'count',
  'signature.repeated': 'count',
  'findings.more': 'count',
  'payload.created_at': 'time',
  'payload.unknown_type': 'type',
  'target.uuid_unexpected': 'id',
  'target.id_unexpected': 'id',
  'data.time': 'time',
  'data.value_new': 'value',
  'script.failed': 'sentence',
}
