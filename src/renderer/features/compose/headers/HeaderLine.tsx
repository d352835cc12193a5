import { ArrowDown, ArrowUp, Link2, RotateCcw, X } from 'lucide-react'
import { isProxyHeader } from '#contract/forwarded.ts'
import { IconButton } from '../../../components/Button.tsx'
import { SeverityIcon, severityTone } from '../../../components/Mark.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { cut, visible } from '../../../components/text/visible.ts'
import type { HeaderRow, RowChange } from './header-rows.ts'

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
export function HeaderLine(props: Props) {
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
      <span className="header-marks">
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
          <span className="tag" data-tone="info" title="It is made anew with every change">
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
      </span>
      <span className="header-actions">
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
      </span>
      {problems.length > 0 && (
        <ul className="compose-problems header-problems" id={noted}>
          {problems.map(({ code, severity, message }) => (
            <li key={code} data-tone={severityTone(severity)}>
              <SeverityIcon severity={severity} /> <Shown text={message} />
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
