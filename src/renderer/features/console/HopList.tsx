import { ArrowRight, KeyRound, RotateCw, Send } from 'lucide-react'
import type { ApiHop } from '#contract/api.ts'
import { SentMessage } from '../../components/HttpMessage.tsx'
import { Shown } from '../../components/Shown.tsx'
import { byteSize } from '../../components/text/numbers.ts'
import { span } from '../../components/text/time.ts'
import { cut } from '../../components/text/visible.ts'
import { AnswerHeaders } from './AnswerHeaders.tsx'
import { statusTone, statusWord } from '../../components/text/status.ts'

/** Every request on the way, the redirects that were followed and the one retry with it. */
export function HopList({ hops }: { readonly hops: readonly ApiHop[] }) {
  if (hops.length === 0) return <p className="dim">No request left.</p>
  return (
    <ol className="hops" aria-label="Requests on the way">
      {hops.map((hop, index) => (
        // The place on the way is what tells two apart.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index} className="hop">
          <Hop hop={hop} only={hops.length === 1} />
        </li>
      ))}
    </ol>
  )
}

function Hop({ hop, only }: { readonly hop: ApiHop; readonly only: boolean }) {
  const { request, answer, timings, reason, withToken } = hop
  return (
    <>
      <p className="hop-reason">
        <ReasonIcon reason={reason} />
        {reasonWord(reason)}
        <span className="tag" data-tone={withToken ? 'info' : 'unsigned'}>
          <KeyRound aria-hidden />
          {withToken ? 'with the token' : 'without the token'}
        </span>
        <span className="hop-outcome">
          {answer === null ? (
            <b data-tone="invalid">no answer</b>
          ) : (
            <b data-tone={statusTone(answer.status)}>
              {answer.status} {statusWord(answer.status)}
            </b>
          )}
          {timings !== null && <span className="dim">{span(timings.total)}</span>}
        </span>
      </p>
      <SentMessage request={request} open={only} />
      {answer !== null && !only && (
        <details className="hop-answer">
          <summary>
            Its answer, {byteSize(answer.bytes)}
            {location(hop) !== null && (
              <span className="dim mono cut">
                {' '}
                to <Shown text={cut(location(hop) ?? '', 300)} />
              </span>
            )}
          </summary>
          <AnswerHeaders label="Headers that came" headers={answer.headers} />
        </details>
      )}
    </>
  )
}

function location({ answer }: ApiHop): string | null {
  return answer?.headers.find(([name]) => name.toLowerCase() === 'location')?.[1] ?? null
}

function ReasonIcon({ reason }: { readonly reason: ApiHop['reason'] }) {
  switch (reason) {
    case 'sent':
      return <Send aria-hidden />
    case 'redirected':
      return <ArrowRight aria-hidden />
    case 'retried':
      return <RotateCw aria-hidden />
  }
}

function reasonWord(reason: ApiHop['reason']): string {
  switch (reason) {
    case 'sent':
      return 'Request'
    case 'redirected':
      return 'Redirect followed'
    case 'retried':
      return 'Tried once more after a refresh'
  }
}
