import { z } from 'zod'
import { HarEntryMore, type HarAttempt, type HarDelivery } from '#contract/event-log-har.ts'
import type { Header } from '#contract/models.ts'
import type { JsonObject } from '../../capture/json-object.ts'
import type { ExportedAttempt, ExportedDelivery } from '../items.ts'
import { outOfBounds } from './bounds.ts'
import { whyNot, type Read } from './read-line.ts'

const Pairs = z.array(z.object({ name: z.string(), value: z.string() }))

/** What of an entry of ours stands where HAR has a place for it. */
const Standard = z.object({
  request: z.object({
    headers: Pairs,
    postData: z.object({ text: z.string() }).optional(),
  }),
  response: z.object({
    headers: Pairs,
    content: z.object({ text: z.string().optional(), encoding: z.string().optional() }),
  }),
})
type Standard = z.infer<typeof Standard>

export type OurEntry =
  | { readonly kind: 'delivery'; readonly delivery: ExportedDelivery; readonly attempts: number }
  | { readonly kind: 'attempt'; readonly deliveryId: number; readonly attempt: ExportedAttempt }

/** An entry that Tabscope has written, as it was. */
export function ourEntry(value: JsonObject): Read<OurEntry> {
  const standard = Standard.safeParse(value)
  if (!standard.success) return { ok: false, why: whyNot(standard.error) }
  const more = HarEntryMore.safeParse(value['_tabscope'])
  if (!more.success) return { ok: false, why: `_tabscope: ${whyNot(more.error)}` }
  const { data } = more
  return data.kind === 'delivery'
    ? deliveryEntry(data, standard.data)
    : { ok: true, value: attemptEntry(data, standard.data) }
}

function deliveryEntry(
  { fields, bodyBase64, omitted, attempts }: HarDelivery,
  { request }: Standard,
): Read<OurEntry> {
  const all = { ...fields, headers: headersOf(request.headers) }
  const why = outOfBounds({ kind: 'delivery', ...all, body: { text: '' }, attempts: [] })
  if (why !== null) return { ok: false, why }
  const delivery = {
    fields: all,
    body: bytesOf(request.postData?.text, bodyBase64),
    omitted: omitted ?? null,
    attempts: [],
  }
  return { ok: true, value: { kind: 'delivery', delivery, attempts } }
}

function attemptEntry(
  { deliveryId, fields, bodyAsCaptured, bodyBase64, answerBodyKept }: HarAttempt,
  { request, response }: Standard,
): OurEntry {
  const { text, encoding } = response.content
  const answerBody = Buffer.from(text ?? '', encoding === 'base64' ? 'base64' : 'utf8')
  return {
    kind: 'attempt',
    deliveryId,
    attempt: {
      fields: {
        ...fields,
        request: { ...fields.request, headers: headersOf(request.headers) },
        answer: fields.answer && { ...fields.answer, headers: headersOf(response.headers) },
      },
      requestBody: bodyAsCaptured ? null : bytesOf(request.postData?.text, bodyBase64),
      answerBody: answerBodyKept ? answerBody : null,
    },
  }
}

function headersOf(pairs: z.infer<typeof Pairs>): Header[] {
  return pairs.map(({ name, value }) => [name, value])
}

function bytesOf(text: string | undefined, base64: string | undefined): Uint8Array {
  return base64 === undefined ? Buffer.from(text ?? '', 'utf8') : Buffer.from(base64, 'base64')
}
