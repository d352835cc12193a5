import { ChevronDown, PenLine, X } from 'lucide-react'
import type { DeliverySummary } from '#contract/models.ts'
import { Button } from '../../../components/Button.tsx'
import { useClient } from '../../../platform/use-client.ts'
import { ResendButton } from '../../attempts/ResendButton.tsx'
import { cancelResend } from '../../attempts/resend.ts'
import { askWhereTo, useAttemptsStore } from '../../attempts/store.ts'
import { addressOf } from '../../compose/address.ts'
import { useCan } from '../../shell/store.ts'
import { useEditable, useLog } from '../scope/scope.ts'

/** Sending it again: where it went last, to another address, or edited first. What a log holds goes out only as a draft of one's own. */
export function DetailActions({ row }: { readonly row: DeliverySummary }) {
  const { id } = row
  const log = useLog()
  const editable = useEditable()
  if (!useCan('editing')) return null
  return (
    <div className="detail-actions" role="group" aria-label="Send it again">
      {editable && <ResendButtons row={row} />}
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

function ResendButtons({ row }: { readonly row: DeliverySummary }) {
  const client = useClient()
  const { id } = row
  const sending = useAttemptsStore((state) => state.sending.has(id))
  return (
    <span className="split-button">
      <ResendButton delivery={row} />
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
