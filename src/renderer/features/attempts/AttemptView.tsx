import { ShieldCheck, ShieldOff } from 'lucide-react'
import { type ReactNode, useCallback, useState } from 'react'
import type { Timings } from '#contract/http.ts'
import { type Attempt, keptAnswerBytes } from '#contract/sending.ts'
import { CopyButton } from '../../components/CopyButton.tsx'
import { Note } from '../../components/Note.tsx'
import { PhaseBar } from '../../components/PhaseBar.tsx'
import { Segments } from '../../components/Segments.tsx'
import { Shown } from '../../components/Shown.tsx'
import { byteSize } from '../../components/text/numbers.ts'
import { clockTimeSeconds, fullTime, span, utcTime } from '../../components/text/time.ts'
import { cut } from '../../components/text/visible.ts'
import { copyText } from '../../platform/clipboard.ts'
import { KindMark, OutcomeMark, VerdictAgainst } from './AttemptMarks.tsx'
import { marksOf, signingSentence } from './labels.ts'
import './Attempts.css'
import { HeaderTable } from '../../components/HeaderTable.tsx'
import type { Header } from '#contract/models.ts'
import { useClient } from '../../platform/use-client.ts'
import { BodyView } from '../body/BodyView.tsx'
import { isEncoded } from '../body/is-encoded.ts'
import { useLog } from '../deliveries/scope/scope.ts'
import { type ReadSlice, useBody } from '../body/use-body.ts'

const words = { tree: 'Pretty', text: 'Raw', hex: 'Bytes' } as const
/** Bytes up to which a few lines are all there is to see. */
const short = 300

interface MessageBodyProps {
  readonly attemptId: number
  readonly which: 'request' | 'answer'
  readonly headers: readonly Header[]
  /** Bytes of body that were sent or came, and that are kept. */
  readonly bytes: number
  readonly bytesKept: number
}

/** The body of one side of an attempt. Keyed by attempt and side. */
function MessageBody({ attemptId, which, headers, bytes, bytesKept }: MessageBodyProps) {
  const client = useClient()
  const log = useLog()
  const encoded = isEncoded(headers)
  const read: ReadSlice = useCallback(
    (slice) => client.call('attempts.body', { id: attemptId, log, which, ...slice }),
    [attemptId, client, log, which],
  )
  const source = useBody(read, { encoded })
  return (
    <div className="attempt-body" data-short={bytesKept <= short || undefined}>
      <BodyView
        source={source}
        encoded={encoded}
        words={words}
        none="Only the head was sent."
        after={bytesKept < bytes && `, of ${byteSize(bytes)} that came only this was kept`}
      />
    </div>
  )
}

/** The request as it went out: order, case and duplicates of its headers. */
function SentSide({ attempt }: { readonly attempt: Attempt }) {
  const { request, requestBytes } = attempt
  return (
    <div className="attempt-side" role="group" aria-label="Request as sent">
      <p className="request-line mono selectable">
        <b>
          <Shown text={cut(attempt.method, 60)} />
        </b>{' '}
        <Shown text={cut(request.target, 2000)} /> <span className="dim">HTTP/1.1</span>
      </p>
      <HeaderTable label="Headers sent" nameWord="Name, as sent" headers={request.headers} />
      {requestBytes === 0 ? (
        <p className="dim">No body was sent.</p>
      ) : (
        <MessageBody
          key={`${attempt.id} request`}
          attemptId={attempt.id}
          which="request"
          headers={request.headers}
          bytes={requestBytes}
          bytesKept={requestBytes}
        />
      )}
      {request.trailers.length > 0 && (
        <>
          <h3 className="section-title">Trailers, after the body</h3>
          <HeaderTable label="Trailers sent" nameWord="Name, as sent" headers={request.trailers} />
        </>
      )}
    </div>
  )
}

/** What came back. */
function AnswerSide({ attempt }: { readonly attempt: Attempt }) {
  const { answer, answerBytes } = attempt
  if (answer === null) return <p className="dim">No answer came.</p>
  return (
    <div className="attempt-side" role="group" aria-label="Answer">
      <p className="request-line mono selectable">
        <span className="dim">HTTP/{answer.httpVersion.replace(/^HTTP\//i, '')}</span>{' '}
        <b>{answer.status}</b> <Shown text={cut(answer.statusText, 200)} />
      </p>
      {answer.bytesKept < answerBytes && (
        <Note tone="missing">
          More came than is kept: the first {byteSize(answer.bytesKept)} of {byteSize(answerBytes)}.
          An answer is kept up to {byteSize(keptAnswerBytes)}.
        </Note>
      )}
      {answer.bytesKept === 0 ? (
        <p className="dim">No body came.</p>
      ) : (
        <MessageBody
          key={`${attempt.id} answer`}
          attemptId={attempt.id}
          which="answer"
          headers={answer.headers}
          bytes={answerBytes}
          bytesKept={answer.bytesKept}
        />
      )}
      <HeaderTable label="Headers of the answer" headers={answer.headers} />
    </div>
  )
}

type Side = 'answer' | 'request'

interface Props {
  readonly attempt: Attempt
  /** What can be done with it, at the end of the bar. */
  readonly actions?: ReactNode
}

/** One attempt: what came of it, where the time went, what went out, and what came back. */
export function AttemptView({ attempt, actions }: Props) {
  const { answer, error, notes, timings } = attempt
  const [chosen, setChosen] = useState<Side>('answer')
  const side = answer === null ? 'request' : chosen
  return (
    <section className="attempt" aria-label={`Attempt ${attempt.id}`}>
      <header className="attempt-head">
        <h3>
          <OutcomeMark row={attempt} />
        </h3>
        <VerdictAgainst row={attempt} />
        <ul className="attempt-facts">
          <li>
            <b>{span(attempt.took)}</b>
          </li>
          {answer !== null && <li>{byteSize(attempt.answerBytes)}</li>}
          <li>
            <time dateTime={utcTime(attempt.at)} title={fullTime(attempt.at)}>
              {clockTimeSeconds(attempt.at)}
            </time>
          </li>
        </ul>
        {timings !== null && isMeasured(timings) && <PhaseBar timings={timings} />}
      </header>
      {error !== null && (
        <Note tone="invalid" alert>
          <Shown text={error.message} />
        </Note>
      )}
      {attempt.tlsVerified === false && (
        <Note tone="missing">
          <b>Not verified:</b> whose certificate it was, nobody looked at. That was chosen for this
          target, and anyone between could have read this.
        </Note>
      )}
      {notes.map((note) => (
        <Note key={note} tone="info">
          <Shown text={note} />
        </Note>
      ))}
      <div className="attempt-bar">
        {answer === null ? (
          <h4>Request as sent</h4>
        ) : (
          <Segments
            label="Show of the attempt"
            value={side}
            options={[
              { value: 'answer', label: 'Answer' },
              { value: 'request', label: 'Request as sent' },
            ]}
            onChange={setChosen}
          />
        )}
        {actions}
      </div>
      {side === 'answer' ? <AnswerSide attempt={attempt} /> : <SentSide attempt={attempt} />}
      <Facts attempt={attempt} />
    </section>
  )
}

/** Whether anything but the whole is known of where the time went. */
function isMeasured({ dns, connect, tls, firstByte }: Timings): boolean {
  return [dns, connect, tls, firstByte].some((phase) => phase !== null)
}

function Facts({ attempt }: { readonly attempt: Attempt }) {
  const { url, remoteAddress, reused, tlsVerified, jobId } = attempt
  return (
    <dl className="attempt-about">
      <dt>To</dt>
      <dd>
        <span className="mono selectable">
          <Shown text={cut(url, 2000)} />
        </span>
        <CopyButton text={url} label="Copy address" copy={copyText} />
      </dd>
      {remoteAddress !== null && (
        <>
          <dt>Connected</dt>
          <dd>
            <span className="mono selectable">{remoteAddress}</span>
            {reused && <span className="dim">over a connection that was there already</span>}
            {tlsVerified !== null && (
              <span className="tag" data-tone={tlsVerified ? 'valid' : 'missing'}>
                {tlsVerified ? <ShieldCheck aria-hidden /> : <ShieldOff aria-hidden />}
                {tlsVerified ? 'certificate verified' : 'certificate not verified'}
              </span>
            )}
          </dd>
        </>
      )}
      <dt>How</dt>
      <dd>
        <KindMark kind={attempt.kind} />
        {marksOf(attempt).map((mark) => (
          <span key={mark} className="tag">
            {mark}
          </span>
        ))}
        {jobId !== null && <a href={`#/jobs/${jobId}`}>in job {jobId}</a>}
      </dd>
      <dt>Signature</dt>
      <dd>
        <Shown text={signingSentence(attempt)} />
      </dd>
    </dl>
  )
}
