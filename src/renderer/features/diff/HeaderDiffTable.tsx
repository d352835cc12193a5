import { commonHeaders, deliveryHeaders } from '#catalogue/headers.ts'
import type { Delivery, Header } from '#contract/models.ts'
import { Shown } from '../../components/Shown.tsx'
import { counted } from '../../components/text/numbers.ts'
import { cut } from '../../components/text/visible.ts'
import type { HeaderRow } from './header-diff.ts'
import { diffHeaders } from './header-diff.ts'

const words = {
  added: 'added',
  removed: 'removed',
  changed: 'changed',
  case: 'other letter case',
  same: 'the same',
} as const satisfies Record<HeaderRow['kind'], string>

/** Headers that differ, with what each means. */
export function HeaderDiffTable(props: { readonly before: Delivery; readonly after: Delivery }) {
  const { before, after } = props
  const { rows, reordered } = diffHeaders(before.headers, after.headers)
  const differing = rows.filter(({ kind }) => kind !== 'same')
  const same = rows.length - differing.length
  const documented = deliveryHeaders(after.brand)
  const meaningOf = (name: string): string =>
    (
      documented.find(({ lowerName }) => lowerName === name)?.description ??
      commonHeaders[name] ??
      ''
    ).replaceAll('`', '')
  return (
    <section aria-labelledby="diff-headers" className="diff-part">
      <h3 className="section-title" id="diff-headers">
        Headers
      </h3>
      <p className="dim">
        {differing.length === 0
          ? 'The headers are the same'
          : `${counted(differing.length, 'header differs', 'headers differ')}, ${same} ${same === 1 ? 'is' : 'are'} the same`}
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
