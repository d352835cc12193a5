import { Plus, Undo2, ArrowDown, ArrowUp, Link2, RotateCcw, X } from 'lucide-react'
import { useMemo, useRef } from 'react'
import type { DraftHeader } from '#contract/compose.ts'
import { Row } from '../../../ui/Layout.tsx'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { focusAfter } from '../../../ui/focus.ts'
import { Shown } from '../../../ui/Shown.tsx'
import { cut, visible } from '../../../ui/text/visible.ts'
import { useClient } from '../../../platform/use-client.ts'
import { useAuthorization } from '../../../state/authorization.ts'
import { useEndpoints } from '../../../state/endpoints.ts'
import { edit } from '../edit.ts'
import { type Session, sessionNow } from '../store.ts'
import { headerRows, type HeaderRows, type HeaderRow, type RowChange } from './header-rows.ts'
import type { Header } from '#contract/models.ts'
import { isProxyHeader } from '#contract/forwarded.ts'
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

const followWords = {
  body: 'follows the body',
  endpoint: 'of the endpoint',
  address: 'follows the address',
  length: 'length of the body',
  signature: 'signature',
} as const satisfies Record<NonNullable<HeaderRow['follows']>, string>

const changeWords = {
  same: null,
  changed: 'changed',
  case: 'other letter case',
  added: 'added',
  off: 'left out',
} as const satisfies Record<RowChange, string | null>

const signs = { same: '', changed: '~', case: '~', added: '+', off: '−' } as const satisfies Record<
  RowChange,
  string
>

/** One header: whether it goes out, its name and value, what the value follows, and how it differs from what came. */
function HeaderLine(props: Props) {
  const { row, last, onName, onValue, onSwitch, onFollow, onMove, onRemove } = props
  const { index, header, value, follows, leftOut, canFollow, problems, change, moved, before } = row
  const number = index + 1
  const called = header.name === '' ? `header ${number}` : visible(cut(header.name, 60))
  const words = [
    ...(change === null || changeWords[change] === null ? [] : [changeWords[change]]),
    ...(moved ? ['moved'] : []),
  ].join(', ')
  const noted = problems.length > 0 ? `header-problems-${index}` : undefined
  return (
    <li
      className="header-line"
      data-off={!header.on || leftOut || undefined}
      data-change={moved && change === 'same' ? 'moved' : (change ?? undefined)}
    >
      <input
        type="checkbox"
        aria-label={`Send ${called}`}
        title={header.on ? 'It is sent' : 'It is not sent'}
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
        aria-describedby={noted}
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
        aria-describedby={noted}
        onChange={(event) => onValue(event.target.value)}
      />
      <Row as="span" align="center" justify="end" gap={2} className="header-marks">
        {before !== null && isProxyHeader(before[0].toLowerCase()) && (
          <span className="tag" title="By the tunnel or a proxy; it goes out again as it came">
            added on the way
          </span>
        )}
        {leftOut && (
          <span className="tag" data-tone="missing">
            left out: nothing to go by
          </span>
        )}
        {follows !== null && (
          <span className="tag" data-tone="info" title="It is computed again with every change">
            <Link2 aria-hidden /> {followWords[follows]}
          </span>
        )}
        {canFollow && (
          <IconButton label={`Let ${called} follow again`} onClick={onFollow}>
            <RotateCcw aria-hidden />
          </IconButton>
        )}
        {words !== '' && (
          <span
            className="tag header-change"
            title={before === null ? undefined : `Came as ${visible(cut(before.join(': '), 400))}`}
          >
            <span aria-hidden>{change === null || change === 'same' ? '↕' : signs[change]}</span>{' '}
            {words}
          </span>
        )}
      </Row>
      <Row as="span" className="header-actions">
        <IconButton
          label={`Move ${called} up`}
          data-part="up"
          disabled={index === 0}
          onClick={() => onMove(-1)}
        >
          <ArrowUp aria-hidden />
        </IconButton>
        <IconButton
          label={`Move ${called} down`}
          data-part="down"
          disabled={last}
          onClick={() => onMove(1)}
        >
          <ArrowDown aria-hidden />
        </IconButton>
        <IconButton label={`Remove ${called}`} onClick={onRemove}>
          <X aria-hidden />
        </IconButton>
      </Row>
      {problems.length > 0 && (
        <div className="header-problems">
          <Problems id={noted} problems={problems} />
        </div>
      )}
    </li>
  )
}

const most = 500

/** The brand of the endpoint that the draft is sent as. */
export function useBrand(endpointId: number | null): string {
  const endpoint = useEndpoints((state) => state.endpoints.find(({ id }) => id === endpointId))
  const integrations = useAuthorization((state) => state.integrations)
  return integrations.find(({ id }) => id === endpoint?.integrationId)?.brand ?? 'Service'
}

/** The headers of the session as rows, with what there is to say of each. */
export function useHeaderRows(session: Session): HeaderRows {
  const { content, preview, original } = session
  const brand = useBrand(content.endpointId)
  return useMemo(
    () => headerRows(content.headers, { preview, original: original?.headers ?? null, brand }),
    [content.headers, preview, original, brand],
  )
}

/** The headers as they go out: order, case and duplicates as written. */
export function HeaderList({ rows }: { readonly rows: HeaderRows }) {
  const client = useClient()
  const list = useRef<HTMLOListElement>(null)

  function change(by: (headers: readonly DraftHeader[]) => DraftHeader[]): void {
    const session = sessionNow()
    if (session) edit(client, { headers: by(session.content.headers) })
  }
  /** The focus goes along with the row that is moved or added, or to the next one when it goes. */
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
            // Rows have no identity but their place, and are edited in it.
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
              <Shown text={cut(name, 200)} />
            </span>
            <span className="mono cut dim">
              <Shown text={cut(value, 400)} />
            </span>
            <span className="tag">added: no request does without</span>
          </li>
        ))}
        {rows.removed.map(({ header, place }, index) => (
          // Names repeat; what was removed is told apart by its place among what came.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={`removed ${index}`} className="header-line" data-ghost data-change="removed">
            <span aria-hidden>−</span>
            <span className="mono cut">
              <Shown text={cut(header[0], 200)} />
            </span>
            <span className="mono cut dim">
              <Shown text={cut(header[1], 400)} />
            </span>
            <Row as="span" align="center" justify="end" gap={2} className="header-marks">
              <span className="tag header-change">removed</span>
              <Button
                kind="quiet"
                small
                icon={<Undo2 aria-hidden />}
                aria-label={`Put ${visible(cut(header[0], 60))} back`}
                onClick={() => change((headers) => putBack(headers, header, place))}
              >
                Put back
              </Button>
            </Row>
          </li>
        ))}
      </ol>
      {rows.rows.length < most && (
        <Button
          kind="quiet"
          icon={<Plus aria-hidden />}
          onClick={() => changeAndFocus(add, most, 'name')}
        >
          Add header
        </Button>
      )}
    </div>
  )
}

type Headers = readonly DraftHeader[]

/** What is written in a value is by hand from then on: it follows nothing any more. */
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

/** One place up or down, where there is one. */
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

/** A header that came and was removed, where it was. */
export function putBack(headers: Headers, [name, value]: Header, place: number): DraftHeader[] {
  return headers.toSpliced(place, 0, { name, value, on: true, byHand: false })
}

function change(headers: Headers, index: number, part: Partial<DraftHeader>): DraftHeader[] {
  const before = headers[index]
  return before ? headers.with(index, { ...before, ...part }) : [...headers]
}
