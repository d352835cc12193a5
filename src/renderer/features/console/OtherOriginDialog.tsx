import { Button } from '../../components/Button.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { cut, visible } from '../../components/text/visible.ts'
import { targetOf } from './address.ts'

interface Props {
  /** Where the request goes. */
  readonly origin: string
  readonly baseUrl: string
  readonly onClose: () => void
  readonly onSend: (withToken: boolean) => void
}

/** Asks before a token leaves the service's origin. The safe way has the focus. */
export function OtherOriginDialog({ origin, baseUrl, onClose, onSend }: Props) {
  const own = targetOf(baseUrl, '/')
  const there = visible(cut(origin, 120))
  return (
    <Dialog
      open
      onClose={onClose}
      title="The token would leave the service"
      description="Whoever holds it acts as the user who approved it, until it ends or is revoked."
    >
      <dl className="origins">
        <div>
          <dt>The token belongs to</dt>
          <dd className="mono">{own.ok ? visible(own.origin) : visible(baseUrl)}</dd>
        </div>
        <div>
          <dt>The request goes to</dt>
          <dd className="mono">{there}</dd>
        </div>
      </dl>
      <div className="dialog-actions dialog-stack">
        <Button kind="primary" onClick={() => onSend(false)}>
          Send without the token
        </Button>
        <Button kind="danger" onClick={() => onSend(true)}>
          <span className="cut">Send with the token to {there}</span>
        </Button>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Dialog>
  )
}
