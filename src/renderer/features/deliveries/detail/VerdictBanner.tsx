import type { Delivery, Verdict } from '#contract/models.ts'
import { headerName } from '#catalogue/headers.ts'
import { Text, Grid, Row } from '../../../ui/Layout.tsx'
import { Button } from '../../../ui/Button.tsx'
import { VerdictIcon } from '../../../ui/Mark.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { useAction, useClient } from '../../../platform/use-client.ts'
import { recheckSignatures, describeVerdictChange } from '../../../state/recheck-signatures.ts'
import { useEditable, useLog } from '../../../state/scope.ts'
import { currentConclusion, useChecked } from './signature/conclusion.ts'
import { useQuery } from '#renderer/platform/use-client.ts'

/** Up to this size a diagnosis takes a tenth of a second, and is made unasked. */
const quickBytes = 16 * 1024

interface Words {
  readonly sentence: string
  readonly todo: string | null
}

/** What the verdict means, and what to do about it. */
function wordsFor(delivery: Delivery): Words {
  const header = headerName(delivery.brand, 'signature')
  switch (delivery.verdict) {
    case 'valid':
      return {
        sentence:
          delivery.secretName === 'previous'
            ? 'The signature matches under the previous secret.'
            : 'The signature matches.',
        todo:
          delivery.secretName === 'previous'
            ? 'The service still signs with the secret from before the rotation. Enter the new one on its dashboard.'
            : null,
      }
    case 'invalid':
      return {
        sentence: 'The signature does not match the body.',
        todo: 'Compare the secret on the service’s dashboard with the one of this endpoint. If they are equal, something between changed the body.',
      }
    case 'missing':
      return {
        sentence: `A secret is set, but no ${header} came.`,
        todo: 'Set the same secret on the webhook on the service’s dashboard. Until then anyone could have sent this.',
      }
    case 'unsigned':
    case 'unchecked':
      return {
        sentence: `${whyNot(delivery)}, so ${delivery.verdict === 'unchecked' ? 'the signature was not' : 'nothing was'} checked.`,
        todo:
          delivery.endpointId === null
            ? 'Correct the webhook URL on the dashboard, or create an endpoint with this slug.'
            : 'Set a secret on the endpoint and on the dashboard to know who sends.',
      }
  }
}

function whyNot({ endpointId }: Delivery): string {
  return endpointId === null ? 'No endpoint has this path' : 'This endpoint has no usable secret'
}

/** The verdict in a sentence. One line when all is well, loud when it is not. */
export function VerdictBanner(props: { readonly delivery: Delivery; readonly onWhy: () => void }) {
  return useEditable() ? <LiveBanner {...props} /> : <LoggedBanner {...props} />
}

interface BannerProps {
  readonly delivery: Delivery
  readonly onWhy: () => void
}

/** With the current secrets: once they give another verdict than at arrival, the cause at arrival is no advice any more. */
function LiveBanner({ delivery, onWhy }: BannerProps) {
  const client = useClient()
  const { state } = useChecked('deliveries.signature', delivery)
  const report = state.phase === 'ready' ? state.value : null
  const verdict = report?.verdict ?? delivery.verdict
  const check = useAction(() => recheckSignatures(client, { ids: [delivery.id] }))
  const wasOther = (delivery.recheck?.verdictAtArrival ?? verdict) !== verdict
  const isOther = report !== null && (report.changedSince || wasOther)
  const { sentence, todo } = wordsFor({ ...delivery, verdict })
  return (
    <Grid
      columns="auto 1 auto"
      gap={5}
      align="center"
      pad={[4, 5]}
      size="s"
      anywhere
      ground="state"
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
          {isOther ? currentConclusion(delivery, report) : sentence}
        </Text>
        {todo !== null && <Advice delivery={delivery} verdict={verdict} todo={todo} />}
        {report?.changedSince && (
          <p>
            The list still shows the earlier verdict. Check again to record the current one; the
            verdict at arrival is kept.
          </p>
        )}
        <Reason delivery={delivery} />
      </div>
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
    </Grid>
  )
}

/** Of an event log, whose secrets are not here: as captured. What is to be done was for whoever captured it. */
function LoggedBanner({ delivery, onWhy }: BannerProps) {
  const { verdict, recheck: later } = delivery
  return (
    <Grid
      columns="auto 1 auto"
      gap={5}
      align="center"
      pad={[4, 5]}
      size="s"
      anywhere
      ground="state"
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
          {later && later.verdictAtArrival !== verdict
            ? describeVerdictChange(later.verdictAtArrival, verdict, delivery.secretName)
            : wordsFor(delivery).sentence}
        </Text>
        <LoggedBody id={delivery.id} />
        <Reason delivery={delivery} />
      </div>
      <Button kind={verdict === 'valid' ? 'quiet' : 'plain'} onClick={onWhy}>
        As captured
      </Button>
    </Grid>
  )
}

function Advice(props: {
  readonly delivery: Delivery
  readonly verdict: Verdict
  readonly todo: string
}) {
  const { delivery, verdict, todo } = props
  const failed = verdict === 'invalid' || verdict === 'missing'
  return failed && delivery.bytesKept <= quickBytes ? (
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

/** For the banner: that what is shown is not what the verdict was found on. Nothing where it is. */
function LoggedBody({ id }: { readonly id: number }) {
  const { state } = useQuery('deliveries.signature', { id, log: useLog() })
  const ofLog = state.phase === 'ready' ? state.value.ofLog : null
  if (!ofLog?.bodyRedacted && (ofLog?.omitted ?? null) === null) return null
  return (
    <p data-testid="logged-body">
      {ofLog?.bodyRedacted
        ? 'As captured; the body was redacted since'
        : 'The body is not in the log'}
      , so it cannot be verified again.
    </p>
  )
}

interface Props {
  readonly delivery: Delivery
  /** What is said as long as nothing is found. */
  readonly otherwise: string
}

/** The causes that match, in a line for the banner. */
function FoundCause({ delivery, otherwise }: Props) {
  const { state } = useChecked('deliveries.diagnose', delivery)
  const titles =
    state.phase === 'ready'
      ? state.value.causes
          // That the header is missing is what the banner says itself.
          .filter(({ code, outcome }) => outcome === 'matches' && code !== 'header.missing')
          .map(({ title }) => title)
      : []
  return (
    <p data-testid="found-cause">
      {titles.length > 0 ? `Cause: ${titles.join('. And: ')}.` : otherwise}
    </p>
  )
}
