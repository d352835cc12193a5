import { Button } from '../../components/Button.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { cut, visible } from '../../components/text/visible.ts'
import { useTargets } from './confirming.ts'
import './ConfirmTarget.css'

/** Asks once before deliveries go out of this machine and its network. The way back has the focus. */
export function ConfirmTarget() {
  const asking = useTargets((state) => state.asking)
  if (asking === null) return null
  return (
    <Dialog
      open
      onClose={() => asking.answer(false)}
      title="Send deliveries out of this network?"
      description="Nothing was sent there yet. A delivery carries what guests and staff did, and a signature that holds for ever: whoever gets it can use it."
    >
      <p className="target-origin mono selectable">{visible(cut(asking.origin, 300))}</p>
      <p className="dim">This is asked once. Afterwards everything may be sent there.</p>
      <div className="dialog-actions">
        <Button onClick={() => asking.answer(false)}>Do not send</Button>
        <Button kind="primary" onClick={() => asking.answer(true)}>
          Send there, now and later
        </Button>
      </div>
    </Dialog>
  )
}
