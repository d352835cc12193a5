import { Plus, Undo2, ArrowDown, ArrowUp, Link2, RotateCcw, X } from '../../../ui/icons.tsx'
import { useMemo, useRef } from 'react'
import type { DraftHeader } from '#contract/compose.ts'
import { Row } from '../../../ui/Layout.tsx'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { focusAfter } from '../../../ui/focus.ts'
import { Shown } from '../../../ui/Shown.tsx'
import { truncate, escapeControls } from '../../../ui/text/visible.ts'
import { useClient } from '../../../platform/use-client.ts'
import { useAuthorization } from '../../../state/authorization.ts'
import { useEndpoints } from '../../../state/endpoints.ts'
import { edit } from '../edit.ts'
import { type Session, sessionOf } from '../store.ts'
import { headerRows, type HeaderRows, type HeaderRow, type RowChange } from './header-rows.ts'
import type { Header } from '#contract/models.ts'
import { isProxyHeader } from '#contract/proxy-headers.ts'
import { Problems } from '../target/TargetBar.tsx'
import './Headers.css'

interface Props {
  readonly row: HeaderRow
  readonly last: boolean
  readonly onName: (name: string) => void
  readonly onValue: (value: string) => void
  readonly onSwitch: (on: boolean) => void
  readonly onFollow: () => void
  readonly onMove: (by: 1 | -1) => void
  readonly onRemove: () => void
}

const followLabels = {
  body: 'follows the body',
  endpoint: 'from the endpoint',
  address: 'follows the address',
  length: 'length of the body',
  signature: 'signature',
} as const satisfies Record<NonNullable<HeaderRow['follows']>, string>

const changeLabels = {
  same: { words: [], sign: '↕' },
  changed: { words: ['changed'], sign: '~' },
  case: { words: ['case changed'], sign: '~' },
  added: { words: ['added'], sign: '+' },
  off: { words: ['not sent'], sign: '−' },
} as const satisfies Record<RowChange, { words: readonly string[]; sign: string }>

/** One header: whether it is sent, its name and value, where the value comes from, and its differences from the original. */
function HeaderLine(props: Props) {
  const { row, last, onName, onValue, onSwitch, onFollow, onMove, onRemove } = props
  const { index, header, value, follows, leftOut, canFollow, problems, change, moved, before } = row
  const number = index + 1
  const label = header.name === '' ? `header ${number}` : escapeControls(truncate(header.name, 60))
  const { words: changed, sign } = changeLabels[change ?? 'same']
  const words = [...changed, ...(moved ? ['moved'] : [])].join(', ')
  const problemsId = problems.length > 0 ? `header-problems-${index}` : undefined
  return (
    <li
      className="header-line"
      data-off={!header.on || leftOut || undefined}
      data-change={moved && change === 'same' ? 'moved' : (change ?? undefined)}
    >
      <input
        type="checkbox"
        aria-label={`Send ${label}`}
        title={header.on ? 'Sent' : 'Not sent'}
        checked={header.on}
        onChange={(event) => onSwitch(event.target.checked)}
      />
      <input
        className="input mono"
        aria-label={`Name of header ${number}`}
        placeholder="Name"
        data-part="name"
        value={header.name}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={problems.some(({ code }) => code === 'header.name') || undefined}
        aria-describedby={problemsId}
        onChange={(event) => onName(event.target.value)}
      />
      <input
        className="input mono"
        aria-label={`Value of header ${number}`}
        placeholder="empty"
        data-part="value"
        value={value}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={problems.some(({ severity }) => severity === 'error') || undefined}
        aria-describedby={problemsId}
        onChange={(event) => onValue(event.target.value)}
      />
      <Row as="span" align="center" justify="end" gap={2} className="header-marks">
        {before !== null && isProxyHeader(before[0].toLowerCase()) && (
          <span className="tag" title="Added by the tunnel or a proxy. Sent as received.">
            added in transit
          </span>
        )}
        {leftOut && (
          <span className="tag" data-tone="warning">
            not sent: no value
          </span>
        )}
        {follows !== null && (
          <span className="tag" data-tone="info" title="Updated with every change">
            <Link2 aria-hidden /> {followLabels[follows]}
          </span>
        )}
        {canFollow && (
          <IconButton label={`Compute ${label} automatically`} onClick={onFollow}>
            <RotateCcw aria-hidden />
          </IconButton>
        )}
        {words !== '' && (
          <span
            className="tag header-change"
            title={
              before === null
                ? undefined
                : `Received as ${escapeControls(truncate(before.join(': '), 400))}`
            }
          >
            <span aria-hidden>{sign}</span> {words}
          </span>
        )}
      </Row>
      <Row as="span" className="header-actions">
        <IconButton
          label={`Move ${label} up`}
          data-part="up"
          disabled={index === 0}
          onClick={() => onMove(-1)}
        >
          <ArrowUp aria-hidden />
        </IconButton>
        <IconButton
          label={`Move ${label} down`}
          data-part="down"
          disabled={last}
          onClick={() => onMove(1)}
        >
          <ArrowDown aria-hidden />
        </IconButton>
        <IconButton label={`Remove ${label}`} onClick={onRemove}>
          <X aria-hidden />
        </IconButton>
      </Row>
      {problems.length > 0 && (
        <div className="header-problems">
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
export function useHeaderRows(session: Session): HeaderRows {
  const { content, preview, original } = session
  const brand = useBrand(content.endpointId)
  return useMemo(
    () => headerRows(content.headers, { preview, original: original?.headers ?? null, brand }),
    [content.headers, preview, original, brand],
  )
}

interface ListProps {
  /** The key of the session. */
  readonly of: number
  readonly rows: HeaderRows
}

export function HeaderList({ of, rows }: ListProps) {
  const client = useClient()
  const list = useRef<HTMLOListElement>(null)

  function change(by: (headers: readonly DraftHeader[]) => DraftHeader[]): void {
    const session = sessionOf(of)
    if (session) edit(client, of, { headers: by(session.content.headers) })
  }
  /** Keeps the focus on a row that is moved or added, or moves it to the next row after a removal. */
  function changeAndFocus(
    by: (headers: readonly DraftHeader[]) => DraftHeader[],
    index: number,
    part: string,
  ): void {
    focusAfter(
      () => change(by),
      () => {
        const lines = list.current?.querySelectorAll<HTMLElement>(`[data-part="${part}"]`)
        return lines?.[Math.min(index, lines.length - 1)]
      },
    )
  }

  return (
    <div className="header-list">
      <ol ref={list} aria-label="Headers">
        {rows.rows.map((row) => (
          <HeaderLine
            // Rows are only identified by their index.
            key={row.index}
            row={row}
            last={row.index === rows.rows.length - 1}
            onName={(name) => change((headers) => setName(headers, row.index, name))}
            onValue={(value) => change((headers) => setValue(headers, row.index, value))}
            onSwitch={(on) => change((headers) => setOn(headers, row.index, on))}
            onFollow={() => change((headers) => followAgain(headers, row.index))}
            onMove={(by) => {
              changeAndFocus(
                (headers) => move(headers, row.index, by),
                row.index + by,
                by === 1 ? 'down' : 'up',
              )
            }}
            onRemove={() =>
              changeAndFocus((headers) => remove(headers, row.index), row.index, 'name')
            }
          />
        ))}
        {rows.added.map(({ name, value }) => (
          <li key={name} className="header-line" data-ghost>
            <span aria-hidden>+</span>
            <span className="mono cut">
              <Shown text={truncate(name, 200)} />
            </span>
            <span className="mono cut dim">
              <Shown text={truncate(value, 400)} />
            </span>
            <span className="tag">added automatically: required</span>
          </li>
        ))}
        {rows.removed.map(({ header, place }, index) => (
          // Names can repeat, so the index is part of the key.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={`removed ${index}`} className="header-line" data-ghost data-change="removed">
            <span aria-hidden>−</span>
            <span className="mono cut">
              <Shown text={truncate(header[0], 200)} />
            </span>
            <span className="mono cut dim">
              <Shown text={truncate(header[1], 400)} />
            </span>
            <Row as="span" align="center" justify="end" gap={2} className="header-marks">
              <span className="tag header-change">removed</span>
              <Button
                kind="quiet"
                small
                icon={<Undo2 aria-hidden />}
                aria-label={`Restore ${escapeControls(truncate(header[0], 60))}`}
                onClick={() => change((headers) => restore(headers, header, place))}
              >
                Restore
              </Button>
            </Row>
          </li>
        ))}
      </ol>
      {rows.rows.length < maxHeaders && (
        <Button
          kind="quiet"
          icon={<Plus aria-hidden />}
          onClick={() => changeAndFocus(add, maxHeaders, 'name')}
        >
          Add header
        </Button>
      )}
    </div>
  )
}

type Headers = readonly DraftHeader[]

/** Sets a value by hand. It is no longer computed automatically. */
export function setValue(headers: Headers, index: number, value: string): DraftHeader[] {
  return change(headers, index, { value, byHand: true })
}

function setName(headers: Headers, index: number, name: string): DraftHeader[] {
  return change(headers, index, { name })
}

export function setOn(headers: Headers, index: number, on: boolean): DraftHeader[] {
  return change(headers, index, { on })
}

export function followAgain(headers: Headers, index: number): DraftHeader[] {
  return change(headers, index, { byHand: false })
}

/** Moves a header up or down by one, if possible. */
export function move(headers: Headers, index: number, by: 1 | -1): DraftHeader[] {
  const header = headers[index]
  const to = index + by
  if (!header || to < 0 || to >= headers.length) return [...headers]
  return headers.toSpliced(index, 1).toSpliced(to, 0, header)
}

export function add(headers: Headers): DraftHeader[] {
  return [...headers, { name: '', value: '', on: true, byHand: false }]
}

export function remove(headers: Headers, index: number): DraftHeader[] {
  return headers.toSpliced(index, 1)
}

/** Restores a removed header at its original position. */
export function restore(headers: Headers, [name, value]: Header, place: number): DraftHeader[] {
  return headers.toSpliced(place, 0, { name, value, on: true, byHand: false })
}

function change(headers: Headers, index: number, part: Partial<DraftHeader>): DraftHeader[] {
  const before = headers[index]
  return before ? headers.with(index, { ...before, ...part }) : [...headers]
}
