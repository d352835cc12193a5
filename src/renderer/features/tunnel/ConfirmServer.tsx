import { Button } from '../../components/Button.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { cut, visible } from '../../components/text/visible.ts'
import { useTunnel } from './store.ts'
import '../targets/ConfirmTarget.css'

/** Asks once before deliveries pass through a public server. Cancel has the focus. */
export function ConfirmServer() {
  const asking = useTunnel((state) => state.asking)
  if (asking === null) return null
  return (
    <Dialog
      open
      onClose={() => asking.answer(false)}
      title="Use a public tunnel server?"
      description="This server is run by volunteers. Whoever runs it can read everything that passes through the tunnel. To avoid that, set a server of your own, or use another provider."
    >
      <p className="target-origin mono selectable">{visible(cut(asking.server, 300))}</p>
      <p className="dim">You are asked once. Your answer is remembered when you open the tunnel.</p>
      <div className="dialog-actions">
        <Button onClick={() => asking.answer(false)}>Cancel</Button>
        <Button kind="primary" onClick={() => asking.answer(true)}>
          Open tunnel
        </Button>
      </div>
    </Dialog>
  )
}
