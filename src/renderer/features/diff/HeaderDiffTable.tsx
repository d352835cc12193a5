import { commonHeaders, deliveryHeaders, proxyHeaderMeaning } from '#catalogue/headers.ts'
import { useId } from 'react'
import { isProxyHeader } from '#contract/forwarded.ts'
import type { Header } from '#contract/models.ts'
import { Shown } from '../../components/Shown.tsx'
import { counted } from '../../components/text/numbers.ts'
import { cut } from '../../components/text/visible.ts'
import type { HeaderRow } from './header-diff.ts'
import { differsByRoute, diffHeaders } from './header-diff.ts'

const words = {
  added: 'added',
  removed: 'removed',
  changed: 'changed',
  case: 'other letter case',
  same: 'the same',
} as const satisfies Record<HeaderRow['kind'], string>

interface Props {
  readonly before: readonly Header[]
  readonly after: readonly Header[]
  /** The brand whose header names are explained; null: of an answer, which the document says nothing of. */
  readonly brand: string | null
  /** One of two deliveries came through a tunnel, and the other did not. */
  readonly oneThroughTunnel?: boolean
}

/** Headers that differ, with what each means. */
export function HeaderDiffTable({ before, after, brand, oneThroughTunnel = false }: Props) {
  const heading = useId()
  const { rows, reordered } = diffHeaders(before, after)
  const byTheWay = (row: HeaderRow): boolean =>
    brand !== null && differsByRoute(row, oneThroughTunnel)
  const sent = rows.filter((row) => row.kind !== 'same' && !byTheWay(row))
  const differing = [...sent, ...rows.filter(byTheWay)]
  const documented = brand === null ? [] : deliveryHeaders(brand)
  const meaningOf = (name: string): string =>
    brand === null
      ? ''
      : (
          documented.find(({ lowerName }) => lowerName === name)?.description ??
          commonHeaders[name] ??
          (isProxyHeader(name) ? proxyHeaderMeaning(name) : '')
        ).replaceAll('`', '')
  return (
    <section aria-labelledby={heading} className="diff-part">
      <h3 className="section-title" id={heading}>
        Headers
      </h3>
      <p className="dim">
        {summary(sent.length, differing.length - sent.length, rows.length - differing.length)}
        {reordered ? '; those that both have came in another order.' : '.'}
      </p>
      {differing.length > 0 && (
        <table className="diff-headers" aria-label="Headers that differ">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {differing.map((row) => (
              <tr key={row.name} data-kind={row.kind}>
                <th scope="row">
                  <span className="mono">
                    <Shown text={cut(row.after[0]?.[0] ?? row.before[0]?.[0] ?? '', 200)} />
                  </span>{' '}
                  <span className="tag" data-tone={toneOf(row.kind)}>
                    {words[row.kind]}
                  </span>
                  {byTheWay(row) && <span className="tag">by the way it took</span>}
                  {meaningOf(row.name) !== '' && <p className="dim">{meaningOf(row.name)}</p>}
                </th>
                <Values headers={row.before} named={row.kind === 'case'} />
                <Values headers={row.after} named={row.kind === 'case'} />
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function summary(sent: number, byTheWay: number, same: number): string {
  const way = byTheWay === 0 ? '' : `, ${byTheWay} by the way that they took`
  if (sent === 0) return `The headers are the same${way === '' ? '' : `, but for${way.slice(1)}`}`
  return `${counted(sent, 'header differs', 'headers differ')}${way}, ${same} ${same === 1 ? 'is' : 'are'} the same`
}

function Values({
  headers,
  named,
}: {
  readonly headers: readonly Header[]
  readonly named: boolean
}) {
  return (
    <td className="mono selectable">
      {headers.length === 0 ? (
        <em className="dim">none</em>
      ) : (
        headers.map(([name, value], index) => (
          // A name may come more than once: its place tells them apart.
          // oxlint-disable-next-line react/no-array-index-key
          <p key={index}>
            {named ? (
              <Shown text={cut(name, 200)} />
            ) : value === '' ? (
              <em className="dim">empty</em>
            ) : (
              <Shown text={cut(value, 1000)} />
            )}
          </p>
        ))
      )}
    </td>
  )
}

function toneOf(kind: HeaderRow['kind']): 'valid' | 'invalid' | 'missing' | 'info' {
  switch (kind) {
    case 'added':
      return 'valid'
    case 'removed':
      return 'invalid'
    case 'changed':
      return 'missing'
    case 'case':
    case 'same':
      return 'info'
  }
}
