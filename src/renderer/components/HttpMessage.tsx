import { ChevronRight } from 'lucide-react'
import type { ReceivedAnswer, SentRequest, Timings } from '#contract/http.ts'
import type { Header } from '#contract/models.ts'
import { Masked } from './Masked.tsx'
import { prettyJson } from '#contract/json-text.ts'
import { byteSize } from './text/numbers.ts'
import { span } from './text/time.ts'
import { Shown } from './Shown.tsx'
import './HttpMessage.css'

interface RequestProps {
  readonly request: SentRequest
  readonly open?: boolean
}

/** A request as it was sent, folded to its first line. */
export function SentMessage({ request, open }: RequestProps) {
  return (
    <details className="http" open={open}>
      <summary>
        <ChevronRight aria-hidden className="http-fold" />
        <span className="http-word">Sent</span>
        <span className="mono http-line">
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

interface AnswerProps {
  readonly answer: ReceivedAnswer
  readonly timings: Timings | null
  readonly open?: boolean
}

/** An answer as it came, folded to its first line. */
export function ReceivedMessage({ answer, timings, open }: AnswerProps) {
  return (
    <details className="http" open={open}>
      <summary>
        <ChevronRight aria-hidden className="http-fold" />
        <span className="http-word">Came</span>
        <span className="mono http-line">
          <b data-tone={toneOf(answer.status)} className="http-status">
            {answer.status}
          </b>{' '}
          <Shown text={answer.statusText} />
        </span>
        <span className="http-size dim">
          {byteSize(answer.bytes)}
          {timings && `, ${span(timings.total)}`}
        </span>
      </summary>
      {timings && <Phases timings={timings} />}
      <HeaderLines headers={answer.headers} label="Headers that came" />
      <Body
        text={answer.body}
        none={answer.bytes === 0 ? 'No body came.' : 'The body is not text.'}
        label="Body that came"
      />
      {answer.truncated && (
        <p className="http-note">
          More came than is kept: this is the beginning of {byteSize(answer.bytes)}.
        </p>
      )}
    </details>
  )
}

function toneOf(status: number): 'valid' | 'missing' | 'invalid' {
  if (status >= 200 && status < 300) return 'valid'
  return status < 400 ? 'missing' : 'invalid'
}

function HeaderLines({ headers, label }: { headers: readonly Header[]; label: string }) {
  if (headers.length === 0) return null
  return (
    <dl className="http-headers mono selectable" aria-label={label}>
      {headers.map(([name, value], index) => (
        // Names repeat; the place on the wire is what tells two apart.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index}>
          <dt>
            <Shown text={name} />
          </dt>
          <dd>
            <Masked text={value} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Body(props: { readonly text: string | null; readonly none: string; label: string }) {
  const { text, none, label } = props
  if (text === null || text === '') return <p className="http-note">{none}</p>
  return (
    <pre className="http-body mono selectable" aria-label={label}>
      <Masked text={prettyJson(text) ?? text} lines />
    </pre>
  )
}

function Phases({ timings }: { readonly timings: Timings }) {
  const phases = [
    ['DNS', timings.dns],
    ['connect', timings.connect],
    ['TLS', timings.tls],
    ['first byte', timings.firstByte],
    ['total', timings.total],
  ] as const
  return (
    <ul className="http-phases" aria-label="Timing">
      {phases.map(
        ([name, ms]) =>
          ms !== null && (
            <li key={name}>
              {name} <b>{span(ms)}</b>
            </li>
          ),
      )}
    </ul>
  )
}
