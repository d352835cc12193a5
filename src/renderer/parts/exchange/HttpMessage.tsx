import { formatSize, formatDuration } from '#shared/text/format.ts'
import { Fragment } from 'react'
import { Icons } from '#kit/icons.tsx'
import type { ReceivedResponse, SentRequest, Timings } from '#contract/http.ts'
import type { Header } from '#contract/models.ts'
import { Masked } from '#kit/Masked.tsx'
import { PhaseBar } from './PhaseBar.tsx'
import { statusTone } from '#kit/text/status.ts'
import { prettyJson } from '#shared/json/format.ts'
import { Shown } from '#kit/Shown.tsx'

interface RequestProps {
  readonly request: SentRequest
  readonly open?: boolean
}

/** A sent request, collapsed to its first line. */
export function SentMessage({ request, open }: RequestProps) {
  return (
    <details
      className="http framed rounded-md [&>:not(summary)]:border-t [&>:not(summary)]:border-t-line-soft [&>:not(summary)]:px-5 [&>:not(summary)]:py-4 [&>:not(summary)]:text-s [&>summary]:list-none [&>summary]:rounded-md [&>summary]:px-4 [&>summary]:py-2 open:[&>summary_.http-fold]:rotate-90 [&>summary:hover]:bg-hover"
      open={open}
    >
      <summary className="baseline flex gap-4">
        <Icons.ChevronRight className="http-fold self-center text-dim [transition:rotate_var(--ease)]" />
        <span className="flex-none text-s text-dim">Sent</span>
        <span className="mono min-h-0 min-w-0 flex-1 wrap-anywhere">
          <b>
            <Shown text={request.method} />
          </b>{' '}
          <Masked text={request.url} />
        </span>
      </summary>
      <HeaderLines headers={request.headers} label="Headers sent" />
      <Body text={request.body} none="No body was sent." label="Body sent" />
    </details>
  )
}

interface ResponseProps {
  readonly response: ReceivedResponse
  readonly timings: Timings | null
  readonly open?: boolean
}

/** A received response, collapsed to its first line. */
export function ReceivedMessage({ response, timings, open }: ResponseProps) {
  return (
    <details
      className="http framed rounded-md [&>:not(summary)]:border-t [&>:not(summary)]:border-t-line-soft [&>:not(summary)]:px-5 [&>:not(summary)]:py-4 [&>:not(summary)]:text-s [&>summary]:list-none [&>summary]:rounded-md [&>summary]:px-4 [&>summary]:py-2 open:[&>summary_.http-fold]:rotate-90 [&>summary:hover]:bg-hover"
      open={open}
    >
      <summary className="baseline flex gap-4">
        <Icons.ChevronRight className="http-fold self-center text-dim [transition:rotate_var(--ease)]" />
        <span className="flex-none text-s text-dim">Received</span>
        <span className="mono min-h-0 min-w-0 flex-1 wrap-anywhere">
          <b className="text-tone" data-tone={statusTone(response.status)}>
            {response.status}
          </b>{' '}
          <Shown text={response.statusText} />
        </span>
        <span className="flex-none text-s text-dim">
          {formatSize(response.bytes)}
          {timings && `, ${formatDuration(timings.totalMs)}`}
        </span>
      </summary>
      {timings && <PhaseBar timings={timings} />}
      <HeaderLines headers={response.headers} label="Headers received" />
      <Body
        text={response.body}
        none={response.bytes === 0 ? 'No body received.' : 'The body is not text.'}
        label="Body received"
      />
      {response.truncated && (
        <p className="text-dim">Truncated. This is the start of {formatSize(response.bytes)}.</p>
      )}
    </details>
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

function Body(props: { readonly text: string | null; readonly none: string; label: string }) {
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
