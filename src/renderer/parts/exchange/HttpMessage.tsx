import { formatSize, formatDuration } from '#shared/text/format.ts'
import { Fragment, type ReactNode } from 'react'
import { Icons } from '#kit/icons.tsx'
import type { ReceivedResponse, SentRequest, Timings } from '#contract/http.ts'
import type { Header } from '#contract/models.ts'
import { Masked } from '#kit/Masked.tsx'
import { PhaseBar } from './PhaseBar.tsx'
import { statusTone } from '#kit/text/status.ts'
import { prettyJson } from '#shared/json/format.ts'
import { Shown } from '#kit/Shown.tsx'

interface MessageProps {
  open: boolean | undefined
  word: string
  /** The first line of the message, and what it took. */
  summary: ReactNode
  aside?: string
  children: ReactNode
}

/** A message, collapsed to its first line. */
function Message({ open, word, summary, aside, children }: MessageProps) {
  return (
    <details
      className="http framed rounded-md [&>:not(summary)]:border-t [&>:not(summary)]:border-t-line-soft [&>:not(summary)]:px-5 [&>:not(summary)]:py-4 [&>:not(summary)]:text-s [&>summary]:list-none [&>summary]:rounded-md [&>summary]:px-4 [&>summary]:py-2 open:[&>summary_.http-fold]:rotate-90 [&>summary:hover]:bg-hover"
      open={open}
    >
      <summary className="baseline flex gap-4">
        <Icons.ChevronRight className="http-fold self-center text-dim [transition:rotate_var(--ease)]" />
        <span className="flex-none text-s text-dim">{word}</span>
        <span className="mono min-h-0 min-w-0 flex-1 wrap-anywhere">{summary}</span>
        <span className="flex-none text-s text-dim empty:hidden">{aside}</span>
      </summary>
      {children}
    </details>
  )
}

export function SentMessage({ request, open }: { request: SentRequest; open?: boolean }) {
  return (
    <Message
      open={open}
      word="Sent"
      summary={
        <>
          <b>
            <Shown text={request.method} />
          </b>{' '}
          <Masked text={request.url} />
        </>
      }
    >
      <HeaderLines headers={request.headers} label="Headers sent" />
      <Body text={request.body} none="No body was sent." label="Body sent" />
    </Message>
  )
}

interface ResponseProps {
  response: ReceivedResponse
  timings: Timings | null
  open?: boolean
}

export function ReceivedMessage({ response, timings, open }: ResponseProps) {
  const { status, statusText, headers, body, bytes, truncated } = response
  return (
    <Message
      open={open}
      word="Received"
      summary={
        <>
          <b className="text-tone" data-tone={statusTone(status)}>
            {status}
          </b>{' '}
          <Shown text={statusText} />
        </>
      }
      aside={`${formatSize(bytes)}${timings ? `, ${formatDuration(timings.totalMs)}` : ''}`}
    >
      {timings && <PhaseBar timings={timings} />}
      <HeaderLines headers={headers} label="Headers received" />
      <Body
        text={body}
        none={bytes === 0 ? 'No body received.' : 'The body is not text.'}
        label="Body received"
      />
      {truncated && (
        <p className="text-dim">Truncated. This is the start of {formatSize(bytes)}.</p>
      )}
    </Message>
  )
}

function HeaderLines({ headers, label }: { headers: readonly Header[]; label: string }) {
  if (headers.length === 0) return null
  return (
    <dl className="definitions mono select-text" aria-label={label}>
      {headers.map(([name, value], index) => (
        // Names can repeat, so the index is the key.
        // oxlint-disable-next-line react/no-array-index-key
        <Fragment key={index}>
          <dt>
            <Shown text={name} />
          </dt>
          <dd>
            <Masked text={value} />
          </dd>
        </Fragment>
      ))}
    </dl>
  )
}

function Body(props: { text: string | null; none: string; label: string }) {
  const { text, none, label } = props
  if (text === null || text === '') return <p className="text-dim">{none}</p>
  return (
    <pre
      className="mono max-h-(--measure-panel) overflow-auto leading-[1.6] wrap-anywhere whitespace-pre-wrap select-text"
      aria-label={label}
    >
      <Masked text={prettyJson(text) ?? text} lines />
    </pre>
  )
}
