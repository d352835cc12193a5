import { ArrowLeft, Check, CircleMinus, EqualNot } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Run } from '#contract/authorization.ts'
import { Masked, SecretsOf } from '../../../components/Masked.tsx'
import { StateMark } from '../../../components/StateMark.tsx'
import { counted } from '../../../components/text/numbers.ts'
import { prettyJson } from '#contract/json-text.ts'
import { fullTime, span } from '../../../components/text/time.ts'
import { useClient } from '../../../platform/use-client.ts'
import { runAddress } from '../address.ts'
import { compareRuns } from './compare.ts'
import type { Difference, Pair } from './compare.ts'
import { OutcomeDisc, RunStateMark } from './StateIcon.tsx'
import { WithRun } from './WithRun.tsx'
import './Comparison.css'

/** Two runs side by side: the earlier one on the left. */
export function Comparison({ leftId, rightId }: { readonly leftId: number; rightId: number }) {
  return (
    <WithRun key={`left ${leftId}`} id={leftId}>
      {(left) => (
        <WithRun key={`right ${rightId}`} id={rightId}>
          {(right) => <SideBySide left={left} right={right} />}
        </WithRun>
      )}
    </WithRun>
  )
}

function SideBySide({ left, right }: { readonly left: Run; readonly right: Run }) {
  const pairs = compareRuns(left, right)
  const differing = pairs.filter((pair) => verdictOf(pair) !== 'same').length
  return (
    <article className="comparison" aria-label={`Run ${left.id} against run ${right.id}`}>
      <header className="comparison-head">
        <h2>
          Run {left.id} against run {right.id}
        </h2>
        <p className="mid">
          {differing === 0
            ? 'Every step is the same. Times and the state, new in each run, are left out.'
            : `${counted(differing, 'step differs', 'steps differ')} of ${pairs.length}. Times and the state, new in each run, are left out.`}
        </p>
        <a className="button" href={runAddress(right.id)}>
          <ArrowLeft aria-hidden />
          Back to run {right.id}
        </a>
      </header>
      <div className="comparison-sides">
        <Side run={left} />
        <Side run={right} />
      </div>
      <ol className="pairs" aria-label="Steps">
        {pairs.map((pair, index) => (
          // The steps of two fixed records: their place is their identity.
          // oxlint-disable-next-line react/no-array-index-key
          <PairRow key={index} pair={pair} left={left} right={right} />
        ))}
      </ol>
    </article>
  )
}

function Side({ run }: { readonly run: Run }) {
  return (
    <div className="comparison-side">
      <b>Run {run.id}</b> <RunStateMark run={run} />
      <span className="mid" title={fullTime(run.startedAt)}>
        {run.endedAt !== null && `took ${span(run.endedAt - run.startedAt)}`}
      </span>
    </div>
  )
}

function verdictOf({ left, right, differences }: Pair): 'same' | 'differs' | 'left' | 'right' {
  if (!left) return 'right'
  if (!right) return 'left'
  return differences.length > 0 ? 'differs' : 'same'
}

interface RowProps {
  readonly pair: Pair
  readonly left: Run
  readonly right: Run
}

function PairRow({ pair, left, right }: RowProps) {
  const verdict = verdictOf(pair)
  return (
    <li className="pair" data-verdict={verdict}>
      <div className="pair-steps">
        <StepName pair={pair} side="left" run={left} />
        <StepName pair={pair} side="right" run={right} />
        <PairMark verdict={verdict} left={left.id} right={right.id} />
      </div>
      {pair.differences.length > 0 && (
        <table className="differences">
          <colgroup>
            <col />
            <col />
            <col className="differences-what" />
          </colgroup>
          <thead className="visually-hidden">
            <tr>
              <th scope="col">Run {left.id}</th>
              <th scope="col">Run {right.id}</th>
              <th scope="col">What</th>
            </tr>
          </thead>
          <tbody>
            {pair.differences.map((difference) => (
              <DifferenceRow
                key={difference.what}
                difference={difference}
                left={left}
                right={right}
              />
            ))}
          </tbody>
        </table>
      )}
    </li>
  )
}

function PairMark(props: { verdict: ReturnType<typeof verdictOf>; left: number; right: number }) {
  switch (props.verdict) {
    case 'same':
      return <StateMark tone="valid" icon={Check} word="the same" />
    case 'differs':
      return <StateMark tone="missing" icon={EqualNot} word="differs" />
    case 'left':
      return <StateMark tone="info" icon={CircleMinus} word={`only in run ${props.left}`} />
    case 'right':
      return <StateMark tone="info" icon={CircleMinus} word={`only in run ${props.right}`} />
  }
}

function StepName(props: { pair: Pair; side: 'left' | 'right'; run: Run }) {
  const step = props.pair[props.side]
  if (!step) return <p className="dim">not taken</p>
  return (
    <p className="pair-step">
      <OutcomeDisc outcome={step.outcome} />
      <RunSecrets run={props.run}>
        <Masked text={step.title} />
      </RunSecrets>
    </p>
  )
}

interface DifferenceProps {
  readonly difference: Difference
  readonly left: Run
  readonly right: Run
}

function DifferenceRow({ difference, left, right }: DifferenceProps) {
  return (
    <tr>
      <Value text={difference.left} run={left} />
      <Value text={difference.right} run={right} />
      <th scope="row">
        <Masked text={difference.what} />
      </th>
    </tr>
  )
}

function Value({ text, run }: { readonly text: string | null; readonly run: Run }) {
  return (
    <td className="mono selectable">
      {text === null ? (
        <em className="dim">not there</em>
      ) : text === '' ? (
        <em className="dim">empty</em>
      ) : (
        <RunSecrets run={run}>
          <Masked text={prettyJson(text) ?? text} lines />
        </RunSecrets>
      )}
    </td>
  )
}

function RunSecrets({ run, children }: { readonly run: Run; readonly children: ReactNode }) {
  const client = useClient()
  return (
    <SecretsOf
      heldBack={run.heldBack}
      reveal={async (name) => {
        const { value } = await client.call('authorization.reveal', { runId: run.id, name })
        return value
      }}
    >
      {children}
    </SecretsOf>
  )
}
