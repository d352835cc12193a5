import { formatDuration } from '#shared/text/format.ts'
import { Icons } from '#kit/icons.tsx'
import type { Run, RunStep, RunFailure } from '#contract/authorization.ts'
import { Fact } from '#kit/Table.tsx'
import { Findings } from '#parts/Findings.tsx'
import { Masked, SecretsOf } from '#kit/Masked.tsx'
import { fullTime } from '#kit/text/time.ts'
import { useClient } from '#client/use-client.ts'
import { useEditable } from '#client/state/scope.ts'
import { tokenAddress } from '#client/addresses/authorization.ts'
import { agentLabel, linkFor, stepOutcomes, runLabel, RunStateMark } from './labels.tsx'
import { truncate } from '#kit/text/visible.ts'
import { useNow, Time } from '#kit/Time.tsx'
import { useAuthorization } from '#client/state/authorization.ts'
import { shortLeft, stateAt } from '../tokens/lifetime.tsx'
import { tokenName, TokenStateMark } from '../tokens/labels.tsx'
import { ReceivedMessage, SentMessage } from '#parts/exchange/HttpMessage.tsx'
import { Button } from '#kit/Button.tsx'
import { ErrorText } from '#kit/Note.tsx'
import { useAuthorize } from './AuthorizePanel.tsx'

/** What happened in a run, step by step. Read-only in an event log. */
export function RunRecord({ run }: { run: Run }) {
  const client = useClient()
  const editable = useEditable()
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
      <article
        className="record grid grid-cols-1 gap-5"
        aria-label={`${name}, run ${run.id}`}
        data-testid="run-record"
      >
        <header>
          <h2 className="text-l">
            {name} <span className="font-medium text-dim">run {run.id}</span>
          </h2>
          <p className="flex flex-wrap items-center gap-1 gap-x-5 text-s text-mid">
            <RunStateMark run={run} />
            <Time at={run.startedAt}>{fullTime(run.startedAt).replace(/\.\d+ GMT.*/, '')}</Time>
            {run.kind === 'authorize' && <span>{agentLabel(run.agent)}</span>}
            {run.endedAt !== null && (
              <span>took {formatDuration(run.endedAt - run.startedAt)}</span>
            )}
          </p>
        </header>
        {run.failure && <FailurePanel run={run} failure={run.failure} />}
        {run.state === 'succeeded' && <OutcomePanel run={run} />}
        {run.findings.length > 0 && (
          <div className="grid gap-3">
            <RecordTitle>Deviations from the API documentation</RecordTitle>
            <Findings findings={run.findings} />
          </div>
        )}
        <div className="grid gap-3">
          <RecordTitle>Step by step</RecordTitle>
          <ol className="framed px-6 py-5" aria-label="Steps of the run">
            {run.steps.map((step, index) => (
              // Steps are only ever appended, so the index identifies a step.
              // oxlint-disable-next-line react/no-array-index-key
              <Step key={index} step={step} start={run.startedAt} />
            ))}
          </ol>
        </div>
      </article>
    </SecretsOf>
  )
}

function RecordTitle({ children }: { children: string }) {
  return <h3 className="text-xs font-semibold text-dim">{children}</h3>
}

function OutcomePanel({ run }: { run: Run }) {
  const editable = useEditable()
  // Token IDs in a log do not match the IDs in this store.
  const token = useAuthorization(({ tokens }) =>
    editable ? tokens.find(({ id }) => id === run.tokenId) : undefined,
  )
  const now = useNow()
  return (
    <section
      className="grid grid-cols-auto-1-auto items-center gap-5 rounded-lg bg-tone-soft px-5 py-4 [&>svg]:mt-1 [&>svg]:text-tone [&>svg]:icon-m"
      data-tone="valid"
      aria-label="Result"
    >
      <Icons.Check />
      <p className="flex flex-wrap items-center gap-1 gap-x-3 wrap-anywhere">
        <strong className="font-semibold text-tone">
          {run.kind === 'refresh' ? 'Token refreshed' : 'Token received'}
        </strong>
        {token ? (
          <>
            {tokenName(token)} <TokenStateMark state={stateAt(token, now)} />
            <span className="whitespace-nowrap text-mid">{shortLeft(token, now)}</span>
          </>
        ) : (
          editable && 'It was deleted later.'
        )}
      </p>
      {token && (
        <div className="flex flex-wrap items-center gap-4">
          <a className="button" href={`#/authorization/console?token=${token.id}`}>
            <Icons.SquareTerminal />
            Use in a request
          </a>
          <a className="button" href={tokenAddress(token.id)}>
            Show the token
          </a>
        </div>
      )}
    </section>
  )
}

function Step({ step, start }: { step: RunStep; start: number }) {
  const { word, tone, icon: Icon } = stepOutcomes[step.outcome]
  const failed = step.outcome === 'failed'
  return (
    <li
      className="step relative grid grid-cols-[var(--icon-l)_minmax(0,1fr)] gap-4 not-last:pb-6 not-last:before:absolute not-last:before:top-7 not-last:before:right-auto not-last:before:bottom-0 not-last:before:left-[calc(var(--icon-l)_/_2)] not-last:before:border-l not-last:before:border-l-line-strong"
      data-kind={step.kind}
      data-outcome={step.outcome}
      data-tone={tone}
    >
      <span className="disc h-(--icon-l) w-(--icon-l)" data-tone={tone}>
        <Icon aria-hidden strokeWidth={3} />
      </span>
      <div className="grid min-w-0 gap-3">
        <p className="step-head baseline flex gap-4">
          <b className="min-w-0 font-semibold wrap-anywhere">
            <Masked text={step.title} />
          </b>
          <span className="flex-none text-s text-tone">{word}</span>
          <span className="ml-auto flex flex-none gap-5 text-s text-dim">
            {step.durationMs !== null && <span>took {formatDuration(step.durationMs)}</span>}
            <Time at={step.at} className="mono">
              +{formatDuration(Math.max(0, step.at - start))}
            </Time>
          </span>
        </p>
        {step.detail !== null && (
          <p className="max-w-[88ch] wrap-anywhere text-mid">
            <Masked text={step.detail} />
          </p>
        )}
        {step.facts.length > 0 && (
          <table className="facts w-full text-s" aria-label="Facts">
            <tbody>
              {step.facts.map(({ name, value }, index) => (
                // Names can repeat, so the index is the key.
                // oxlint-disable-next-line react/no-array-index-key
                <tr key={index}>
                  <th scope="row">
                    <Masked text={name} />
                  </th>
                  <td className="mono py-1 wrap-anywhere select-text">
                    {value === '' ? <em className="text-dim">empty</em> : <Masked text={value} />}
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
      </div>
    </li>
  )
}

function FailurePanel({ run, failure }: { run: Run; failure: RunFailure }) {
  const editable = useEditable()
  const authorize = useAuthorize(run.integrationId)
  const link = linkFor(failure.code)
  const { tone } = runLabel(run)
  const response = run.steps.findLast((step) => step.response !== null)?.response
  return (
    <section
      className="grid grid-cols-auto-1 gap-5 rounded-lg bg-tone-soft px-6 py-5 [&>svg]:mt-1 [&>svg]:text-tone [&>svg]:icon-m"
      data-tone={tone}
      aria-label="Why it failed"
    >
      {tone === 'invalid' ? <Icons.X /> : <Icons.CircleSlash />}
      <div className="grid gap-4">
        <p className="baseline flex justify-between gap-6 wrap-anywhere">
          <strong className="font-semibold text-tone">
            <Masked text={failure.message} />
          </strong>
          <code className="mono flex-none text-mid">{failure.code}</code>
        </p>
        <dl className="grid grid-cols-key-1 gap-1 gap-x-4 below-480:grid-cols-1">
          <Fact name="Likely cause">
            <Masked text={failure.meaning} />
          </Fact>
          <Fact name="What to do">
            <Masked text={failure.remedy} />
          </Fact>
          {response && (
            <Fact name="Response" mono>
              <Masked
                text={`${response.status} ${response.statusText}\n${truncate(response.body ?? '', maxQuote)}`.trim()}
                lines
              />
            </Fact>
          )}
        </dl>
        {editable && (
          <div className="flex flex-wrap items-center gap-4">
            {link && (
              <a className="button" data-kind="primary" href={link.to}>
                {link.text}
              </a>
            )}
            <Button
              kind={link ? 'plain' : 'primary'}
              busy={authorize.busy}
              onClick={() =>
                authorize.start({
                  ...(run.agent && { agent: run.agent }),
                  ...(run.kind === 'refresh' && run.tokenId !== null && { replaces: run.tokenId }),
                })
              }
            >
              Authorize again
            </Button>
            <ErrorText as="span" error={authorize.error} />
          </div>
        )}
      </div>
    </section>
  )
}

/** Of a response, in characters. The record below has all of it. */
const maxQuote = 400
