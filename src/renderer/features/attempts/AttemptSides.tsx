import type { Attempt } from '#contract/sending.ts'
import { keptAnswerBytes } from '#contract/sending.ts'
import { HeaderTable } from '../../components/HeaderTable.tsx'
import { Note } from '../../components/Note.tsx'
import { Shown } from '../../components/Shown.tsx'
import { byteSize } from '../../components/text/numbers.ts'
import { cut } from '../../components/text/visible.ts'
import { MessageBody } from './MessageBody.tsx'

/** The request as it went out: order, case and duplicates of its headers. */
export function SentSide({ attempt }: { readonly attempt: Attempt }) {
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
export function AnswerSide({ attempt }: { readonly attempt: Attempt }) {
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
