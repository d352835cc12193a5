import { Send } from 'lucide-react'
import { Button } from '../../../components/Button.tsx'
import { Dialog } from '../../../components/Dialog.tsx'
import { Note } from '../../../components/Note.tsx'
import { cut, visible } from '../../../components/text/visible.ts'
import { sentence } from '../../../platform/call-error.ts'
import { useAction, useClient } from '../../../platform/use-client.ts'
import { confirmAndSend } from '../send.ts'
import { useCompose } from '../store.ts'

/** Asks once before anything goes to a public target. The way back has the focus. */
export function ConfirmTarget() {
  const client = useClient()
  const asking = useCompose((state) => state.asking)
  const confirm = useAction((url: string) => confirmAndSend(client, url))
  if (asking === null) return null
  return (
    <Dialog
      open
      onClose={close}
      title={`Send to ${visible(cut(asking.origin, 120))}?`}
      description="It is a public address. Deliveries hold guests’ data: names, phone numbers, e-mail addresses, what they ordered. This is asked once for each target."
    >
      {confirm.error !== null && (
        <Note tone="invalid" alert>
          {sentence(confirm.error)}
        </Note>
      )}
      <div className="dialog-actions">
        <Button onClick={close}>Do not send</Button>
        <Button
          kind="primary"
          icon={<Send aria-hidden />}
          busy={confirm.busy}
          onClick={() => confirm.start(asking.url)}
        >
          Confirm and send
        </Button>
      </div>
    </Dialog>
  )
}

function close(): void {
  useCompose.setState({ asking: null })
}
