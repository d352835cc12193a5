import { plural, formatDuration } from '#shared/text/format.ts'
import { ArrowLeft, Check, CircleMinus, EqualNot } from '../../../ui/icons.tsx'
import type { ReactNode } from 'react'
import type { Run, RunStep } from '#contract/authorization.ts'
import { Text, Grid, Row } from '../../../ui/Layout.tsx'
import { Masked, SecretsOf } from '../../../ui/Masked.tsx'
import { StateMark } from '../../../ui/StateMark.tsx'
import { prettyJson } from '#shared/json/format.ts'
import { fullTime } from '../../../ui/text/time.ts'
import { useClient } from '../../../platform/use-client.ts'
import { runAddress } from '../../../routes/authorization.ts'
import { OutcomeDisc, RunStateMark } from './StateIcon.tsx'
import { WithRun } from './WithRun.tsx'
import type { Header } from '#contract/models.ts'

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
    <Grid
      as="article"
      gap={5}
      columns="1"
      aria-label={`Run ${left.id} compared with run ${right.id}`}
    >
      <Row as="header" justify="between" gap={6} align="center">
        <div>
          <Text as="h2" size="l">
            Run {left.id} compared with run {right.id}
          </Text>
          <Text as="p" tone="mid">
            {differing === 0
              ? 'Every step is the same. Times and state, which change with each run, are ignored.'
              : `${plural(differing, 'step differs', 'steps differ')} of ${pairs.length}. Times and state, which change with each run, are ignored.`}
          </Text>
        </div>
        <a className="button" href={runAddress(right.id)}>
          <ArrowLeft aria-hidden />
          Back to run {right.id}
        </a>
      </Row>
      <Grid columns="1 1 label" gap={5} pad={[0, 6]}>
        <Side run={left} />
        <Side run={right} />
      </Grid>
      <ol className="framed" aria-label="Steps">
        {pairs.map((pair, index) => (
          // Both records are final, so the index identifies a step.
          // oxlint-disable-next-line react/no-array-index-key
          <PairRow key={index} pair={pair} left={left} right={right} />
        ))}
      </ol>
    </Grid>
  )
}

function Side({ run }: { readonly run: Run }) {
  return (
    <Row align="center" gap={4} size="s">
      <b>Run {run.id}</b> <RunStateMark run={run} />
      <span className="mid" title={fullTime(run.startedAt)}>
        {run.endedAt !== null && `took ${formatDuration(run.endedAt - run.startedAt)}`}
      </span>
    </Row>
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
      <Grid columns="1 1 label" gap={5} align="start">
        <StepName pair={pair} side="left" run={left} />
        <StepName pair={pair} side="right" run={right} />
        <PairMark verdict={verdict} left={left.id} right={right.id} />
      </Grid>
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
  if (!step) return <p className="dim">not run</p>
  return (
    <Row as="p" gap={4} shrink anywhere>
      <OutcomeDisc outcome={step.outcome} />
      <RunSecrets run={props.run}>
        <Masked text={step.title} />
      </RunSecrets>
    </Row>
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
        <em className="dim">missing</em>
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

/** One difference between two steps. Null: missing on that side. */
interface Difference {
  readonly what: string
  readonly left: string | null
  readonly right: string | null
}

/** Two steps side by side; null where only one of the runs has it. */
interface Pair {
  readonly left: RunStep | null
  readonly right: RunStep | null
  /** Empty where a side is null. */
  readonly differences: readonly Difference[]
}

/**
 * Compares two runs step by step. Values that change with every run (times, the state) are ignored. Secrets are markers in both, so they differ
 * only where just one of the runs has a secret.
 */
export function compareRuns(left: Run, right: Run): Pair[] {
  const a = left.steps.map((step) => withoutState(step, stateOf(left)))
  const b = right.steps.map((step) => withoutState(step, stateOf(right)))
  return alignSteps(a, b).map(([leftIndex, rightIndex]) => {
    const leftStep = leftIndex === null ? null : (a[leftIndex] ?? null)
    const rightStep = rightIndex === null ? null : (b[rightIndex] ?? null)
    return {
      left: leftStep,
      right: rightStep,
      differences: leftStep && rightStep ? differencesOf(leftStep, rightStep) : [],
    }
  })
}

/** The state in the authorization URL of a run. */
function stateOf({ authorizeUrl }: Run): string | null {
  const state = authorizeUrl === null ? null : URL.parse(authorizeUrl)?.searchParams.get('state')
  return state ? state : null
}

/** Replaces the state of the run with `{state}`. */
function withoutState(step: RunStep, state: string | null): RunStep {
  if (state === null) return step
  const replaceState = (text: string): string =>
    text.replaceAll(encodeURIComponent(state), '{state}').replaceAll(state, '{state}')
  return {
    ...step,
    title: replaceState(step.title),
    detail: step.detail === null ? null : replaceState(step.detail),
    facts: step.facts.map(({ name, value }) => ({ name, value: replaceState(value) })),
    request: step.request && {
      ...step.request,
      url: replaceState(step.request.url),
      body: step.request.body === null ? null : replaceState(step.request.body),
    },
  }
}

type IndexPair = readonly [number | null, number | null]

/** Aligns two lists of steps by their longest common subsequence of kinds. A step without a counterpart is paired with null. */
function alignSteps(a: readonly RunStep[], b: readonly RunStep[]): IndexPair[] {
  const lengths = Array.from({ length: a.length + 1 }, () =>
    Array.from({ length: b.length + 1 }, () => 0),
  )
  const length = (i: number, j: number): number => lengths[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = lengths[i]
      if (!row) continue
      row[j] =
        a[i]?.kind === b[j]?.kind
          ? length(i + 1, j + 1) + 1
          : Math.max(length(i + 1, j), length(i, j + 1))
    }
  }
  const pairs: IndexPair[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i]?.kind === b[j]?.kind) pairs.push([i++, j++])
    else if (j >= b.length || (i < a.length && length(i + 1, j) >= length(i, j + 1))) {
      pairs.push([i++, null])
    } else pairs.push([null, j++])
  }
  return pairs
}

function differencesOf(a: RunStep, b: RunStep): Difference[] {
  const all = [
    { what: 'Result', left: a.outcome, right: b.outcome },
    { what: 'Title', left: a.title, right: b.title },
    { what: 'Detail', left: a.detail, right: b.detail },
    ...compareNamed('', factsOf(a), factsOf(b)),
    { what: 'Method', left: a.request?.method ?? null, right: b.request?.method ?? null },
    { what: 'Address', left: a.request?.url ?? null, right: b.request?.url ?? null },
    ...compareNamed('Sent ', headersOf(a.request?.headers), headersOf(b.request?.headers)),
    { what: 'Body sent', left: a.request?.body ?? null, right: b.request?.body ?? null },
    { what: 'Status', left: statusOf(a), right: statusOf(b) },
    ...compareNamed('Received ', headersOf(a.answer?.headers), headersOf(b.answer?.headers)),
    { what: 'Body received', left: a.answer?.body ?? null, right: b.answer?.body ?? null },
  ]
  return all.filter(({ left, right }) => left !== right)
}

function statusOf({ answer }: RunStep): string | null {
  return answer ? `${answer.status} ${answer.statusText}`.trim() : null
}

function factsOf({ facts }: RunStep): Map<string, string> {
  return groupByName(facts.map(({ name, value }) => [name, value]))
}

/** Headers by lower-case name, without `Date`, which changes with every response. */
function headersOf(headers: readonly Header[] | undefined): Map<string, string> {
  return groupByName(
    (headers ?? [])
      .map(([name, value]): Header => [name.toLowerCase(), value])
      .filter(([name]) => name !== 'date'),
  )
}

function groupByName(pairs: readonly (readonly [string, string])[]): Map<string, string> {
  const all = new Map<string, string>()
  for (const [name, value] of pairs) {
    const previous = all.get(name)
    all.set(name, previous === undefined ? value : `${previous}\n${value}`)
  }
  return all
}

function compareNamed(
  prefix: string,
  a: Map<string, string>,
  b: Map<string, string>,
): Difference[] {
  return [...new Set([...a.keys(), ...b.keys()])].map((name) => ({
    what: `${prefix}${name}`,
    left: a.get(name) ?? null,
    right: b.get(name) ?? null,
  }))
}
