import type { Delivery, Verdict } from '#contract/models.ts'
import { headerName } from '#catalogue/headers.ts'
import { Button } from '../../../components/Button.tsx'
import { VerdictIcon } from '../../../components/Mark.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { useAction, useClient } from '../../../platform/use-client.ts'
import { recheck, verdictChange } from '../recheck.ts'
import { useEditable } from '../scope/scope.ts'
import { currentConclusion } from './signature/conclusion.ts'
import { FoundCause } from './signature/FoundCause.tsx'
import { LoggedBody } from './signature/LoggedBody.tsx'
import { useChecked } from './signature/use-checked.ts'

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
  const check = useAction(() => recheck(client, { ids: [delivery.id] }))
  const wasOther = (delivery.recheck?.verdictAtArrival ?? verdict) !== verdict
  const isOther = report !== null && (report.changedSince || wasOther)
  const { sentence, todo } = wordsFor({ ...delivery, verdict })
  return (
    <div className="verdict-banner" data-tone={verdict} data-testid="verdict-banner">
      <VerdictIcon verdict={verdict} />
      <div className="verdict-text">
        <strong>{isOther ? currentConclusion(delivery, report) : sentence}</strong>
        {todo !== null && <Advice delivery={delivery} verdict={verdict} todo={todo} />}
        {report?.changedSince && (
          <p>
            The list still shows the earlier verdict. Check again to record the current one; the
            verdict at arrival is kept.
          </p>
        )}
        <Reason delivery={delivery} />
      </div>
      <div className="verdict-actions">
        {report?.changedSince && (
          <Button kind="primary" busy={check.busy} onClick={() => check.start()}>
            Check again
          </Button>
        )}
        <Button kind={verdict === 'valid' ? 'quiet' : 'plain'} onClick={onWhy}>
          {verdict === 'valid' ? 'How?' : 'Why?'}
        </Button>
      </div>
    </div>
  )
}

/** Of an event log, whose secrets are not here: as captured. What is to be done was for whoever captured it. */
function LoggedBanner({ delivery, onWhy }: BannerProps) {
  const { verdict, recheck: later } = delivery
  return (
    <div className="verdict-banner" data-tone={verdict} data-testid="verdict-banner">
      <VerdictIcon verdict={verdict} />
      <div className="verdict-text">
        <strong>
          {later && later.verdictAtArrival !== verdict
            ? verdictChange(later.verdictAtArrival, verdict, delivery.secretName)
            : wordsFor(delivery).sentence}
        </strong>
        <LoggedBody id={delivery.id} />
        <Reason delivery={delivery} />
      </div>
      <Button kind={verdict === 'valid' ? 'quiet' : 'plain'} onClick={onWhy}>
        As captured
      </Button>
    </div>
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
