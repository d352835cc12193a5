import { deliveryHeaders } from '#catalogue/headers.ts'
import type { DraftHeader, DraftProblem, Preview } from '#contract/compose.ts'
import type { Header } from '#contract/models.ts'
import { diffHeaders } from '#shared/diff/headers.ts'

export interface HeaderRow {
  /** Index in the draft. */
  readonly index: number
  readonly header: DraftHeader
  /** The value to send. For a computed header, its current value. */
  readonly value: string
  /** What the value is computed from; null if written by hand. */
  readonly follows: 'body' | 'endpoint' | 'address' | 'length' | 'signature' | null
  /** It is on, but not sent, because the value it depends on is missing. */
  readonly leftOut: boolean
  /** It could be computed, but was written by hand. */
  readonly canFollow: boolean
  readonly problems: readonly DraftProblem[]
}

export interface HeaderRows {
  readonly rows: readonly HeaderRow[]
  /** The received and the sent headers without `Host`, which follows the address; null if nothing was received. */
  readonly compared: {
    readonly before: readonly Header[]
    readonly after: readonly Header[]
  } | null
  /** How many names differ from the original. */
  readonly differing: number
}

interface Known {
  readonly preview: Pick<Preview, 'headers' | 'leftOut' | 'problems'> | null
  /** The received headers; null if the draft is not based on a delivery. */
  readonly original: readonly Header[] | null
  readonly brand: string
}

const followsBySource = {
  draft: null,
  body: 'body',
  endpoint: 'endpoint',
  url: 'address',
  length: 'length',
  signature: 'signature',
} as const

export function headerRows(headers: readonly DraftHeader[], known: Known): HeaderRows {
  const { preview, original, brand } = known
  const dependent = new Set([
    ...deliveryHeaders(brand).map(({ lowerName }) => lowerName),
    'content-length',
    'host',
  ])
  const rows = headers.map((header, index): HeaderRow => {
    const prepared = preview?.headers.find(({ draft }) => draft === index)
    return {
      index,
      header,
      value: prepared?.value ?? header.value,
      follows: prepared ? followsBySource[prepared.from] : null,
      leftOut: preview?.leftOut.includes(index) ?? false,
      canFollow: header.byHand && dependent.has(header.name.toLowerCase()),
      problems: preview?.problems.filter((problem) => problem.header === index) ?? [],
    }
  })
  const compared =
    original && preview
      ? {
          before: withoutHost(original),
          after: withoutHost(preview.headers.map(({ name, value }): Header => [name, value])),
        }
      : null
  const changes = compared ? diffHeaders(compared.before, compared.after) : []
  return { rows, compared, differing: changes.filter(({ change }) => change !== 'same').length }
}

function withoutHost(headers: readonly Header[]): Header[] {
  return headers.filter(([name]) => name.toLowerCase() !== 'host')
}
