import type { ReactNode } from 'react'
import type { Cause, Delivery, Verdict } from '#contract/models.ts'
import { headerName } from '#catalogue/headers.ts'
import { causeTitle } from '#catalogue/cause-titles.ts'
import { Text, Grid, Row } from '../../../ui/Layout.tsx'
import { Button } from '../../../ui/Button.tsx'
import { VerdictIcon } from '../../../ui/Mark.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { useAction, useClient, useQuery } from '../../../platform/use-client.ts'
import { recheckSignatures, describeVerdictChange } from '../../../state/recheck-signatures.ts'
import { useEditable, useLog } from '../../../state/scope.ts'
import { currentConclusion, useChecked } from './signature/conclusion.ts'

/** Up to this size a diagnosis takes about 0.1 s, and runs automatically. */
const quickBytes = 16 * 1024

interface VerdictText {
  readonly sentence: string
  readonly todo: string | null
}

function describeVerdict(delivery: Delivery): VerdictText {
  const header = headerName(delivery.brand, 'signature')
  switch (delivery.verdict) {
    case 'valid':
      return {
        sentence:
          delivery.secretName === 'previous'
            ? 'The signature matches the previous secret.'
            : 'The signature matches.',
        todo:
          delivery.secretName === 'previous'
            ? 'The service still signs with the previous secret. Enter the new one on its dashboard.'
            : null,
      }
    case 'invalid':
      return {
        sentence: 'The signature does not match the body.',
        todo: 'Compare the secret on the service’s dashboard with the secret of this endpoint. If they are equal, something in between changed the body.',
      }
    case 'missing':
      return {
        sentence: `A secret is set, but ${header} is missing.`,
        todo: 'Set the same secret for the webhook on the service’s dashboard. Until then, anyone could have sent this.',
      }
    case 'unsigned':
    case 'unchecked':
      return {
        sentence: `${uncheckedReason(delivery)}, so ${delivery.verdict === 'unchecked' ? 'the signature was not' : 'nothing was'} checked.`,
        todo:
          delivery.endpointId === null
            ? adviceWithoutEndpoint(delivery)
            : 'Set a secret for the endpoint and on the dashboard to verify the sender.',
      }
  }
}

function uncheckedReason({ endpointId, arrival }: Delivery): string {
  if (endpointId !== null) return 'This endpoint has no usable secret'
  if (arrival === 'malformed') return 'This is not a valid HTTP/1.1 request'
  return arrival === 'cut_off' ? 'The request is incomplete' : 'No endpoint has this path'
}

/** What is not a complete request has a reason, and findings with advice. */
function adviceWithoutEndpoint({ arrival, findings }: Delivery): string | null {
  if (arrival === 'malformed' || arrival === 'cut_off') return null
  const near = findings.find(({ code }) => code === 'request.no_endpoint')?.expected
  return near === undefined
    ? 'Correct the webhook URL on the dashboard, or create an endpoint with this slug.'
    : `Correct the webhook URL at the sender: the path of the endpoint is ${near}.`
}

/** The verdict in a sentence, with advice if the signature is not valid. */
export function VerdictBanner(props: { readonly delivery: Delivery; readonly onWhy: () => void }) {
  return useEditable() ? <LiveBanner {...props} /> : <LoggedBanner {...props} />
}

interface BannerProps {
  readonly delivery: Delivery
  readonly onWhy: () => void
}

/** The banner of a live delivery, with the verdict under the current secrets. If that differs from the one at arrival, old advice is not shown. */
function LiveBanner({ delivery, onWhy }: BannerProps) {
  const client = useClient()
  const { state } = useChecked('deliveries.signature', delivery)
  const report = state.phase === 'ready' ? state.value : null
  const verdict = report?.verdict ?? delivery.verdict
  const check = useAction(() => recheckSignatures(client, { ids: [delivery.id] }))
  const wasOther = (delivery.recheck?.verdictAtArrival ?? verdict) !== verdict
  const isOther = report !== null && (report.changedSince || wasOther)
  const { sentence, todo } = describeVerdict({ ...delivery, verdict })
  return (
    <BannerFrame
      verdict={verdict}
      sentence={isOther ? currentConclusion(delivery, report) : sentence}
      actions={
        <Row align="center" gap={3}>
          {report?.changedSince && (
            <Button kind="primary" busy={check.busy} onClick={() => check.start()}>
              Check again
            </Button>
          )}
          <Button kind={verdict === 'valid' ? 'quiet' : 'plain'} onClick={onWhy}>
            {verdict === 'valid' ? 'How?' : 'Why?'}
          </Button>
        </Row>
      }
    >
      {todo !== null && <Advice delivery={delivery} verdict={verdict} todo={todo} />}
      {verdict === 'valid' && delivery.causes !== null && delivery.causes.length > 0 && (
        <Causes causes={delivery.causes} otherwise="" />
      )}
      {report?.changedSince && (
        <p>
          The list still shows the earlier verdict. Check again to record the current one. The
          verdict at arrival is kept.
        </p>
      )}
      <Reason delivery={delivery} />
    </BannerFrame>
  )
}

interface BannerFrameProps {
  readonly verdict: Verdict
  readonly sentence: string
  readonly actions: ReactNode
  readonly children: ReactNode
}

function BannerFrame({ verdict, sentence, actions, children }: BannerFrameProps) {
  return (
    <Grid
      columns="auto 1 auto"
      gap={5}
      align="center"
      pad={[4, 5]}
      size="s"
      anywhere
      background="state"
      round="m"
      className="verdict-banner"
      data-tone={verdict}
      data-testid="verdict-banner"
    >
      <span className="stack tone-state">
        <VerdictIcon verdict={verdict} />
      </span>
      <div>
        <Text as="strong" size="m" tone="state">
          {sentence}
        </Text>
        {children}
      </div>
      {actions}
    </Grid>
  )
}

/** The banner of a logged delivery: the verdict as captured, without advice, since the log has no secrets. */
function LoggedBanner({ delivery, onWhy }: BannerProps) {
  const { verdict, recheck: later } = delivery
  return (
    <BannerFrame
      verdict={verdict}
      sentence={
        later && later.verdictAtArrival !== verdict
          ? describeVerdictChange(later.verdictAtArrival, verdict, delivery.secretName)
          : describeVerdict(delivery).sentence
      }
      actions={
        <Button kind={verdict === 'valid' ? 'quiet' : 'plain'} onClick={onWhy}>
          As captured
        </Button>
      }
    >
      {delivery.causes !== null && delivery.causes.length > 0 && (
        <Causes causes={delivery.causes} otherwise="" />
      )}
      <LoggedBody id={delivery.id} />
      <Reason delivery={delivery} />
    </BannerFrame>
  )
}

function Advice(props: {
  readonly delivery: Delivery
  readonly verdict: Verdict
  readonly todo: string
}) {
  const { delivery, verdict, todo } = props
  const failed = verdict === 'invalid' || verdict === 'missing'
  if (failed && verdict === delivery.verdict && delivery.causes !== null) {
    return <Causes causes={delivery.causes} otherwise={todo} />
  }
  return failed && delivery.storedBytes <= quickBytes ? (
    <FoundCause delivery={delivery} otherwise={todo} />
  ) : (
    <p>{todo}</p>
  )
}

function Reason({ delivery: { reason } }: { readonly delivery: Delivery }) {
  if (reason === null) return null
  return (
    <p>
      <Shown text={reason} />
    </p>
  )
}

/** Notes that the shown body is not the one that was verified. Renders nothing if it is. */
function LoggedBody({ id }: { readonly id: number }) {
  const { state } = useQuery('deliveries.signature', { id, log: useLog() })
  const ofLog = state.phase === 'ready' ? state.value.ofLog : null
  if (!ofLog?.bodyRedacted && (ofLog?.omitted ?? null) === null) return null
  return (
    <p data-testid="logged-body">
      {ofLog?.bodyRedacted
        ? 'The verdict is as captured. The body was redacted since'
        : 'The body is not in the log'}
      , so it cannot be verified again.
    </p>
  )
}

interface Props {
  readonly delivery: Delivery
  /** Shown while no cause is found. */
  readonly otherwise: string
}

/** With the current secrets, for a delivery without stored causes. */
function FoundCause({ delivery, otherwise }: Props) {
  const { state } = useChecked('deliveries.diagnose', delivery)
  const causes =
    state.phase === 'ready' ? state.value.causes.filter(({ outcome }) => outcome === 'matches') : []
  return <Causes causes={causes} otherwise={otherwise} />
}

/** The causes in one line. */
function Causes({
  causes,
  otherwise,
}: Pick<Props, 'otherwise'> & { readonly causes: readonly Cause[] }) {
  const titles = causes
    // The banner already reports a missing header.
    .filter(({ code }) => code !== 'header.missing')
    .map(({ code }) => causeTitle(code))
  return (
    <p data-testid="found-cause">
      {titles.length > 0 ? <Shown text={`Cause: ${titles.join('. And: ')}.`} /> : otherwise}
    </p>
  )
}
