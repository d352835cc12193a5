import { ChevronDown, PenLine, RotateCw, X } from 'lucide-react'
import { Button } from '../../../components/Button.tsx'
import { useClient } from '../../../platform/use-client.ts'
import { cancelResend, resend } from '../../attempts/resend.ts'
import { askWhereTo, useAttemptsStore } from '../../attempts/store.ts'
import { addressOf } from '../../compose/address.ts'
import { useCan } from '../../shell/store.ts'
import { useEditable, useLog } from '../scope/scope.ts'

/** Sending it again: as it went last, to another place, or edited first. What a log holds goes out only as a draft of one's own. */
export function DetailActions({ id }: { readonly id: number }) {
  const log = useLog()
  const editable = useEditable()
  if (!useCan('editing')) return null
  return (
    <div className="detail-actions" role="group" aria-label="Send it again">
      {editable && <ResendButtons id={id} />}
      <a
        className="button"
        href={addressOf({ kind: 'delivery', id, log })}
        aria-keyshortcuts="e"
        title="Change it, or where it goes, before it is sent"
      >
        <PenLine aria-hidden /> Edit and send <kbd aria-hidden>E</kbd>
      </a>
    </div>
  )
}

function ResendButtons({ id }: { readonly id: number }) {
  const client = useClient()
  const sending = useAttemptsStore((state) => state.sending.has(id))
  return (
    <span className="split-button">
      <Button
        hint="r"
        busy={sending}
        icon={<RotateCw aria-hidden />}
        title="Send it again, as it went last"
        onClick={() => void resend(client, { id })}
      >
        {sending ? 'Sending' : 'Re-send'}
      </Button>
      {sending ? (
        <Button
          aria-label="Cancel"
          title="Stop waiting for the answer"
          onClick={() => cancelResend(client, id)}
        >
          <X aria-hidden />
        </Button>
      ) : (
        <Button
          aria-label="Re-send to…"
          aria-keyshortcuts="Shift+R"
          title="Send it again to another place (Shift R)"
          onClick={() => askWhereTo(id)}
        >
          <ChevronDown aria-hidden />
        </Button>
      )}
    </span>
  )
}
