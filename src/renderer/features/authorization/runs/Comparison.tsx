import { ArrowLeft } from '../../../ui/icons.tsx'
import { Suspense } from 'react'
import type { Header } from '#contract/models.ts'
import type { Run, RunStep } from '#contract/authorization.ts'
import { prettyJson } from '#shared/json/format.ts'
import { Text, Grid, Row } from '../../../ui/Layout.tsx'
import { runAddress } from '../../../routes/authorization.ts'
import { TextDiffView } from '../../diff/index.ts'
import { RunStateMark } from './StateIcon.tsx'
import { WithRun } from './WithRun.tsx'

/** Two runs, compared by the lines of their records: the earlier one first. */
export function Comparison({ leftId, rightId }: { readonly leftId: number; rightId: number }) {
  return (
    <WithRun key={`left ${leftId}`} id={leftId}>
      {(left) => (
        <WithRun key={`right ${rightId}`} id={rightId}>
          {(right) => <ComparedRuns before={left} after={right} />}
        </WithRun>
      )}
    </WithRun>
  )
}

function ComparedRuns({ before, after }: { readonly before: Run; readonly after: Run }) {
  return (
    <Grid
      as="article"
      gap={5}
      columns="1"
      aria-label={`Run ${before.id} compared with run ${after.id}`}
    >
      <Row as="header" justify="between" gap={6} align="center">
        <div>
          <Text as="h2" size="l">
            Run {before.id} compared with run {after.id}
          </Text>
          <Text as="p" tone="mid">
            Times and state, which change with each run, are ignored. Secrets are masked.
          </Text>
        </div>
        <a className="button" href={runAddress(after.id)}>
          <ArrowLeft aria-hidden />
          Back to run {after.id}
        </a>
      </Row>
      <Row align="center" gap={4} size="s">
        <b>Run {before.id}</b> <RunStateMark run={before} />
        <b>Run {after.id}</b> <RunStateMark run={after} />
      </Row>
      <Suspense fallback={null}>
        <TextDiffView
          before={runText(before)}
          after={runText(after)}
          equal="Every step is the same."
        />
      </Suspense>
    </Grid>
  )
}

/** The record of a run as text, without times, and with `{state}` for its state. */
export function runText(run: Run): string {
  const text = run.steps.map(stepText).join('\n\n')
  const state = URL.parse(run.authorizeUrl ?? '')?.searchParams.get('state')
  if (!state) return text
  return text.replaceAll(encodeURIComponent(state), '{state}').replaceAll(state, '{state}')
}

function stepText({ title, outcome, detail, facts, request, response }: RunStep): string {
  return [
    `${title}: ${outcome}`,
    ...(detail === null ? [] : [detail]),
    ...facts.map(({ name, value }) => `${name}: ${value}`),
    // Each parameter of the address on a line of its own.
    ...(request ? [`${request.method} ${request.url.replaceAll(/[?&]/g, '\n  $&')}`] : []),
    ...(request ? messageLines(request) : []),
    ...(response
      ? [`${response.status} ${response.statusText}`.trim(), ...messageLines(response)]
      : []),
  ].join('\n')
}

function messageLines({ headers, body }: { headers: readonly Header[]; body: string | null }) {
  return [
    ...headers
      .filter(([name]) => name.toLowerCase() !== 'date')
      .map(([name, value]) => `${name}: ${value}`),
    ...(body === null || body === '' ? [] : [prettyJson(body) ?? body]),
  ]
}
