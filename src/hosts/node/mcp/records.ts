import { LogDelivery, LogPart, LogRehearsalCase } from '#contract/event-log.ts'
import type { FieldChoice } from '#contract/masking.ts'
import { PendingDelivery } from '#engine/event-logs/import/pending-delivery.ts'
import type { ExportedDelivery } from '#engine/event-logs/items.ts'
import { Aliases } from '#engine/payload/masking/aliases.ts'
import { RecordMasker } from '#engine/event-logs/record-masker.ts'
import { isObject, type JsonObject, parseJson } from '#shared/json/object.ts'
import type { Connection } from './connection.ts'

export interface MaskedDelivery {
  /** Null: without its body, the delivery is larger than one text of the engine. */
  readonly delivery: ExportedDelivery | null
  readonly body: Buffer
  /** The body is only the start. */
  readonly cut: boolean
  readonly omitted: string | null
}

/** Masks in this process, so that a value has the same alias in all answers, and an alias can be looked up. All captured text of answers comes from here. */
export class MaskedRecords {
  readonly #connection: Connection
  /** What maskers remember from one delivery to the next. */
  readonly #memory = { aliases: new Aliases({ reversible: true }), products: new Set<string>() }
  /** What the user keeps in exports is masked here, since only the engine knows which of it contains a secret. */
  #choices: readonly FieldChoice[] = []

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** The user has selected to mask the field or what it is in, such as `data.loyaltyTier`. Without `[]`, as in filters. */
  isMasked(field: string): boolean {
    return this.#choices.some((choice) =>
      `${field}.`.startsWith(`${choice.field.replaceAll('[]', '')}.`),
    )
  }

  originalOf(alias: string): string | null {
    return this.#memory.aliases.originalOf(alias)
  }

  /** Reads what the user has selected since. */
  async refresh(): Promise<void> {
    const { choices } = await this.#connection.call('logs.list', {})
    this.#choices = choices.filter(({ as }) => as === 'mask')
  }

  /** Of a large delivery, only the beginning of the body. */
  async read(id: number): Promise<MaskedDelivery> {
    await this.refresh()
    const { delivery, cut } = await this.#readText(id)
    if (delivery === null) return { delivery, body: Buffer.alloc(0), cut, omitted: null }
    const masker = new RecordMasker({ ...this.#memory, choices: this.#choices })
    const masked = masker.delivery(delivery)
    return { delivery: masked, body: Buffer.from(masked.body), cut, omitted: masked.omitted }
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

  async #readText(id: number): Promise<{ delivery: ExportedDelivery | null; cut: boolean }> {
    const { text, cut } = await this.#connection.call('logs.text', {
      id,
      format: 'ndjson',
      redact: false,
    })
    const lines = logLines(text)
    const line = LogDelivery.safeParse(lines.find((each) => each['kind'] === 'delivery')).data
    if (!line) return { delivery: null, cut }
    const { body } = line
    const parts = lines.flatMap((each) => LogPart.safeParse(each).data ?? [])
    const pending = new PendingDelivery(line)
    for (const part of parts) pending.addPart(part)
    const ofBody = 'parts' in body ? parts.filter(({ key }) => key === body.key).length : 0
    return { delivery: pending.item().delivery, cut: 'parts' in body && ofBody < body.parts }
  }
}

/** The text ends within a line if it is cut. */
function logLines(text: string): JsonObject[] {
  return text.split('\n').map(parseJson).filter(isObject)
}
