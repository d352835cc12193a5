import { formatSize, formatDuration } from '#shared/text/format.ts'
import { Fragment } from 'react'
import { Icons } from './icons.tsx'
import type { ReceivedResponse, SentRequest, Timings } from '#contract/http.ts'
import type { Header } from '#contract/models.ts'
import { Text, Row } from './Layout.tsx'
import { Masked } from './Masked.tsx'
import { PhaseBar } from './PhaseBar.tsx'
import { statusTone } from './text/status.ts'
import { prettyJson } from '#shared/json/format.ts'
import { Shown } from './Shown.tsx'
import './HttpMessage.css'

interface RequestProps {
  readonly request: SentRequest
  readonly open?: boolean
}

/** A sent request, collapsed to its first line. */
export function SentMessage({ request, open }: RequestProps) {
  return (
    <details className="http framed" open={open}>
      <Row as="summary" align="baseline" gap={4}>
        <Icons.ChevronRight className="http-fold" />
        <span className="size-s fixed dim">Sent</span>
        <Text grow shrink anywhere mono>
          <b>
            <Shown text={request.method} />
          </b>{' '}
          <Masked text={request.url} />
        </Text>
      </Row>
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
    <details className="http framed" open={open}>
      <Row as="summary" align="baseline" gap={4}>
        <Icons.ChevronRight className="http-fold" />
        <span className="size-s fixed dim">Received</span>
        <Text grow shrink anywhere mono>
          <Text as="b" tone="state" data-tone={statusTone(response.status)}>
            {response.status}
          </Text>{' '}
          <Shown text={response.statusText} />
        </Text>
        <Text fixed size="s" tone="dim">
          {formatSize(response.bytes)}
          {timings && `, ${formatDuration(timings.totalMs)}`}
        </Text>
      </Row>
      {timings && <PhaseBar timings={timings} />}
      <HeaderLines headers={response.headers} label="Headers received" />
      <Body
        text={response.body}
        none={response.bytes === 0 ? 'No body received.' : 'The body is not text.'}
        label="Body received"
      />
      {response.truncated && (
        <p className="dim">Truncated. This is the start of {formatSize(response.bytes)}.</p>
      )}
    </details>
  )
}

function HeaderLines({ headers, label }: { headers: readonly Header[]; label: string }) {
  if (headers.length === 0) return null
  return (
    <dl className="definitions mono selectable" aria-label={label}>
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
  if (text === null || text === '') return <p className="dim">{none}</p>
  return (
    <pre className="http-body scroll anywhere mono selectable" aria-label={label}>
      <Masked text={prettyJson(text) ?? text} lines />
    </pre>
  )
}
