import { isUtf8 } from 'node:buffer'
import type { CliLine } from '#contract/cli-output.ts'
import type { Delivery } from '#contract/models.ts'
import { diffBodies } from '#shared/diff/bodies.ts'
import { diffHeaders } from '#shared/diff/headers.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { formatSize } from '#shared/text/format.ts'
import { colored } from './output.ts'
import { truncate } from './table.ts'

export interface Side {
  readonly delivery: Pick<Delivery, 'id' | 'headers'>
  readonly body: Uint8Array
}

type Diff = CliLine<'diff'>
type BodyDiff = Diff['body']
type ValueChange = BodyDiff['values'][number]

export function diffDeliveries(before: Side, after: Side): Diff {
  const headers = headerChanges(before.delivery.headers, after.delivery.headers)
  const { bytes, values, lines, ...body } = diffBodies(before.body, after.body, textOf)
  return {
    deliveryIds: [before.delivery.id, after.delivery.id],
    equal: headers.length === 0 && body.equal,
    headers,
    body: {
      ...body,
      bytes: [...bytes],
      values: [...values],
      lines: lines.flatMap(({ change, text }) => (change === 'same' ? [] : [{ change, text }])),
    },
  }
}

function textOf(body: Uint8Array): string | null {
  return isUtf8(body) ? Buffer.from(body).toString('utf8') : null
}

function headerChanges(before: Delivery['headers'], after: Delivery['headers']): Diff['headers'] {
  return diffHeaders(before, after).flatMap(({ name: key, change, before: old, after: fresh }) => {
    if (change === 'same' || change === 'case') return []
    const [name] = old[0] ?? fresh[0] ?? [key]
    const values = (headers: typeof old) => headers.map(([, value]) => value)
    return [
      {
        name,
        change,
        before: change === 'added' ? null : values(old),
        after: change === 'removed' ? null : values(fresh),
      },
    ]
  })
}

const signs = { added: '+', removed: '-', changed: '~' } as const
const signStyles = { added: 'green', removed: 'red', changed: 'yellow' } as const
/** In characters; `--json` prints values completely. */
const valueWidth = 200

export function diffText({ deliveryIds, equal, headers, body }: Diff): string {
  const [first, second] = deliveryIds
  if (equal) return `Deliveries ${first} and ${second} are equal.`
  return changesText({ headers, body }, ` of ${first} and ${second}`)
}

/** `of`: ends both titles. */
export function changesText({ headers, body }: Pick<Diff, 'headers' | 'body'>, of: string): string {
  return [
    colored('bold', `Headers${of}`),
    ...(headers.length === 0 ? ['  equal'] : []),
    ...headers.map(({ name, change, before, after }) =>
      changeLine(change, name, before?.join(', ') ?? null, after?.join(', ') ?? null),
    ),
    '',
    colored('bold', `Body${of}`),
    ...bodyLines(body),
  ].join('\n')
}

function bodyLines({ equal, as, bytes, firstDifference, values, lines }: BodyDiff): string[] {
  if (equal) return ['  equal']
  const [before, after] = bytes
  return [
    ...(as === 'json' && values.length === 0
      ? ['  Equivalent JSON with different formatting, so the signature differs:']
      : []),
    ...values.map((each) =>
      changeLine(each.change, each.path === '' ? 'body' : each.path, each.before, each.after),
    ),
    ...lines.map(({ change, text }) => `  ${signed(change, escapeControls(text))}`),
    ...(values.length === 0 && lines.length === 0
      ? [
          `  ${formatSize(before)} and ${formatSize(after)}, different from byte ${firstDifference ?? 0} on`,
        ]
      : []),
  ]
}

function changeLine(
  change: ValueChange['change'],
  name: string,
  before: string | null,
  after: string | null,
): string {
  const values = [before, after].flatMap((value) =>
    value === null ? [] : [truncate(escapeControls(value), valueWidth)],
  )
  return `  ${signed(change, `${escapeControls(name)}: ${values.join(' → ')}`)}`
}

function signed(change: ValueChange['change'], text: string): string {
  return colored(signStyles[change], `${signs[change]} ${text}`)
}
