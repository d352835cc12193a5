import { formatSize, formatDuration } from '#shared/text/format.ts'
import { Icons } from '#kit/icons.tsx'
import { type ReactNode, useCallback, useState } from 'react'
import { keptResponseBytes } from '#contract/constants.ts'
import type { Attempt } from '#contract/sending.ts'
import { CopyButton } from '#kit/Button.tsx'
import { Note } from '#kit/Note.tsx'
import { PhaseBar } from '#parts/exchange/PhaseBar.tsx'
import { Segments } from '#kit/Switch.tsx'
import { Shown } from '#kit/Shown.tsx'
import { KindMark, OutcomeMark, VerdictAgainst } from './AttemptList.tsx'
import { marksOf, signingSentence } from './labels.ts'
import './Attempts.css'
import { HeaderTable } from '#parts/exchange/HeaderTable.tsx'
import { ClockTime } from '#kit/Time.tsx'
import type { Header } from '#contract/models.ts'
import { useClient } from '#client/use-client.ts'
import { BodyView } from '#parts/body/BodyView.tsx'
import { isEncoded, type ReadSlice, useBody } from '#parts/body/use-body.ts'
import { useLog } from '#client/state/scope.ts'

/** Bodies up to this many bytes get a compact view. */
const short = 300

type Side = 'response' | 'request'

interface MessageBodyProps {
  attempt: Attempt
  which: Side
  headers: readonly Header[]
  /** Stored bytes of the body. */
  bytesKept: number
}

function MessageBody({ attempt, which, headers, bytesKept }: MessageBodyProps) {
  const { id, requestBytes, responseBytes } = attempt
  const client = useClient()
  const log = useLog()
  const encoded = isEncoded(headers)
  const bytes = which === 'request' ? requestBytes : responseBytes
  const read: ReadSlice = useCallback(
    (slice) => client.call('attempts.body', { id, log, which, ...slice }),
    [id, client, log, which],
  )
  const source = useBody(read, { encoded })
  return (
    <div
      className="grid data-short:h-(--measure-aside)"
      data-short={bytesKept <= short || undefined}
    >
      <BodyView
        source={source}
        encoded={encoded}
        words={{ tree: 'Pretty', text: 'Raw', hex: 'Bytes' }}
        none="Only the request head was sent."
        after={bytesKept < bytes && `, truncated from ${formatSize(bytes)}`}
      />
    </div>
  )
}

function SentSide({ attempt }: { attempt: Attempt }) {
  const { request, requestBytes } = attempt
  return (
    <div className="grid min-w-0 gap-4" role="group" aria-label="Request as sent">
      <p className="mono wrap-anywhere select-text">
        <b>
          <Shown text={attempt.method} max={60} />
        </b>{' '}
        <Shown text={request.target} max={2000} /> <span className="text-dim">HTTP/1.1</span>
      </p>
      <HeaderTable label="Headers sent" nameWord="Name as sent" headers={request.headers} />
      {requestBytes === 0 ? (
        <p className="text-dim">No body was sent.</p>
      ) : (
        <MessageBody
          key={`${attempt.id} request`}
          attempt={attempt}
          which="request"
          headers={request.headers}
          bytesKept={requestBytes}
        />
      )}
      {request.trailers.length > 0 && (
        <>
          <h3 className="section-title">Trailers, after the body</h3>
          <HeaderTable label="Trailers sent" nameWord="Name as sent" headers={request.trailers} />
        </>
      )}
    </div>
  )
}

function ResponseSide({ attempt }: { attempt: Attempt }) {
  const { response, responseBytes } = attempt
  if (response === null) return <p className="text-dim">No response received.</p>
  return (
    <div className="grid min-w-0 gap-4" role="group" aria-label="Response">
      <p className="mono wrap-anywhere select-text">
        <span className="text-dim">HTTP/{response.httpVersion.replace(/^HTTP\//i, '')}</span>{' '}
        <b>{response.status}</b> <Shown text={response.statusText} max={200} />
      </p>
      {response.storedBytes < responseBytes && (
        <Note tone="warning">
          Truncated: the first {formatSize(response.storedBytes)} of {formatSize(responseBytes)} are
          stored. The limit is {formatSize(keptResponseBytes)}.
        </Note>
      )}
      {response.storedBytes === 0 ? (
        <p className="text-dim">The response has no body.</p>
      ) : (
        <MessageBody
          key={`${attempt.id} answer`}
          attempt={attempt}
          which="response"
          headers={response.headers}
          bytesKept={response.storedBytes}
        />
      )}
      <HeaderTable label="Response headers" headers={response.headers} />
    </div>
  )
}

/** The phases of which a bar tells more than the total. */
const measured = ['dnsMs', 'connectMs', 'tlsMs', 'firstByteMs'] as const

/** One attempt: its result, timing, request and response. */
export function AttemptView({ attempt, actions }: { attempt: Attempt; actions?: ReactNode }) {
  const { response, error, notes, timings } = attempt
  const [selectedSide, setSelectedSide] = useState<Side>('response')
  const side = response === null ? 'request' : selectedSide
  return (
    <section className="grid min-w-0 gap-5" aria-label={`Attempt ${attempt.id}`}>
      <header className="attempt-head flex flex-wrap items-center gap-3 gap-x-5">
        <h3 className="inline-flex text-m">
          <OutcomeMark row={attempt} />
        </h3>
        <VerdictAgainst row={attempt} />
        <ul className="dotted flex flex-wrap text-s text-mid">
          <li>
            <b>{formatDuration(attempt.durationMs)}</b>
          </li>
          {response !== null && <li>{formatSize(attempt.responseBytes)}</li>}
          <li>
            <ClockTime at={attempt.sentAt} isRounded />
          </li>
        </ul>
        {timings !== null && measured.some((phase) => timings[phase] !== null) && (
          <PhaseBar timings={timings} failedUrl={error === null ? null : attempt.url} />
        )}
      </header>
      {error !== null && (
        <Note tone="invalid" alert>
          <Shown text={error.message} />
        </Note>
      )}
      {attempt.tlsVerified === false && (
        <Note tone="warning">
          <b>Not verified:</b> TLS verification was off for this target, so others on the network
          path could have read this request.
        </Note>
      )}
      {notes.map((note) => (
        <Note key={note} tone="info">
          <Shown text={note} />
        </Note>
      ))}
      <div className="flex flex-wrap items-center justify-between gap-4">
        {response === null ? (
          <h4>Request as sent</h4>
        ) : (
          <Segments
            label="Parts of the attempt"
            value={side}
            options={[
              { value: 'response', label: 'Response' },
              { value: 'request', label: 'Request as sent' },
            ]}
            onChange={setSelectedSide}
          />
        )}
        {actions}
      </div>
      {side === 'response' ? <ResponseSide attempt={attempt} /> : <SentSide attempt={attempt} />}
      <Facts attempt={attempt} />
    </section>
  )
}

function Facts({ attempt }: { attempt: Attempt }) {
  const { url, remoteAddress, reusedConnection, tlsVerified, jobId } = attempt
  return (
    <dl className="definitions text-s">
      <dt>To</dt>
      <dd>
        <span className="mono select-text">
          <Shown text={url} max={2000} />
        </span>
        <CopyButton text={url} label="Copy address" />
      </dd>
      {remoteAddress !== null && (
        <>
          <dt>Connected</dt>
          <dd>
            <span className="mono select-text">{remoteAddress}</span>
            {reusedConnection && <span className="text-dim">over an existing connection</span>}
            {tlsVerified && (
              <span className="tag" data-tone="valid">
                <Icons.ShieldCheck /> certificate verified
              </span>
            )}
          </dd>
        </>
      )}
      <dt>Sent as</dt>
      <dd>
        <KindMark kind={attempt.kind} />
        {marksOf(attempt).map((mark) => (
          <span key={mark} className="tag">
            {mark}
          </span>
        ))}
        {jobId !== null && <a href={`#/send/history/${jobId}`}>in job {jobId}</a>}
      </dd>
      <dt>Signature</dt>
      <dd>
        <Shown text={signingSentence(attempt)} />
      </dd>
    </dl>
  )
}
