import { plural } from '#shared/text/format.ts'
import { commonHeaders, deliveryHeaders, proxyHeaderMeaning } from '#catalogue/headers.ts'
import { useId } from 'react'
import { isProxyHeader } from '#contract/proxy-headers.ts'
import type { Header } from '#contract/models.ts'
import { Stack } from '../../ui/Layout.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { cut } from '../../ui/text/visible.ts'
import './Diff.css'

const changeLabels = {
  added: 'added',
  removed: 'removed',
  changed: 'changed',
  case: 'case changed',
  same: 'unchanged',
} as const satisfies Record<HeaderRow['kind'], string>

interface Props {
  readonly before: readonly Header[]
  readonly after: readonly Header[]
  /** The brand whose header names are explained; null for a response, whose headers are not documented. */
  readonly brand: string | null
  /** Only one of the two deliveries was received through a tunnel. */
  readonly oneThroughTunnel?: boolean
}

/** The differing headers with their meaning. */
export function HeaderDiffTable({ before, after, brand, oneThroughTunnel = false }: Props) {
  const heading = useId()
  const { rows, reordered } = diffHeaders(before, after)
  const isTransit = (row: HeaderRow): boolean =>
    brand !== null && differsByRoute(row, oneThroughTunnel)
  const sent = rows.filter((row) => row.kind !== 'same' && !isTransit(row))
  const differing = [...sent, ...rows.filter(isTransit)]
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
    <Stack as="section" gap={4} className="diff-part" aria-labelledby={heading}>
      <h3 className="section-title" id={heading}>
        Headers
      </h3>
      <p className="dim">
        {summary(sent.length, differing.length - sent.length, rows.length - differing.length)}
        {reordered ? '. Common headers are in a different order.' : '.'}
      </p>
      {differing.length > 0 && (
        <table className="diff-headers" aria-label="Differing headers">
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
                    {changeLabels[row.kind]}
                  </span>
                  {isTransit(row) && <span className="tag">changed in transit</span>}
                  {meaningOf(row.name) !== '' && <p className="dim">{meaningOf(row.name)}</p>}
                </th>
                <Values headers={row.before} named={row.kind === 'case'} />
                <Values headers={row.after} named={row.kind === 'case'} />
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Stack>
  )
}

function summary(sent: number, transit: number, same: number): string {
  if (sent === 0)
    return `The headers are the same${transit === 0 ? '' : `, except for ${transit} changed in transit`}`
  const changed = transit === 0 ? '' : `, ${transit} changed in transit`
  return `${plural(sent, 'header differs', 'headers differ')}${changed}, ${same} unchanged`
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
          // Names can repeat, so the index is the key.
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

interface HeaderRow {
  /** In lower case. */
  readonly name: string
  readonly kind: 'same' | 'added' | 'removed' | 'changed' | 'case'
  /** As received, in order. A name that was received twice has two entries. */
  readonly before: readonly Header[]
  readonly after: readonly Header[]
}

interface HeaderDiff {
  /** Differing headers first, in the order of the later message, then unchanged ones. */
  readonly rows: readonly HeaderRow[]
  /** Whether common headers are in a different order. */
  readonly reordered: boolean
}

/** Compares two lists of headers. Names are matched ignoring case, as in HTTP, but a change in case is reported. */
export function diffHeaders(before: readonly Header[], after: readonly Header[]): HeaderDiff {
  const old = grouped(before)
  const fresh = grouped(after)
  const names = [...new Set([...fresh.keys(), ...old.keys()])]
  const rows = names.map((name): HeaderRow => {
    const left = old.get(name) ?? []
    const right = fresh.get(name) ?? []
    return { name, kind: kindOf(left, right), before: left, after: right }
  })
  const common = (list: ReadonlyMap<string, readonly Header[]>): string[] =>
    [...list.keys()].filter((name) => old.has(name) && fresh.has(name))
  return {
    rows: [
      ...rows.filter(({ kind }) => kind !== 'same'),
      ...rows.filter(({ kind }) => kind === 'same'),
    ],
    reordered: common(old).join('\n') !== common(fresh).join('\n'),
  }
}

/**
 * Whether a header differs because of the route and not because of what was sent: a header added by tunnels and proxies. If only one delivery was
 * received through a tunnel, also the `Host` header and the case of names.
 */
export function differsByRoute({ name, kind }: HeaderRow, oneThroughTunnel: boolean): boolean {
  if (kind === 'same') return false
  return isProxyHeader(name) || (oneThroughTunnel && (kind === 'case' || name === 'host'))
}

function kindOf(before: readonly Header[], after: readonly Header[]): HeaderRow['kind'] {
  if (before.length === 0) return 'added'
  if (after.length === 0) return 'removed'
  const equal = (part: 0 | 1): boolean =>
    before.length === after.length &&
    before.every((header, at) => header[part] === after[at]?.[part])
  if (!equal(1)) return 'changed'
  return equal(0) ? 'same' : 'case'
}

function grouped(headers: readonly Header[]): Map<string, Header[]> {
  const groups = new Map<string, Header[]>()
  for (const header of headers) {
    const name = header[0].toLowerCase()
    const group = groups.get(name)
    if (group) group.push(header)
    else groups.set(name, [header])
  }
  return groups
}
