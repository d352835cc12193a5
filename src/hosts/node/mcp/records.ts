import { z } from 'zod'
import { LogDelivery, LogPart, LogRehearsalCase, type LogBody } from '#contract/event-log.ts'
import type { FieldChoice } from '#contract/masking.ts'
import type { ExportedDelivery } from '#engine/event-logs/items.ts'
import { Aliases } from '#engine/masking/aliases.ts'
import { RecordMasker } from '#engine/masking/record-masker.ts'
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

  async #readText(
    id: number,
  ): Promise<{ readonly delivery: ExportedDelivery | null; readonly cut: boolean }> {
    const { text, cut } = await this.#connection.call('logs.text', {
      id,
      format: 'ndjson',
      redact: false,
    })
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
