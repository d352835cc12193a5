import { lazy, Suspense, type ReactNode } from 'react'
import { unknownTime } from '#contract/constants.ts'
import type { HeldDelivery } from '#contract/hold.ts'
import type { AttemptSummary } from '#contract/sending.ts'
import type { Cause, Delivery, Verdict } from '#contract/models.ts'
import { headerName } from '#catalogue/headers.ts'
import { causeTitle } from '#catalogue/cause-titles.ts'
import { formatDuration, formatSize } from '#shared/text/format.ts'
import { Button } from '#kit/Button.tsx'
import { Icons } from '#kit/icons.tsx'
import { VerdictIcon } from '#kit/Mark.tsx'
import { Shown } from '#kit/Shown.tsx'
import { shortText } from '#kit/text/visible.ts'
import { useAction, type Loaded } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { recheckSignatures, describeVerdictChange } from '#client/state/recheck-signatures.ts'
import { useHold } from '#client/state/hold.ts'
import { useEditable } from '#client/state/scope.ts'
import { hostOf, outcomeOf } from '#parts/send/labels.ts'
import { resendOrAsk, type AttemptsListed } from '#parts/send/resend.ts'
import { FixButton, isFixable } from '#parts/FixButton.tsx'
import { describeResponse } from '../outcome-label.ts'
import { useChecked } from './signature/use-checked.ts'

// With the texts of all causes, which the list does not need.
const CauseAdvice = lazy(async () => ({
  default: (await import('./signature/CauseCard.tsx')).CauseAdvice,
}))

/** What the verdict means, in two or three words, and what to do about it. */
function describeVerdict(delivery: Delivery): readonly [words: string, todo: string | null] {
  switch (delivery.verdict) {
    case 'valid':
      return delivery.secretName === 'previous'
        ? [
            'Signature valid, previous secret',
            'The service still signs with the previous secret. Enter the new one on its dashboard.',
          ]
        : ['Signature valid', null]
    case 'invalid':
      return [
        'Signature invalid',
        'Compare the secret on the service’s dashboard with the secret of this endpoint. If they are equal, something in between changed the body.',
      ]
    case 'missing':
      return [
        'Signature missing',
        `A secret is set, but ${headerName(delivery.brand, 'signature')} is missing. Set the same secret for the webhook on the service’s dashboard. Until then, anyone could have sent this.`,
      ]
    case 'unsigned':
      return ['Not signed', unverifiedAdvice(delivery)]
    case 'unchecked':
      return ['Signature not checked', unverifiedAdvice(delivery)]
  }
}

/** What is not a complete request has a reason, and findings with advice. */
function unverifiedAdvice({ endpointId, arrival, findings }: Delivery): string {
  if (endpointId !== null) {
    return 'This endpoint has no usable secret. Set a secret for the endpoint and on the dashboard to verify the sender.'
  }
  if (arrival === 'malformed') return 'This is not a valid HTTP/1.1 request.'
  if (arrival === 'cut_off') return 'The request is incomplete.'
  const near = findings.find(({ code }) => code === 'request.no_endpoint')?.expected
  return `No endpoint has this path. ${
    near === undefined
      ? 'Correct the webhook URL on the dashboard, or create an endpoint with this slug.'
      : `Correct the webhook URL at the sender: the path of the endpoint is ${near}.`
  }`
}

interface Props {
  delivery: Delivery
  attempts: Loaded<AttemptsListed>
  onEvidence: () => void
  onAttempts: () => void
}

/**
 * Both ends of a delivery: what the service sent, what Tabscope found, and what the user's handler responded; then the likely cause and what helps.
 * With the verdict under the current secrets. A log has none, so it shows the verdict as captured, without advice.
 */
export function BothEnds({ delivery, attempts, onEvidence, onAttempts }: Props) {
  const { id, bytes, createdAt, receivedAt, sentBy, reason, recheck } = delivery
  const client = useClient()
  const editable = useEditable()
  const { state } = useChecked('deliveries.signature', delivery)
  const report = editable && state.phase === 'ready' ? state.value : null
  const verdict = report?.verdict ?? delivery.verdict
  const atArrival = recheck?.verdictAtArrival ?? delivery.verdict
  const changedSince = report?.changedSince === true
  const secretName = report
    ? (report.computed.find(({ matches }) => matches)?.secretName ?? null)
    : delivery.secretName
  const check = useAction(() => recheckSignatures(client, { ids: [id] }))
  const lag =
    createdAt === null || receivedAt === unknownTime
      ? ''
      : `, lag ${formatDuration(receivedAt - createdAt)}`
  return (
    <section
      className="@container/ends mx-6 mt-0 mb-4 flex-none rounded-lg border border-line bg-surface"
      aria-label="Both ends"
      data-testid="both-ends"
    >
      <div className="ends-flow grid grid-cols-[minmax(0,1fr)_auto_minmax(0,1.6fr)_auto_minmax(0,1.6fr)] items-center gap-x-4 gap-y-2 px-5 py-4 icon-xs">
        <End
          label={
            <span title="lag: from the event’s createdAt until Tabscope received it">
              {sentBy === null ? 'Service' : 'Tabscope'}
              {lag}
            </span>
          }
        >
          {formatSize(bytes)}
        </End>
        <Icons.ArrowRight className="text-dim" />
        <End label={<Receiver delivery={delivery} />}>
          <Result tone={verdict} onClick={onEvidence}>
            <VerdictIcon verdict={verdict} /> {describeVerdict({ ...delivery, verdict })[0]}
          </Result>
        </End>
        <Icons.ArrowRight className="text-dim" />
        <Handler delivery={delivery} attempts={attempts} onAttempts={onAttempts} />
      </div>
      {(changedSince || atArrival !== verdict) && (
        <Line
          actions={
            changedSince && (
              <Button kind="primary" small busy={check.busy} onClick={() => check.start()}>
                Check again
              </Button>
            )
          }
        >
          {describeVerdictChange(atArrival, verdict, secretName)}
          {changedSince && ' The list still shows the earlier verdict.'}
        </Line>
      )}
      {editable ? (
        <Advice delivery={delivery} verdict={verdict} onEvidence={onEvidence} />
      ) : (
        <Causes delivery={delivery} causes={delivery.causes ?? []} onEvidence={onEvidence} />
      )}
      {reason !== null && (
        <Line>
          <Shown text={reason} />
        </Line>
      )}
    </section>
  )
}

function useHeld(id: number): HeldDelivery | undefined {
  const editable = useEditable()
  return useHold(({ held }) =>
    editable ? held.find(({ deliveryId }) => deliveryId === id) : undefined,
  )
}

function Receiver({ delivery }: Pick<Props, 'delivery'>) {
  const { id, relay } = delivery
  const held = useHeld(id)
  if (held?.at === 'response') return 'Tabscope, held before the response'
  if (relay === null) return `Tabscope, ${describeResponse(delivery)}`
  // The receiver does not say how long it took.
  const response = describeResponse({ ...delivery, responseMs: null })
  const [name, receiver] = [shortText(relay.name, 40), shortText(relay.receiver, 40)]
  return `via relay ${name}, receiver ${receiver}, ${response}`
}

function End({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <p className="text-xs wrap-anywhere text-dim">{label}</p>
      {children}
    </div>
  )
}

function Handler(props: Pick<Props, 'delivery' | 'attempts' | 'onAttempts'>) {
  const { delivery, attempts, onAttempts } = props
  const client = useClient()
  const editable = useEditable()
  const held = useHeld(delivery.id)
  const rows: readonly AttemptSummary[] = attempts.phase === 'ready' ? attempts.value.rows : []
  const attempt = rows.find(({ signing }) => signing !== 'broken') ?? rows[0]
  if (attempts.phase === 'loading') return <End label="Your handler">…</End>
  if (!attempt) {
    return (
      <End label="Your handler">
        <div className="flex flex-wrap items-center gap-1 gap-x-3">
          <span className="text-mid">{held ? 'held' : 'not forwarded'}</span>
          {editable && !held && (
            <button
              type="button"
              className="link"
              onClick={() => void resendOrAsk(client, delivery)}
            >
              Send it there
            </button>
          )}
        </div>
      </End>
    )
  }
  const { tone, word } = outcomeOf(attempt)
  return (
    <End
      label={
        <>
          Your handler, <Shown text={hostOf(attempt.url)} max={60} />
        </>
      }
    >
      <Result tone={tone} onClick={onAttempts}>
        {word} in {formatDuration(attempt.durationMs)}
      </Result>
    </End>
  )
}

interface ResultProps {
  tone: string
  onClick: () => void
  children: ReactNode
}

function Result({ tone, onClick, children }: ResultProps) {
  return (
    <button
      type="button"
      className="inline-flex items-center gap-2 text-start font-semibold text-tone hover:underline"
      data-tone={tone}
      onClick={onClick}
    >
      {children}
    </button>
  )
}

function Line(props: { actions?: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-3 border-t border-line px-5 py-3 text-s [&>:first-child]:flex-[1_1_var(--measure-aside)] [&>:first-child]:wrap-anywhere">
      <div>{props.children}</div>
      {props.actions}
    </div>
  )
}

interface AdviceProps extends Pick<Props, 'delivery' | 'onEvidence'> {
  verdict: Verdict
}

/** The causes, or what to do while none is known. */
function Advice({ delivery, verdict, onEvidence }: AdviceProps) {
  const { causes, endpointId, id: deliveryId } = delivery
  if (verdict === delivery.verdict && causes !== null && causes.length > 0) {
    return <Causes delivery={delivery} causes={causes} onEvidence={onEvidence} />
  }
  const [, todo] = describeVerdict({ ...delivery, verdict })
  if (todo === null) return null
  const cause: Cause = { code: 'secret.none', where: 'here' }
  const isFailed = verdict === 'invalid' || verdict === 'missing'
  return (
    <Line
      actions={
        isFailed ? (
          <Evidence onEvidence={onEvidence} />
        ) : (
          verdict !== 'valid' &&
          endpointId !== null && <FixButton small {...{ cause, endpointId, deliveryId }} />
        )
      }
    >
      <span data-testid="found-cause">{todo}</span>
    </Line>
  )
}

function Evidence({ onEvidence }: Pick<Props, 'onEvidence'>) {
  return (
    <Button small onClick={onEvidence}>
      Evidence
    </Button>
  )
}

function titleOf({ code, values }: Cause): string {
  return code === 'handler.serialized' && values?.['writes'] !== undefined
    ? 'Your handler serializes the JSON again before it verifies'
    : causeTitle(code)
}

interface CausesProps extends Pick<Props, 'delivery' | 'onEvidence'> {
  causes: readonly Cause[]
}

function Causes({ delivery, causes, onEvidence }: CausesProps) {
  const editable = useEditable()
  // A signature in another header is missing in its own.
  const told = causes.filter(({ code }) => code !== 'header.missing' || causes.length === 1)
  const [first] = told
  if (!first) return null
  const fixable = told.find(isFixable)
  const { endpointId, id: deliveryId } = delivery
  return (
    <Line
      actions={
        <div className="ml-auto flex gap-3">
          {first.code !== 'handler.serialized' && <Evidence onEvidence={onEvidence} />}
          {editable && fixable && (
            <FixButton cause={fixable} kind="primary" small {...{ endpointId, deliveryId }} />
          )}
        </div>
      }
    >
      {told.map((cause) => (
        <p key={cause.code} data-testid="found-cause">
          {cause.code !== 'response.unknown' && <span className="text-dim">Likely cause:</span>}{' '}
          <b>{titleOf(cause)}.</b>{' '}
          <Suspense>
            <CauseAdvice cause={cause} short={editable && isFixable(cause)} />
          </Suspense>
        </p>
      ))}
    </Line>
  )
}
