import {
  CircleAlert,
  Eye,
  FileOutput,
  ShieldCheck,
  ShieldOff,
  ShieldQuestion,
  Trash2,
} from 'lucide-react'
import type { EventLog } from '#contract/logs.ts'
import { IconButton } from '../../components/Button.tsx'
import { Shown } from '../../components/Shown.tsx'
import { StateMark } from '../../components/StateMark.tsx'
import { byteSize, count, counted } from '../../components/text/numbers.ts'
import { fullTime, shortDate } from '../../components/text/time.ts'
import { cut, visible } from '../../components/text/visible.ts'
import { useListAddress } from '../deliveries/scope/use-list-address.ts'
import { askExport } from './export/asking.ts'
import { redactedWord, logStateLabels, timeSpan } from './labels.ts'

/** One imported log: what is in it, whether it can be relied on, and what can be done with it. */
export function LogRow({
  log,
  onRemove,
}: {
  readonly log: EventLog
  readonly onRemove: () => void
}) {
  // One that is open is found as it was left.
  const address = useListAddress(log.id)
  const name = visible(cut(log.name, 120))
  const state = logStateLabels[log.state]
  return (
    <li className="log" data-state={log.state}>
      <div className="log-main">
        <h3>
          <a className="log-open" href={address}>
            {name}
          </a>
        </h3>
        <p className="log-facts">
          <span>
            <b>{count(log.deliveries)}</b> {log.deliveries === 1 ? 'delivery' : 'deliveries'}
          </span>
          <span title={spanTitle(log)}>{timeSpan(log.firstAt, log.lastAt)}</span>
          <span>{byteSize(log.bytes)}</span>
          <span className="log-redacted">
            <RedactedIcon redacted={log.redacted} /> {redactedWord(log.redacted)}
          </span>
        </p>
        <p className="log-from dim">
          <Shown text={fromWords(log)} />
          <span title={fullTime(log.importedAt)}>, imported {shortDate(log.importedAt)}</span>
        </p>
      </div>
      <div className="log-state" title={state.about}>
        <StateMark tone={state.tone} icon={state.icon} word={state.word} />
      </div>
      <div className="log-commands">
        <a className="button" data-kind="plain" href={address} aria-label={`Open ${name}`}>
          <Eye aria-hidden /> Open
        </a>
        <IconButton
          label={`Export ${name} again`}
          onClick={() => askExport({ log: log.id, which: 'all' })}
        >
          <FileOutput aria-hidden />
        </IconButton>
        <IconButton label={`Remove ${name}`} onClick={onRemove}>
          <Trash2 aria-hidden />
        </IconButton>
      </div>
      {(log.state !== 'whole' || log.problems.length > 0) && <Problems log={log} />}
    </li>
  )
}

const shownAtOnce = 2

/** What is missing or was left out, in sentences; the rest on demand. */
function Problems({ log: { state, problems } }: { readonly log: EventLog }) {
  const { about, tone } = logStateLabels[state]
  const all = state === 'whole' ? problems : [about, ...problems]
  const rest = all.slice(shownAtOnce)
  return (
    <div className="log-problems" data-tone={state === 'whole' ? 'missing' : tone}>
      <CircleAlert aria-hidden />
      <div>
        <Sentences of={all.slice(0, shownAtOnce)} />
        {rest.length > 0 && (
          <details>
            <summary>{counted(rest.length, 'more', 'more')}</summary>
            <Sentences of={rest} />
          </details>
        )}
      </div>
    </div>
  )
}

function Sentences({ of }: { readonly of: readonly string[] }) {
  return (
    <ul>
      {of.map((text, index) => (
        // Fixed once it was imported: their place is their identity.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>
          <Shown text={cut(text, 400)} />
        </li>
      ))}
    </ul>
  )
}

function RedactedIcon({ redacted }: { readonly redacted: boolean | null }) {
  if (redacted === null) return <ShieldQuestion aria-hidden />
  return redacted ? <ShieldCheck aria-hidden /> : <ShieldOff aria-hidden />
}

function fromWords({ app, format, exportedAt }: EventLog): string {
  const who = app === '' ? format.toUpperCase() : cut(app, 60)
  return exportedAt === null ? `from ${who}` : `from ${who}, exported ${shortDate(exportedAt)}`
}

function spanTitle({ firstAt, lastAt }: EventLog): string | undefined {
  return firstAt === null || lastAt === null
    ? undefined
    : `${fullTime(firstAt)} to ${fullTime(lastAt)}`
}
