import { plural } from '#shared/text/format.ts'
import { diffHeaders, type HeaderChange } from '#shared/diff/headers.ts'
import { DiffSection } from './LineDiffView.tsx'
import { isProxyHeader } from '#contract/proxy-headers.ts'
import type { Header } from '#contract/models.ts'
import { Shown } from '#kit/Shown.tsx'
import './Diff.css'

const changeLabels = {
  added: { word: 'added', tone: 'valid' },
  removed: { word: 'removed', tone: 'invalid' },
  changed: { word: 'changed', tone: 'warning' },
  case: { word: 'case changed', tone: 'info' },
  same: { word: 'unchanged', tone: 'info' },
} as const satisfies Record<HeaderChange['change'], { word: string; tone: string }>

interface Props {
  before: readonly Header[]
  after: readonly Header[]
  /** Only one of the two deliveries was received through a tunnel. */
  oneThroughTunnel?: boolean
}

export function HeaderDiffTable({ before, after, oneThroughTunnel = false }: Props) {
  const rows = diffHeaders(before, after)
  const isTransit = (row: HeaderChange): boolean => differsByRoute(row, oneThroughTunnel)
  const sent = rows.filter((row) => row.change !== 'same' && !isTransit(row))
  const differing = [...sent, ...rows.filter(isTransit)]
  return (
    <DiffSection title="Headers">
      <p className="text-dim">
        {summary(sent.length, differing.length - sent.length, rows.length - differing.length)}.
      </p>
      {differing.length > 0 && (
        <table
          className="diff-headers w-full table-fixed text-s [&_thead_th]:text-dim"
          aria-label="Differing headers"
        >
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {differing.map((row) => (
              <tr key={row.name} data-kind={row.change}>
                <th scope="row">
                  <span className="mono">
                    <Shown text={row.after[0]?.[0] ?? row.before[0]?.[0] ?? ''} max={200} />
                  </span>{' '}
                  <span className="tag" data-tone={changeLabels[row.change].tone}>
                    {changeLabels[row.change].word}
                  </span>
                  {isTransit(row) && <span className="tag">changed in transit</span>}
                </th>
                <Values headers={row.before} named={row.change === 'case'} />
                <Values headers={row.after} named={row.change === 'case'} />
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </DiffSection>
  )
}

function summary(sent: number, transit: number, same: number): string {
  if (sent === 0)
    return `The headers are the same${transit === 0 ? '' : `, except for ${transit} changed in transit`}`
  const changed = transit === 0 ? '' : `, ${transit} changed in transit`
  return `${plural(sent, 'header differs', 'headers differ')}${changed}, ${same} unchanged`
}

function Values({ headers, named }: { headers: readonly Header[]; named: boolean }) {
  return (
    <td className="mono select-text">
      {headers.length === 0 ? (
        <em className="text-dim">none</em>
      ) : (
        headers.map(([name, value], index) => (
          // Names can repeat, so the index is the key.
          // oxlint-disable-next-line react/no-array-index-key
          <p key={index}>
            {named ? (
              <Shown text={name} max={200} />
            ) : value === '' ? (
              <em className="text-dim">empty</em>
            ) : (
              <Shown text={value} max={1000} />
            )}
          </p>
        ))
      )}
    </td>
  )
}

/**
 * Whether a header differs because of the route and not because of what was sent: a header added by tunnels and proxies. If only one delivery was
 * received through a tunnel, also the `Host` header and the case of names.
 */
export function differsByRoute({ name, change }: HeaderChange, oneThroughTunnel: boolean): boolean {
  if (change === 'same') return false
  return isProxyHeader(name) || (oneThroughTunnel && (change === 'case' || name === 'host'))
}
