import { formatDuration } from '#shared/text/format.ts'
import { Icons } from '../../../ui/icons.tsx'
import type { Run, RunStep, RunSummary, RunFailure } from '#contract/authorization.ts'
import { Text, Grid, Row, Stack } from '../../../ui/Layout.tsx'
import { InlineSelect } from '../../../ui/Field.tsx'
import { Findings } from '../../../ui/Findings.tsx'
import { Masked, SecretsOf } from '../../../ui/Masked.tsx'
import { clockTimeSeconds, fullTime, shortDate } from '../../../ui/text/time.ts'
import { useClient } from '../../../platform/use-client.ts'
import { useEditable } from '../../../state/scope.ts'
import {
  refreshAddress,
  runAddress,
  setupAddress,
  tokenAddress,
} from '../../../routes/authorization.ts'
import {
  agentLabel,
  stepOutcomes,
  runLabel,
  RunStateMark,
  remediesFor,
  type Remedy,
} from './labels.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { truncate } from '../../../ui/text/visible.ts'
import { useNow, Time } from '../../../ui/Time.tsx'
import { useAuthorization } from '../../../state/authorization.ts'
import { shortLeft, stateAt } from '../tokens/lifetime.ts'
import { TokenStateMark } from '../tokens/labels.tsx'
import { ReceivedMessage, SentMessage } from '../../../ui/HttpMessage.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ErrorText } from '../../../ui/Note.tsx'
import { useAuthorize } from './use-authorize.ts'

interface Props {
  readonly run: Run
  /** The runs it can be compared with. */
  readonly others: readonly RunSummary[]
}

/** What happened in a run, step by step. Read-only in an event log. */
export function RunRecord({ run, others }: Props) {
  const client = useClient()
  const editable = useEditable()
  const earlier = others.filter((other) => other.id < run.id && other.kind === run.kind)
  const name = run.kind === 'refresh' ? 'Refresh' : 'Authorization'
  return (
    <SecretsOf
      maskedValues={run.maskedValues}
      reveal={
        editable
          ? async (secret) => {
              const input = { runId: run.id, name: secret }
              return (await client.call('authorization.reveal', input)).value
            }
          : null
      }
    >
      <Grid
        as="article"
        gap={5}
        columns="1"
        className="record"
        aria-label={`${name}, run ${run.id}`}
        data-testid="run-record"
      >
        <Row as="header" align="end" justify="between" gap={6}>
          <div>
            <Text as="h2" size="l">
              {name}{' '}
              <Text tone="dim" weight="medium">
                run {run.id}
              </Text>
            </Text>
            <Row as="p" wrap align="center" gap={1} gapX={5} tone="mid" size="s">
              <RunStateMark run={run} />
              <Time at={run.startedAt}>{fullTime(run.startedAt).replace(/\.\d+ GMT.*/, '')}</Time>
              {run.kind === 'authorize' && <span>{agentLabel(run.agent)}</span>}
              {run.endedAt !== null && (
                <span>took {formatDuration(run.endedAt - run.startedAt)}</span>
              )}
            </Row>
          </div>
          {earlier.length > 0 && <CompareWith run={run} earlier={earlier} />}
        </Row>
        {run.failure && <FailurePanel run={run} failure={run.failure} />}
        {run.state === 'succeeded' && <OutcomePanel run={run} />}
        {run.findings.length > 0 && (
          <Stack gap={3}>
            <RecordTitle>Deviations from the API documentation</RecordTitle>
            <Findings findings={run.findings} />
          </Stack>
        )}
        <Stack gap={3}>
          <RecordTitle>Step by step</RecordTitle>
          <ol className="framed pad-y-5 pad-x-6" aria-label="Steps of the run">
            {run.steps.map((step, index) => (
              // Steps are only ever appended, so the index identifies a step.
              // oxlint-disable-next-line react/no-array-index-key
              <Step key={index} step={step} start={run.startedAt} />
            ))}
          </ol>
        </Stack>
      </Grid>
    </SecretsOf>
  )
}

function RecordTitle({ children }: { readonly children: string }) {
  return (
    <Text as="h3" size="xs" weight="semibold" tone="dim">
      {children}
    </Text>
  )
}

interface CompareProps {
  readonly run: Run
  readonly earlier: readonly RunSummary[]
}

function CompareWith({ run, earlier }: CompareProps) {
  return (
    <InlineSelect
      label={
        <>
          <Icons.GitCompareArrows />
          <span className="visually-hidden">Compare with an earlier run</span>
        </>
      }
      value=""
      onChange={(event) => location.assign(runAddress(run.id, Number(event.target.value)))}
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
    </InlineSelect>
  )
}

function OutcomePanel({ run }: { readonly run: Run }) {
  const editable = useEditable()
  // Token IDs in a log do not match the IDs in this store.
  const token = useAuthorization(({ tokens }) =>
    editable ? tokens.find(({ id }) => id === run.tokenId) : undefined,
  )
  const now = useNow()
  return (
    <Grid
      as="section"
      columns="auto 1 auto"
      gap={5}
      align="center"
      pad={[4, 5]}
      round="l"
      background="state"
      className="outcome"
      data-tone="valid"
      aria-label="Result"
    >
      <Icons.Check />
      {token ? (
        <Row as="p" wrap align="center" gap={1} gapX={3} anywhere>
          <Text as="strong" tone="state" weight="semibold">
            {run.kind === 'refresh' ? 'Token refreshed' : 'Token received'}
          </Text>{' '}
          <span className="mono">…{<Shown text={token.ending ?? ''} />}</span>{' '}
          {token.label !== '' && (
            <>
              for <Shown text={token.label} />
            </>
          )}{' '}
          <TokenStateMark state={stateAt(token, now)} />{' '}
          <Text nowrap tone="mid">
            {shortLeft(token, now)}
          </Text>
        </Row>
      ) : (
        <Text as="p" anywhere>
          <Text as="strong" tone="state" weight="semibold">
            Token received
          </Text>
          {editable && '. It was deleted later.'}
        </Text>
      )}
      {token && (
        <Row wrap align="center" gap={4}>
          <a className="button" href={`#/authorization/console?token=${token.id}`}>
            <Icons.SquareTerminal />
            Use in a request
          </a>
          <a className="button" href={tokenAddress(token.id)}>
            Show the token
          </a>
        </Row>
      )}
    </Grid>
  )
}

interface StepProps {
  readonly step: RunStep
  /** When the run started, in milliseconds since the epoch. */
  readonly start: number
}

function Step({ step, start }: StepProps) {
  const { word, tone, icon: Icon } = stepOutcomes[step.outcome]
  const failed = step.outcome === 'failed'
  return (
    <li className="step" data-kind={step.kind} data-outcome={step.outcome} data-tone={tone}>
      <Stack as="span" fixed center className="step-sign">
        <span className="disc" data-tone={tone}>
          <Icon aria-hidden strokeWidth={3} />
        </span>
      </Stack>
      <Stack gap={3} shrink>
        <Row as="p" align="baseline" gap={4} className="step-head">
          <Text as="b" shrink weight="semibold" anywhere>
            <Masked text={step.title} />
          </Text>
          <Text fixed tone="state" size="s">
            {word}
          </Text>
          <Row as="span" fixed gap={5} push tone="dim" size="s">
            {step.durationMs !== null && <span>took {formatDuration(step.durationMs)}</span>}
            <Time at={step.at} className="mono">
              +{formatDuration(Math.max(0, step.at - start))}
            </Time>
          </Row>
        </Row>
        {step.detail !== null && (
          <Text as="p" tone="mid" anywhere className="step-detail">
            <Masked text={step.detail} />
          </Text>
        )}
        {step.facts.length > 0 && (
          <table className="wide size-s facts" aria-label="Facts">
            <tbody>
              {step.facts.map(({ name, value }, index) => (
                // Names can repeat, so the index is the key.
                // oxlint-disable-next-line react/no-array-index-key
                <tr key={index}>
                  <th scope="row">
                    <Masked text={name} />
                  </th>
                  <td className="pad-y-1 anywhere mono selectable">
                    {value === '' ? <em className="dim">empty</em> : <Masked text={value} />}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {step.request && <SentMessage request={step.request} open={failed} />}
        {step.response && (
          <ReceivedMessage response={step.response} timings={step.timings} open={failed} />
        )}
      </Stack>
    </li>
  )
}

/** Why a run failed: what happened, the most likely cause, what to do, and the button for it. */
function FailurePanel({ run, failure }: { readonly run: Run; readonly failure: RunFailure }) {
  const editable = useEditable()
  const { tone } = runLabel(run)
  const response = run.steps.findLast((step) => step.response !== null)?.response
  return (
    <Grid
      as="section"
      columns="auto 1"
      gap={5}
      pad={[5, 6]}
      round="l"
      background="state"
      className="outcome"
      data-tone={tone}
      aria-label="Why it failed"
    >
      {tone === 'invalid' ? <Icons.X /> : <Icons.CircleSlash />}
      <Stack gap={4}>
        <Row as="p" align="baseline" justify="between" gap={6} anywhere>
          <Text as="strong" tone="state" weight="semibold">
            <Masked text={failure.message} />
          </Text>
          <Text as="code" fixed mono tone="mid">
            {failure.code}
          </Text>
        </Row>
        <Stack as="dl" gap={1}>
          <Advice name="Likely cause" text={failure.meaning} />
          <Advice name="What to do" text={failure.remedy} />
          {response && (
            <Advice
              name="Response"
              text={`${response.status} ${response.statusText}\n${truncate(response.body ?? '', maxQuote)}`.trim()}
              quoted
            />
          )}
        </Stack>
        {editable && (
          <Row wrap align="center" gap={4}>
            {remediesFor(failure.code).map((remedy, index) => (
              <RemedyButton key={remedy} remedy={remedy} run={run} first={index === 0} />
            ))}
          </Row>
        )}
      </Stack>
    </Grid>
  )
}

/** Of a response, in characters. The record below has all of it. */
const maxQuote = 400

interface AdviceProps {
  readonly name: string
  readonly text: string
  /** Received from the service. */
  readonly quoted?: boolean
}

function Advice({ name, text, quoted = false }: AdviceProps) {
  return (
    <Grid columns="key 1" collapse gap={1} gapX={4}>
      <Text as="dt" tone="mid">
        {name}
      </Text>
      <Text as="dd" anywhere mono={quoted} selectable={quoted}>
        <Masked text={text} lines={quoted} />
      </Text>
    </Grid>
  )
}

interface RemedyProps {
  readonly remedy: Remedy
  readonly run: Run
  readonly first: boolean
}

function RemedyButton({ remedy, run, first }: RemedyProps) {
  const authorize = useAuthorize(run.integrationId)
  const kind = first ? 'primary' : 'plain'
  switch (remedy) {
    case 'authorize':
      return (
        <>
          <Button
            kind={kind}
            busy={authorize.busy}
            onClick={() =>
              authorize.start({
                ...(run.agent ? { agent: run.agent } : {}),
                ...(run.kind === 'refresh' && run.tokenId !== null
                  ? { replaces: run.tokenId }
                  : {}),
              })
            }
          >
            Authorize again
          </Button>
          <ErrorText as="span" error={authorize.error} />
        </>
      )
    case 'setup':
      return <RemedyLink kind={kind} to={setupAddress} text="Open setup" />
    case 'refresh':
      return <RemedyLink kind={kind} to={refreshAddress} text="Edit the request" />
    case 'sandbox':
      return <RemedyLink kind={kind} to="#/setup/sandbox" text="Open the sandbox" />
  }
}

function RemedyLink(props: { readonly kind: string; readonly to: string; text: string }) {
  return (
    <a className="button" data-kind={props.kind} href={props.to}>
      {props.text}
    </a>
  )
}
