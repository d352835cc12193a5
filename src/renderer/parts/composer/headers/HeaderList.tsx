import { Icons } from '#kit/icons.tsx'
import { Suspense, useMemo, useRef } from 'react'
import type { DraftHeader, DraftProblem, Preview } from '#contract/compose.ts'
import { Button, IconButton } from '#kit/Button.tsx'
import { focusAfter } from '#kit/focus.ts'
import { shortText } from '#kit/text/visible.ts'
import { useClient } from '#client/use-client.ts'
import { useAuthorization } from '#client/state/authorization.ts'
import { useEndpoints } from '#client/state/live-values.ts'
import { edit } from '../edit.ts'
import { type Session, sessionOf } from '../store.ts'
import { HeaderDiffTable } from '#parts/diff/on-demand.ts'
import { Problems } from '../TargetBar.tsx'
import { deliveryHeaders } from '#catalogue/headers.ts'
import type { Header } from '#contract/models.ts'
import { diffHeaders } from '#shared/diff/headers.ts'
import './Headers.css'

interface Props {
  row: HeaderRow
  onChange: (part: Partial<DraftHeader>) => void
  onRemove: () => void
}

const followLabels = {
  body: 'follows the body',
  endpoint: 'from the endpoint',
  address: 'follows the address',
  length: 'length of the body',
  signature: 'signature',
} as const satisfies Record<NonNullable<HeaderRow['follows']>, string>

function HeaderLine(props: Props) {
  const { row, onChange, onRemove } = props
  const { index, header, value, follows, leftOut, canFollow, problems } = row
  const number = index + 1
  const label = header.name === '' ? `header ${number}` : shortText(header.name, 60)
  const problemsId = problems.length > 0 ? `header-problems-${index}` : undefined
  return (
    <li
      className="header-line col-span-full grid grid-cols-[subgrid] items-center gap-x-3 gap-y-1 py-1 pr-4 pl-5 focus-within:bg-hover hover:bg-hover [&_.input[aria-invalid]]:border-invalid"
      data-off={!header.on || leftOut || undefined}
    >
      <input
        type="checkbox"
        aria-label={`Send ${label}`}
        title={header.on ? 'Sent' : 'Not sent'}
        checked={header.on}
        onChange={({ target }) => onChange({ on: target.checked })}
      />
      {(['name', 'value'] as const).map((part) => (
        <input
          key={part}
          className="input mono"
          aria-label={`${part === 'name' ? 'Name' : 'Value'} of header ${number}`}
          placeholder={part === 'name' ? 'Name' : 'empty'}
          data-part={part}
          value={part === 'name' ? header.name : value}
          spellCheck={false}
          autoComplete="off"
          aria-invalid={
            problems.some(({ code, severity }) =>
              part === 'name' ? code === 'header.name' : severity === 'error',
            ) || undefined
          }
          aria-describedby={problemsId}
          onChange={({ target }) =>
            onChange(part === 'name' ? { name: target.value } : byHand(target.value))
          }
        />
      ))}
      <span className="header-marks flex items-center justify-end gap-2 [&_.tag]:whitespace-nowrap">
        {leftOut && (
          <span className="tag" data-tone="warning">
            not sent: no value
          </span>
        )}
        {follows !== null && (
          <span className="tag" data-tone="info" title="Updated with every change">
            <Icons.Link2 /> {followLabels[follows]}
          </span>
        )}
        {canFollow && (
          <IconButton
            label={`Compute ${label} automatically`}
            onClick={() => onChange({ byHand: false })}
          >
            <Icons.RotateCcw />
          </IconButton>
        )}
      </span>
      <IconButton label={`Remove ${label}`} className="header-remove" onClick={onRemove}>
        <Icons.X />
      </IconButton>
      {problems.length > 0 && (
        <div className="col-[2/-1]">
          <Problems id={problemsId} problems={problems} />
        </div>
      )}
    </li>
  )
}

const maxHeaders = 500

export function useBrand(endpointId: number | null): string {
  const endpoint = useEndpoints((state) => state.endpoints.find(({ id }) => id === endpointId))
  const integrations = useAuthorization((state) => state.integrations)
  return integrations.find(({ id }) => id === endpoint?.integrationId)?.brand ?? 'Service'
}

/** The headers of the session as rows with their state. */
export function useHeaderRows(session: Session) {
  const { content, preview, original } = session
  const brand = useBrand(content.endpointId)
  return useMemo(
    () => headerRows(content.headers, { preview, original: original?.headers ?? null, brand }),
    [content.headers, preview, original, brand],
  )
}

interface ListProps {
  of: number
  rows: HeaderRows
}

export function HeaderList({ of, rows }: ListProps) {
  const client = useClient()
  const list = useRef<HTMLOListElement>(null)

  function change(by: (headers: readonly DraftHeader[]) => DraftHeader[]): void {
    const session = sessionOf(of)
    if (session) edit(client, of, { headers: by(session.content.headers) })
  }
  /** Moves the focus to the added row, or to the next one after a removal. */
  function changeAndFocus(by: Parameters<typeof change>[0], index: number): void {
    focusAfter(
      () => change(by),
      () => {
        const lines = list.current?.querySelectorAll<HTMLElement>('[data-part="name"]')
        return lines?.[Math.min(index, lines.length - 1)]
      },
    )
  }

  return (
    <div className="header-list @container/headers grid justify-items-start gap-3 py-4">
      <ol ref={list} aria-label="Headers">
        {rows.rows.map((row) => (
          <HeaderLine
            key={row.index}
            row={row}
            onChange={(part) => change((headers) => withPart(headers, row.index, part))}
            onRemove={() => changeAndFocus((headers) => headers.toSpliced(row.index, 1), row.index)}
          />
        ))}
      </ol>
      {rows.rows.length < maxHeaders && (
        <Button
          kind="quiet"
          icon={Icons.Plus}
          onClick={() => changeAndFocus((headers) => [...headers, blank], maxHeaders)}
        >
          Add header
        </Button>
      )}
      {rows.compared && rows.differing > 0 && (
        <div className="w-full px-5 py-4">
          <Suspense>
            <HeaderDiffTable {...rows.compared} />
          </Suspense>
        </div>
      )}
    </div>
  )
}

const blank: DraftHeader = { name: '', value: '', on: true, byHand: false }

/** It is no longer computed. */
function byHand(value: string): Partial<DraftHeader> {
  return { value, byHand: true }
}

export function withPart(
  headers: readonly DraftHeader[],
  index: number,
  part: Partial<DraftHeader>,
): DraftHeader[] {
  const before = headers[index]
  return before ? headers.with(index, { ...before, ...part }) : [...headers]
}

export interface HeaderRow {
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

export type HeaderRows = ReturnType<typeof headerRows>

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

export function headerRows(headers: readonly DraftHeader[], known: Known) {
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
  /** Without `Host`, which follows the address; null if nothing was received. */
  const compared = original &&
    preview && {
      before: withoutHost(original),
      after: withoutHost(preview.headers.map(({ name, value }): Header => [name, value])),
    }
  const changes = compared ? diffHeaders(compared.before, compared.after) : []
  /** `differing`: how many names differ from the original. */
  return { rows, compared, differing: changes.filter(({ change }) => change !== 'same').length }
}

function withoutHost(headers: readonly Header[]): Header[] {
  return headers.filter(([name]) => name.toLowerCase() !== 'host')
}
