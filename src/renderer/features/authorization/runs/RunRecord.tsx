import { Check, GitCompareArrows, SquareTerminal } from 'lucide-react'
import type { Run, RunStep, RunSummary } from '#contract/authorization.ts'
import { Findings } from '../../../components/Findings.tsx'
import { Masked, SecretsOf } from '../../../components/Masked.tsx'
import {
  clockTimeSeconds,
  fullTime,
  shortDate,
  span,
  utcTime,
} from '../../../components/text/time.ts'
import { useClient } from '../../../platform/use-client.ts'
import { useEditable } from '../../deliveries/scope/scope.ts'
import { addressOf } from '../address.ts'
import { FailurePanel } from './FailurePanel.tsx'
import { OutcomeDisc, RunStateMark } from './StateIcon.tsx'
import { agentLabel, stepOutcomeLabel, runLabel } from './labels.ts'
import './RunRecord.css'
import { Shown } from '../../../components/Shown.tsx'
import { useNow } from '../../../components/use-now.ts'
import { useAuthorization } from '../store.ts'
import { shortLeft, stateAt } from '../tokens/lifetime.ts'
import { TokenStateMark } from '../tokens/StateIcon.tsx'
import { ReceivedMessage, SentMessage } from '../../../components/HttpMessage.tsx'

interface Props {
  readonly run: Run
  /** What it can be compared with. */
  readonly others: readonly RunSummary[]
}

/** What happened in a run, step by step. Of a log or an exported page it is only shown. */
export function RunRecord({ run, others }: Props) {
  const client = useClient()
  const editable = useEditable()
  const earlier = others.filter((other) => other.id < run.id && other.kind === run.kind)
  const name = run.kind === 'refresh' ? 'Refresh' : 'Authorization'
  return (
    <SecretsOf
      heldBack={run.heldBack}
      reveal={
        editable
          ? async (secret) => {
              const wanted = { runId: run.id, name: secret }
              return (await client.call('authorization.reveal', wanted)).value
            }
          : null
      }
    >
      <article className="record" aria-label={`${name}, run ${run.id}`} data-testid="run-record">
        <header className="record-head">
          <div>
            <h2>
              {name} <span className="record-id">run {run.id}</span>
            </h2>
            <p className="record-facts">
              <RunStateMark run={run} />
              <time dateTime={utcTime(run.startedAt)} title={fullTime(run.startedAt)}>
                {fullTime(run.startedAt).replace(/\.\d+ GMT.*/, '')}
              </time>
              {run.kind === 'authorize' && <span>{agentLabel(run.agent)}</span>}
              {run.endedAt !== null && <span>took {span(run.endedAt - run.startedAt)}</span>}
            </p>
          </div>
          {earlier.length > 0 && <CompareWith run={run} earlier={earlier} />}
        </header>
        {run.failure && <FailurePanel run={run} failure={run.failure} />}
        {run.state === 'succeeded' && <OutcomePanel run={run} />}
        {run.findings.length > 0 && (
          <>
            <h3 className="record-title">What departs from the document</h3>
            <Findings findings={run.findings} />
          </>
        )}
        <h3 className="record-title">Step by step</h3>
        <ol className="timeline" aria-label="Steps of the run">
          {run.steps.map((step, index) => (
            // Steps are only ever added: their place is their identity.
            // oxlint-disable-next-line react/no-array-index-key
            <Step key={index} step={step} start={run.startedAt} />
          ))}
        </ol>
      </article>
    </SecretsOf>
  )
}

interface CompareProps {
  readonly run: Run
  readonly earlier: readonly RunSummary[]
}

function CompareWith({ run, earlier }: CompareProps) {
  return (
    <label className="compare-with">
      <GitCompareArrows aria-hidden />
      <span className="visually-hidden">Compare with an earlier run</span>
      <select
        value=""
        onChange={(event) =>
          location.assign(
            addressOf({ name: 'runs', runId: run.id, against: Number(event.target.value) }),
          )
        }
      >
        <option value="" disabled>
          Compare with…
        </option>
        {earlier.map((other) => (
          <option key={other.id} value={other.id}>
            Run {other.id}, {runLabel(other).word.toLowerCase()}, {shortDate(other.startedAt)}:
            {clockTimeSeconds(other.startedAt).slice(-2)}
          </option>
        ))}
      </select>
    </label>
  )
}

/** What came of a run that succeeded: the token, and what one does with it. */
function OutcomePanel({ run }: { readonly run: Run }) {
  const editable = useEditable()
  // A log's tokens have numbers of their own.
  const token = useAuthorization(({ tokens }) =>
    editable ? tokens.find(({ id }) => id === run.tokenId) : undefined,
  )
  const now = useNow()
  return (
    <section className="outcome" data-tone="valid" aria-label="What came of it">
      <Check aria-hidden />
      {token ? (
        <p>
          <strong>{run.kind === 'refresh' ? 'The token is a new one.' : 'A token came.'}</strong>{' '}
          <span className="mono">…{<Shown text={token.ending ?? ''} />}</span>{' '}
          {token.label !== '' && (
            <>
              for <Shown text={token.label} />
            </>
          )}{' '}
          <TokenStateMark state={stateAt(token, now)} />{' '}
          <span className="mid">{shortLeft(token, now)}</span>
        </p>
      ) : (
        <p>
          <strong>A token came.</strong>
          {editable && ' It has been deleted here since.'}
        </p>
      )}
      {token && (
        <div className="line-actions">
          <a className="button" href={`#/console?token=${token.id}`}>
            <SquareTerminal aria-hidden />
            Call with it
          </a>
          <a className="button" href={addressOf({ name: 'tokens', tokenId: token.id })}>
            Show the token
          </a>
        </div>
      )}
    </section>
  )
}

interface StepProps {
  readonly step: RunStep
  /** When the run began, in milliseconds since the epoch. */
  readonly start: number
}

/** One step of a run: what was done, how it went, and all that was sent and came. */
function Step({ step, start }: StepProps) {
  const { word, tone } = stepOutcomeLabel(step.outcome)
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
