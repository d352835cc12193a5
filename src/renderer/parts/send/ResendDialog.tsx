import { Icons } from '#kit/icons.tsx'
import { targetAddress } from '#shared/text/address.ts'
import type { Delivery } from '#contract/models.ts'
import type { AttemptSummary } from '#contract/sending.ts'
import { Dialog, DialogForm } from '#kit/Dialog.tsx'
import { shortText } from '#kit/text/visible.ts'
import { useDraft } from '#kit/use-draft.tsx'
import { ErrorNote } from '#kit/Note.tsx'
import { useClient, useQuery } from '#client/use-client.ts'
import { useEndpointRules } from '#client/state/live-values.ts'
import { AddressField, SendOptions, defaultDraft, urlError, sendRequest } from './SendFields.tsx'
import {
  useTargetSuggestions,
  targetFor,
  useTarget,
  type Resendable,
} from './target-suggestions.ts'
import { resend, resendOrAsk } from './resend.ts'
import { askWhereTo, useAttemptsStore } from './store.ts'
import { hostOf } from './labels.ts'
import { LearnMore } from '#parts/LearnMore.tsx'
import { Button } from '#kit/Button.tsx'

export function ResendDialog() {
  const id = useAttemptsStore((state) => state.dialogFor)
  if (id === null) return null
  return (
    <Dialog
      open
      onClose={close}
      title={`Re-send #${id}`}
      description="Sent exactly as received. Only the Host header changes to match the address."
      help={<LearnMore page="sending" section="re-send-a-delivery" onFollow={close} />}
      wide
    >
      <ResendForm key={id} id={id} />
    </Dialog>
  )
}

function close(): void {
  askWhereTo(null)
}

function ResendForm({ id }: { readonly id: number }) {
  const delivery = useQuery('deliveries.get', { id, log: null }).state
  const attempts = useQuery('attempts.list', { log: null, deliveryId: id, limit: 50 }).state
  if (delivery.phase === 'failed') {
    return <ErrorNote error={delivery.message} />
  }
  if (delivery.phase === 'loading' || attempts.phase === 'loading') {
    return (
      <div
        className="form mt-5 grid gap-5 [&_.dialog-actions]:mt-2 [&_.segments]:justify-self-start"
        role="status"
        aria-label="Loading"
      />
    )
  }
  const rows = attempts.phase === 'ready' ? attempts.value.rows : []
  return <Form delivery={delivery.value} attempts={rows} />
}

interface FormProps {
  readonly delivery: Delivery
  readonly attempts: readonly AttemptSummary[]
}

function Form({ delivery, attempts }: FormProps) {
  const client = useClient()
  const forwards = useEndpointRules((state) => state.forwards)
  const used = attempts.map(({ url }) => url)
  const suggestions = useTargetSuggestions({ used, delivery })
  // Defaults to the previous address or the forward target.
  const target = targetFor(delivery, attempts, forwards) ?? used[0] ?? ''
  const form = useDraft(
    { ...defaultDraft, url: target },
    ({ url }) => ({
      url: url.trim() === '' ? 'Enter an address, or select one below.' : urlError(url),
    }),
    async (draft) => {
      const { url, ...options } = sendRequest(draft)
      if (url === null) return
      close()
      await resend(client, { id: delivery.id, url, ...options })
    },
  )
  const { draft, set } = form
  return (
    <DialogForm
      form={form}
      onClose={close}
      icon={Icons.RotateCw}
      action={
        draft.url.trim() !== '' && urlError(draft.url) === null
          ? `Send to ${shortText(hostOf(targetAddress(draft.url)), 40)}`
          : 'Send'
      }
    >
      <AddressField
        url={draft.url}
        error={form.shown.url ?? null}
        suggestions={suggestions}
        whenEmpty="Enter an address, or select one below."
        onChange={(url) => set({ url })}
      />
      <SendOptions draft={draft} onChange={set} onClose={close} />
    </DialogForm>
  )
}

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
