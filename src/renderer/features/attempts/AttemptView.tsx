import { ShieldCheck, ShieldOff } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { Timings } from '#contract/http.ts'
import type { Attempt } from '#contract/sending.ts'
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
import { AnswerSide, SentSide } from './AttemptSides.tsx'
import { marksOf, signingSentence } from './words.ts'
import './Attempts.css'

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
