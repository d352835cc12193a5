import { Check, CornerUpRight, Info, Unplug, X } from 'lucide-react'
import type { ApiExchange } from '#contract/api.ts'
import { byteSize } from '../../components/text/numbers.ts'
import { clockTimeSeconds, fullTime, span, utcTime } from '../../components/text/time.ts'
import { cut, visible } from '../../components/text/visible.ts'
import { PhaseBar } from '../../components/PhaseBar.tsx'
import type { StatusTone } from '../../components/text/status.ts'
import { statusTone, statusWord } from '../../components/text/status.ts'

/** Status, time, size and version of what came. */
export function AnswerHead({ exchange }: { readonly exchange: ApiExchange }) {
  const last = exchange.hops.at(-1)
  const answer = last?.answer ?? null
  const tone = answer === null ? 'invalid' : statusTone(answer.status)
  const own = answer?.statusText.trim() ?? ''
  return (
    <header className="answer-head">
      <h2 data-tone={tone}>
        {answer === null ? <Unplug aria-hidden /> : <StatusIcon tone={tone} />}
        {answer === null ? (
          'No answer'
        ) : (
          <>
            <span className="answer-status">{answer.status}</span>{' '}
            <span title={own === '' ? 'The answer gave no word of its own' : undefined}>
              {own === '' ? statusWord(answer.status) : visible(cut(own, 60))}
            </span>
          </>
        )}
      </h2>
      <ul className="answer-facts">
        <li>
          <b>{span(exchange.took)}</b>
          {exchange.hops.length > 1 && ` in ${exchange.hops.length} requests`}
        </li>
        {answer !== null && (
          <>
            <li>{byteSize(answer.bytes)}</li>
            <li>HTTP/{visible(answer.httpVersion.replace(/^HTTP\//i, ''))}</li>
          </>
        )}
        <li>
          <time dateTime={utcTime(exchange.at)} title={fullTime(exchange.at)}>
            {clockTimeSeconds(exchange.at)}
          </time>
        </li>
      </ul>
      {last?.timings && <PhaseBar timings={last.timings} />}
    </header>
  )
}

/** Shapes differ as well as colours. */
function StatusIcon({ tone }: { readonly tone: StatusTone }) {
  switch (tone) {
    case 'valid':
      return <Check aria-hidden strokeWidth={2.6} />
    case 'info':
      return <Info aria-hidden />
    case 'missing':
      return <CornerUpRight aria-hidden />
    case 'invalid':
      return <X aria-hidden strokeWidth={2.6} />
  }
}
