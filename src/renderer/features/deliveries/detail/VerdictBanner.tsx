import type { Delivery } from '#contract/models.ts'
import { headerName } from '#catalogue/headers.ts'
import { Button } from '../../../components/Button.tsx'
import { VerdictIcon } from '../../../components/Mark.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { useEditable } from '../scope/scope.ts'
import { FoundCause } from './signature/FoundCause.tsx'
import { LoggedBody } from './signature/LoggedBody.tsx'

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
      return delivery.endpointId === null
        ? {
            sentence: 'No endpoint has this path, so nothing was checked.',
            todo: 'Correct the webhook URL on the dashboard, or create an endpoint with this slug.',
          }
        : {
            sentence: 'This endpoint has no secret, so nothing was checked.',
            todo: 'Set a secret on the endpoint and on the dashboard to know who sends.',
          }
  }
}

/** The verdict in a sentence. One line when all is well, loud when it is not. */
export function VerdictBanner(props: { readonly delivery: Delivery; readonly onWhy: () => void }) {
  const { delivery, onWhy } = props
  const editable = useEditable()
  const words = wordsFor(delivery)
  const { sentence } = words
  // What is to be done, was for whoever captured it.
  const todo = editable ? words.todo : null
  const failed = delivery.verdict === 'invalid' || delivery.verdict === 'missing'
  return (
    <div className="verdict-banner" data-tone={delivery.verdict} data-testid="verdict-banner">
      <VerdictIcon verdict={delivery.verdict} />
      <div className="verdict-text">
        <strong>{sentence}</strong>
        {!editable && <LoggedBody id={delivery.id} />}
        {todo !== null &&
          (failed && delivery.bytesKept <= quickBytes ? (
            <FoundCause id={delivery.id} otherwise={todo} />
          ) : (
            <p>{todo}</p>
          ))}
        {delivery.reason !== null && (
          <p>
            <Shown text={delivery.reason} />
          </p>
        )}
      </div>
      {(delivery.verdict !== 'unsigned' || !editable) && (
        <Button kind={delivery.verdict === 'valid' ? 'quiet' : 'plain'} onClick={onWhy}>
          {!editable ? 'As captured' : delivery.verdict === 'valid' ? 'How?' : 'Why?'}
        </Button>
      )}
    </div>
  )
}
