import { Icons } from '#kit/icons.tsx'
import { Button } from '#kit/Button.tsx'
import { shortText } from '#kit/text/visible.ts'
import { useClient } from '#client/use-client.ts'
import { useTarget, type Resendable } from './target-suggestions.ts'
import { resendOrAsk } from './resend.ts'
import { useAttemptsStore } from './store.ts'
import { hostOf } from './labels.ts'

/** Re-sends a delivery to the target named in the button. Opens a dialog if the target is unknown. */
export function ResendButton({ delivery }: { readonly delivery: Resendable }) {
  const client = useClient()
  const sending = useAttemptsStore((state) => state.sending.has(delivery.id))
  const target = useTarget(delivery)
  const to = target ? shortText(hostOf(target), 40) : ''
  return (
    <Button
      kind="primary"
      hint="r"
      busy={sending}
      icon={Icons.RotateCw}
      title={target ? `Re-send to ${shortText(target, 300)}` : 'Re-send: select a target'}
      aria-label={!sending && target ? `Re-send to ${to}` : undefined}
      onClick={() => void resendOrAsk(client, delivery)}
    >
      {sending ? (
        'Sending…'
      ) : target ? (
        <span className="cut">
          Re-send
          <span className="resend-host"> to {to}</span>
        </span>
      ) : target === null ? (
        'Re-send…'
      ) : (
        'Re-send'
      )}
    </Button>
  )
}
