import { z } from 'zod'
import { describeFindings } from '#catalogue/findings.ts'
import { LogDelivery, LogPart, LogRehearsalCase, type LogBody } from '#contract/event-log.ts'
import type { FieldChoice } from '#contract/masking.ts'
import { AppError } from '#engine/platform/errors.ts'
import type { ExportedDelivery } from '#engine/event-logs/items.ts'
import { Aliases } from '#engine/masking/aliases.ts'
import { RecordMasker } from '#engine/masking/record-masker.ts'
import type { Connection } from './connection.ts'

/** A delivery before and after masking. */
export interface Comparison {
  readonly original: ExportedDelivery
  readonly masked: ExportedDelivery
  /** Of its body. Null: it is not JSON. */
  readonly body: Pair | null
  /** Of an alias in `masked`. */
  originalOf(alias: string): string | null
}

export interface MaskedDelivery {
  /** Null: without its body, the delivery is larger than one text of the engine. */
  readonly delivery: ExportedDelivery | null
  readonly body: Buffer
  /** The body is only the start. */
  readonly cut: boolean
  readonly omitted: string | null
}

/** What maskers remember from one delivery to the next. */
class Memory {
  readonly aliases = new Aliases({ reversible: true })
  readonly products: Set<string>

  constructor(products: Iterable<string> = []) {
    this.products = new Set(products)
  }
}

/** Shorter ones are not masked in fields to keep. */
const minSecret = 6
const maxHarmless = 10_000

/** A larger body is not compared. */
const maxBody = 1024 * 1024

/** Masks in this process, so that a value has the same alias in all answers, and an alias can be looked up. All captured text of answers comes from here. */
export class MaskedRecords {
  readonly #connection: Connection
  readonly #memory = new Memory()
  #choices: readonly FieldChoice[] = []
  /** Values in fields to keep that contain a secret. Only the engine knows the secrets. */
  readonly #secrets = new Set<string>()
  /** Values without one. */
  readonly #harmless = new Set<string>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** What the user has selected for the field or what it is in, such as `data.loyaltyTier`. Without `[]`, as in filters. */
  choiceOf(field: string): FieldChoice['as'] | null {
    const of = (name: string) =>
      this.#choices.findLast((each) => each.field.replaceAll('[]', '') === name)?.as
    for (let name = field; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.')))) {
      const choice = of(name)
      if (choice) return choice
    }
    return null
  }

  originalOf(alias: string): string | null {
    return this.#memory.aliases.originalOf(alias)
  }

  /** Reads what the user has selected since. */
  async refresh(): Promise<void> {
    const { choices } = await this.#connection.call('logs.list', {})
    this.#choices = choices
  }

  /** Of a large delivery, only the beginning of the body. */
  async read(id: number): Promise<MaskedDelivery> {
    await this.refresh()
    const { delivery, cut } = await this.#readText(id, false)
    if (delivery === null) return { delivery, body: Buffer.alloc(0), cut, omitted: null }
    const { masked } = await this.#compare(delivery, this.#memory)
    return { delivery: masked, body: Buffer.from(masked.body), cut, omitted: masked.omitted }
  }

  /**
   * Compares deliveries that may not be shown, by ID. Their values get other aliases than in answers, where a number that is left out would tell that there
   * were some. The result is null if the delivery was deleted or its body is too large.
   */
  comparer(): (id: number) => Promise<Comparison | null> {
    const memory = new Memory(this.#memory.products)
    return async (id) => {
      try {
        const [delivery, body] = await Promise.all([
          this.#connection.call('deliveries.get', { id }),
          this.#connection.call('deliveries.body', { id, offset: 0, length: maxBody }),
        ])
        if (body.size > body.bytes.byteLength) return null
        const { noted: _, storedBytes: __, ...fields } = delivery
        const findings = describeFindings(delivery)
        const original: ExportedDelivery = {
          fields: { ...fields, findings, bodyRedacted: false, notForwarded: [] },
          body: body.bytes,
          omitted: null,
          attempts: [],
        }
        return await this.#compare(original, memory)
      } catch (error) {
        if (error instanceof AppError && error.code === 'not_found') return null
        throw error
      }
    }
  }

  /** By ID. A rehearsal that is larger than one text of the engine has only the first ones. */
  async readCases(id: number): Promise<ReadonlyMap<string, unknown>> {
    const input = { id, of: 'rehearsal', format: 'ndjson', redact: false } as const
    const { text } = await this.#connection.call('logs.text', input)
    const cases = logLines(text).flatMap((line) => LogRehearsalCase.safeParse(line).data ?? [])
    const masker = new RecordMasker(this.#memory)
    return new Map(
      cases.map((line) => {
        const { result } = masker.item({ ...line, requests: [] })
        const { id: testCase, reason, received, repeat } = result
        return [line.result.id, { case: testCase, reason, received, repeat }]
      }),
    )
  }

  async #compare(original: ExportedDelivery, memory: Memory): Promise<Comparison> {
    const masked = await this.#mask(original, memory)
    const body = parseJson(original.body)
    const maskedBody = body === undefined ? undefined : parseJson(masked.body)
    return {
      original,
      masked,
      body: maskedBody === undefined ? null : [body, maskedBody],
      originalOf: (alias) => memory.aliases.originalOf(alias),
    }
  }

  /** Fields are kept only in deliveries with a JSON body: there, they can be compared with what the engine shows, which masks those that contain a secret. */
  async #mask(original: ExportedDelivery, memory: Memory): Promise<ExportedDelivery> {
    const { aliases, products } = memory
    const withChoices = (choices: readonly FieldChoice[]): ExportedDelivery => {
      const secrets = [...this.#secrets]
      return new RecordMasker({ aliases, products, choices, secrets }).delivery(original)
    }
    const strictChoices = this.#choices.filter(({ as }) => as === 'mask')
    const strict = withChoices(strictChoices)
    const keepsNothing = strictChoices.length === this.#choices.length
    if (keepsNothing || parseJson(original.body) === undefined) return strict
    const masked = withChoices(this.#choices)
    const shown = textsOf(strict)
    const keptIn = (delivery: ExportedDelivery): string[] =>
      [...textsOf(delivery)].filter(
        (text) => text.length >= minSecret && !shown.has(text) && !this.#harmless.has(text),
      )
    const kept = keptIn(masked)
    if (kept.length === 0) return masked
    const byEngine = await this.#readText(original.fields.id, true)
    if (byEngine.delivery === null || byEngine.cut) return strict
    const shownByEngine = textsOf(byEngine.delivery)
    if (this.#harmless.size > maxHarmless) this.#harmless.clear()
    for (const text of kept) {
      ;(shownByEngine.has(text) ? this.#harmless : this.#secrets).add(text)
    }
    if (kept.every((text) => shownByEngine.has(text))) return masked
    const withoutSecrets = withChoices(this.#choices)
    return keptIn(withoutSecrets).length === 0 ? withoutSecrets : strict
  }

  async #readText(
    id: number,
    redact: boolean,
  ): Promise<{ readonly delivery: ExportedDelivery | null; readonly cut: boolean }> {
    const { text, cut } = await this.#connection.call('logs.text', { id, format: 'ndjson', redact })
    const lines = logLines(text)
    const read = LogDelivery.safeParse(lines.find(({ kind }) => kind === 'delivery')).data
    if (!read) return { delivery: null, cut }
    const { kind: _, body, attempts, moreAttempts: __, ...fields } = read
    const parts = lines
      .flatMap((line) => LogPart.safeParse(line).data ?? [])
      .filter(({ key }) => 'key' in body && key === body.key)
    const delivery: ExportedDelivery = {
      fields,
      body:
        'parts' in body
          ? Buffer.concat(parts.map(({ base64 }) => Buffer.from(base64, 'base64')))
          : (bytesOf(body) ?? new Uint8Array()),
      omitted: 'omitted' in body ? body.omitted : null,
      attempts: attempts.map(({ requestBody, responseBody, ...attempt }) => ({
        fields: attempt,
        requestBody: requestBody && bytesOf(requestBody),
        answerBody: responseBody && bytesOf(responseBody),
      })),
    }
    return { delivery, cut: 'parts' in body && parts.length < body.parts }
  }
}

function bytesOf(body: LogBody): Uint8Array | null {
  if ('text' in body) return Buffer.from(body.text)
  return 'base64' in body ? Buffer.from(body.base64, 'base64') : null
}

function logLines(text: string): { kind: string }[] {
  return text.split('\n').flatMap((line) => {
    try {
      return [z.looseObject({ kind: z.string() }).parse(JSON.parse(line))]
    } catch {
      // The text ends within a line if it is cut.
      return []
    }
  })
}

/** Undefined: it is not JSON. */
function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}

/** Those that the user can keep. */
function textsOf({ fields, body, attempts }: ExportedDelivery): Set<string> {
  const json = parseJson(body)
  const responses = attempts.flatMap((attempt) => attempt.fields.response?.headers ?? [])
  return new Set([
    ...[...fields.headers, ...fields.trailers, ...responses].map(([, value]) => value),
    fields.note,
    fields.endpointName ?? '',
    ...fields.tags,
    ...leaves([json, json]).flatMap(([value]) =>
      typeof value === 'string' || typeof value === 'number' ? String(value) : [],
    ),
  ])
}

/** A value in a body, and in the masked one. */
export type Pair = readonly [original: unknown, masked: unknown]

/** In place of a value in the masked body: its key is masked, too. */
const hidden = Symbol('hidden')

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Without lists around them. A masked list has as many elements. */
function elements(pairs: readonly Pair[]): Pair[] {
  const flat: Pair[] = []
  // Not recursive, since a body may consist of deeply nested brackets.
  const left = [...pairs]
  for (let pair = left.pop(); pair !== undefined; pair = left.pop()) {
    const [original, masked] = pair
    if (!Array.isArray(original)) flat.push(pair)
    else {
      for (const [at, element] of original.entries()) {
        left.push([element, Array.isArray(masked) ? masked[at] : hidden])
      }
    }
  }
  return flat
}

/** As a filter follows it: through all elements of lists. `shown`: the key in the masked body. */
export function valuesAt(
  body: Pair,
  path: readonly { readonly key: string; readonly shown: string }[],
): readonly Pair[] {
  let found: readonly Pair[] = elements([body])
  for (const { key, shown } of path) {
    found = elements(
      found.flatMap(([original, masked]): Pair[] =>
        isObject(original) && Object.hasOwn(original, key)
          ? [
              [
                Reflect.get(original, key),
                isObject(masked) && Object.hasOwn(masked, shown)
                  ? Reflect.get(masked, shown)
                  : hidden,
              ],
            ]
          : [],
      ),
    )
  }
  return found
}

/** All values but lists and objects, and the keys of objects. */
export function leaves(body: Pair): Pair[] {
  const found: Pair[] = []
  const left = elements([body])
  for (let pair = left.pop(); pair !== undefined; pair = left.pop()) {
    const [original, masked] = pair
    if (!isObject(original)) {
      found.push(pair)
      continue
    }
    // Keys that look like numbers come first in both.
    const shown: [string, unknown][] = isObject(masked) ? Object.entries(masked) : []
    for (const [at, [key, value]] of Object.entries(original).entries()) {
      const [shownKey = '', shownValue] = shown[at] ?? []
      found.push([key, shownKey])
      left.push(...elements([[value, shownValue]]))
    }
  }
  return found
}
