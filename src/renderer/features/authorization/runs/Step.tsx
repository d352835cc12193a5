import type { RunStep } from '#contract/authorization.ts'
import { ReceivedMessage, SentMessage } from '../../../components/HttpMessage.tsx'
import { Masked } from '../../../components/Masked.tsx'
import { fullTime, span, utcTime } from '../../../components/text/time.ts'
import { OutcomeDisc } from './StateIcon.tsx'
import { outcomeWords } from './words.ts'

interface Props {
  readonly step: RunStep
  /** When the run began, in milliseconds since the epoch. */
  readonly start: number
}

/** One step of a run: what was done, how it went, and all that was sent and came. */
export function Step({ step, start }: Props) {
  const { word, tone } = outcomeWords(step.outcome)
  const failed = step.outcome === 'failed'
  return (
    <li className="step" data-kind={step.kind} data-outcome={step.outcome} data-tone={tone}>
      <span className="step-sign">
        <OutcomeDisc outcome={step.outcome} />
      </span>
      <div className="step-main">
        <p className="step-head">
          <b>
            <Masked text={step.title} />
          </b>
          <span className="step-outcome">{word}</span>
          <span className="step-times">
            {step.took !== null && <span>took {span(step.took)}</span>}
            <time className="mono" dateTime={utcTime(step.at)} title={fullTime(step.at)}>
              +{span(Math.max(0, step.at - start))}
            </time>
          </span>
        </p>
        {step.detail !== null && (
          <p className="step-detail">
            <Masked text={step.detail} />
          </p>
        )}
        {step.facts.length > 0 && (
          <table className="facts" aria-label="Facts">
            <tbody>
              {step.facts.map(({ name, value }, index) => (
                // A name may come twice: the place tells them apart.
                // oxlint-disable-next-line react/no-array-index-key
                <tr key={index}>
                  <th scope="row">
                    <Masked text={name} />
                  </th>
                  <td className="mono selectable">
                    {value === '' ? <em className="dim">empty</em> : <Masked text={value} />}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {step.request && <SentMessage request={step.request} open={failed} />}
        {step.answer && (
          <ReceivedMessage answer={step.answer} timings={step.timings} open={failed} />
        )}
      </div>
    </li>
  )
}
