import { GitCompareArrows } from 'lucide-react'
import type { Run, RunSummary } from '#contract/authorization.ts'
import { Findings } from '../../../components/Findings.tsx'
import { SecretsOf } from '../../../components/Masked.tsx'
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
import { OutcomePanel } from './OutcomePanel.tsx'
import { RunStateMark } from './StateIcon.tsx'
import { Step } from './Step.tsx'
import { agentWords, runWords } from './words.ts'
import './RunRecord.css'

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
              {run.kind === 'authorize' && <span>{agentWords(run.agent)}</span>}
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
            Run {other.id}, {runWords(other).word.toLowerCase()}, {shortDate(other.startedAt)}:
            {clockTimeSeconds(other.startedAt).slice(-2)}
          </option>
        ))}
      </select>
    </label>
  )
}
