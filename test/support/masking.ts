import type { Header } from '#contract/models.ts'
import type { ExportedAttempt, ExportedDelivery } from '#engine/event-logs/items.ts'
import { maskBody } from '#engine/payload/masking/body.ts'
import { RecordMasker } from '#engine/event-logs/record-masker.ts'
import { type MaskOptions, Values } from '#engine/payload/masking/values.ts'
import { sampleItem } from './event-log/sample-item.ts'

type Fields = ExportedDelivery['fields']

export interface DeliveryParts {
  readonly body?: string | Uint8Array
  readonly headers?: readonly Header[]
  readonly fields?: Partial<Fields>
  readonly attempts?: readonly ExportedAttempt[]
}

export function exported({
  body = '{}',
  headers = [],
  fields,
  attempts = [],
}: DeliveryParts = {}): ExportedDelivery {
  const unknown = { type: null, target: null, locationName: null, createdAt: null }
  return sampleItem(1, body, { ...unknown, headers: [...headers], ...fields }, { attempts })
    .delivery
}

export function maskDelivery(parts: DeliveryParts, masker = new RecordMasker()): ExportedDelivery {
  return masker.item({ kind: 'delivery', delivery: exported(parts) }).delivery
}

/** `type`: as captured. `marks`: as in a delivery that is not valid. */
export function maskedBody(
  body: string | Uint8Array,
  {
    type = null,
    headers = [],
    marks = true,
    ...options
  }: MaskOptions & { type?: string | null; headers?: readonly Header[]; marks?: boolean } = {},
): string {
  const values = new Values(options)
  values.marks = marks
  const { bytes, omitted } = maskBody(values, Buffer.from(body), { headers, type })
  return omitted ?? Buffer.from(bytes).toString('utf8')
}
