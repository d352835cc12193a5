import type { ComponentProps, ReactNode } from 'react'
import { Icons } from '#kit/icons.tsx'
import { targetAddress } from '#shared/text/address.ts'
import type { Delivery } from '#contract/models.ts'
import type { AttemptSummary, JobPace } from '#contract/sending.ts'
import { Dialog, DialogForm } from '#kit/Dialog.tsx'
import { shortText } from '#kit/text/visible.ts'
import { useDraft, NumberField } from '#kit/use-draft.tsx'
import { ErrorNote, Loading, WhenLoaded } from '#kit/Note.tsx'
import { useClient, useQuery } from '#client/use-client.ts'
import { useEndpointRules } from '#client/state/live-values.ts'
import {
  AddressField,
  SendOptions,
  defaultDraft,
  urlError,
  sendRequest,
  type SendDraft,
} from './SendFields.tsx'
import {
  useTargetSuggestions,
  targetFor,
  useTarget,
  type Resendable,
} from './target-suggestions.ts'
import { resend, resendOrAsk, askWhereTo, useAttemptsStore } from './resend.ts'
import { hostOf } from './labels.ts'
import { LearnMore } from '#parts/LearnMore.tsx'
import { Button } from '#kit/Button.tsx'
import { jobLimit } from '#contract/constants.ts'
import { formatCount, plural } from '#shared/text/format.ts'
import { countSelected } from '#client/state/select-deliveries.ts'
import { clearSelection, closeResendDialog, useSelection } from '#client/state/selection.ts'
import { useDeliveries } from '#client/state/deliveries.ts'
import { withConfirmation } from './ConfirmTarget.tsx'
import { setJob } from '#client/state/jobs.ts'
import { Checkbox } from '#kit/Field.tsx'
import { Segments } from '#kit/Switch.tsx'
import './Jobs.css'

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

function ResendForm({ id }: { id: number }) {
  const query = useQuery('deliveries.get', { id, log: null })
  const attempts = useQuery('attempts.list', { log: null, deliveryId: id, limit: 50 }).state
  return (
    <WhenLoaded query={query}>
      {(delivery) =>
        attempts.phase === 'loading' ? (
          <Loading />
        ) : (
          <Form
            delivery={delivery}
            attempts={attempts.phase === 'ready' ? attempts.value.rows : []}
          />
        )
      }
    </WhenLoaded>
  )
}

function Form({ delivery, attempts }: { delivery: Delivery; attempts: readonly AttemptSummary[] }) {
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
  return (
    <SendForm
      form={form}
      onClose={close}
      action={`Send${hostSuffix(form.draft)}`}
      suggestions={suggestions}
      whenEmpty="Enter an address, or select one below."
    />
  )
}

function hostSuffix({ url }: SendDraft): string {
  const isValid = url.trim() !== '' && urlError(url) === null
  return isValid ? ` to ${shortText(hostOf(targetAddress(url)), 40)}` : ''
}

interface SendFormProps
  extends
    Pick<ComponentProps<typeof DialogForm>, 'action' | 'disabled' | 'onClose'>,
    Pick<ComponentProps<typeof AddressField>, 'suggestions' | 'whenEmpty'> {
  readonly form: ComponentProps<typeof DialogForm>['form'] & {
    readonly draft: SendDraft
    readonly set: (change: Partial<SendDraft>) => void
    readonly shown: { readonly url?: string | null | undefined }
  }
  readonly children?: ReactNode
}

function SendForm({ form, children, suggestions, whenEmpty, ...dialog }: SendFormProps) {
  const { draft, set } = form
  return (
    <DialogForm {...dialog} form={form} icon={Icons.RotateCw}>
      <AddressField
        url={draft.url}
        error={form.shown.url ?? null}
        suggestions={suggestions}
        whenEmpty={whenEmpty}
        onChange={(url) => set({ url })}
      />
      {children}
      <SendOptions draft={draft} onChange={set} onClose={dialog.onClose} />
    </DialogForm>
  )
}

/** Re-sends a delivery to the target named in the button. Opens a dialog if the target is unknown. */
export function ResendButton({ delivery }: { delivery: Resendable }) {
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
      ) : (
        `Re-send${target === null ? '…' : ''}`
      )}
    </Button>
  )
}

/** Each pace with its defaults. */
const paces = {
  one_by_one: { how: 'one_by_one', stopOnFailure: false },
  rate: { how: 'rate', perSecond: 10 },
  spacing: { how: 'spacing', speed: 1, longestGap: 60_000 },
  concurrent: { how: 'concurrent', concurrency: 8 },
} as const satisfies { [How in JobPace['how']]: Extract<JobPace, { how: How }> }

/** Asks where to re-send the selected deliveries, how to sign them and how fast to send them. */
export function JobDialog() {
  const open = useSelection((state) => state.resendDialogOpen)
  const rows = useDeliveries(({ rows, revision }) => (revision < 0 ? null : rows))
  const selection = useSelection()
  if (!open || rows === null) return null
  const count = countSelected(rows, selection)
  return (
    <Dialog
      open
      onClose={closeResendDialog}
      title={`Re-send ${plural(count, 'delivery', 'deliveries')}`}
      description={
        selection.all === null || selection.all.filter === ''
          ? 'In the order received, each exactly as it was received.'
          : 'All deliveries that currently match the filter, in the order received, each exactly as it was received.'
      }
      wide
    >
      <JobForm count={count} />
    </Dialog>
  )
}

function JobForm({ count }: { count: number }) {
  const client = useClient()
  const suggestions = useTargetSuggestions({})
  const form = useDraft<SendDraft & { readonly pace: JobPace }>(
    { ...defaultDraft, pace: paces.one_by_one },
    ({ url }) => ({ url: urlError(url) }),
    async (draft) => {
      const { ids, all } = useSelection.getState()
      const deliveries =
        all === null
          ? { ids: [...ids].sort((a, b) => a - b) }
          : { filter: all.filter, upTo: all.upTo }
      const job = await withConfirmation(client, () =>
        client.call('jobs.start', { ...deliveries, ...sendRequest(draft), pace: draft.pace }),
      )
      if (job === null) return
      setJob(job)
      clearSelection()
    },
  )
  const { draft, set } = form
  const tooMany =
    count > jobLimit
      ? `A job can contain at most ${formatCount(jobLimit)} deliveries. Narrow the filter.`
      : null
  const to = draft.url.trim() === '' ? ', each to its last target' : hostSuffix(draft)
  return (
    <SendForm
      form={form}
      onClose={closeResendDialog}
      disabled={tooMany !== null}
      action={`Re-send ${formatCount(count)}${to}`}
      suggestions={suggestions}
      whenEmpty="If empty, each delivery goes to its last target, otherwise to the first forward target of its endpoint, otherwise to the Tabscope listener."
    >
      <PaceFields pace={draft.pace} onChange={(pace) => set({ pace })} />
      <ErrorNote error={tooMany} />
    </SendForm>
  )
}

interface PaceFieldsProps {
  pace: JobPace
  onChange: (pace: JobPace) => void
}

function PaceFields({ pace, onChange }: PaceFieldsProps) {
  return (
    <div className="flex flex-col items-start gap-4" role="group" aria-label="Pace">
      <Segments
        label="Pace"
        value={pace.how}
        options={[
          { value: 'one_by_one', label: 'One by one' },
          { value: 'rate', label: 'At a rate' },
          { value: 'spacing', label: 'Original timing' },
          { value: 'concurrent', label: 'In parallel' },
        ]}
        onChange={(how) => onChange(paces[how])}
      />
      <PaceDetails pace={pace} onChange={onChange} />
    </div>
  )
}

function PaceDetails({ pace, onChange }: PaceFieldsProps) {
  switch (pace.how) {
    case 'one_by_one':
      return (
        <label className="flex items-center gap-4 text-s">
          <Checkbox
            checked={pace.stopOnFailure}
            onChange={(stopOnFailure) => onChange({ ...pace, stopOnFailure })}
          />
          Stop at the first response that is not 2xx
        </label>
      )
    case 'rate':
      return (
        <NumberField
          key="rate"
          className="field-short"
          label="Deliveries per second"
          min={0.1}
          max={1000}
          value={pace.perSecond}
          onChange={(perSecond) => onChange({ ...pace, perSecond })}
        />
      )
    case 'spacing':
      return (
        <div className="grid w-full grid-cols-2 gap-5">
          <NumberField
            label="Speed"
            hint="1 is the original timing, 2 is twice as fast."
            min={0.01}
            max={1000}
            value={pace.speed}
            onChange={(speed) => onChange({ ...pace, speed })}
          />
          <NumberField
            label="Longest gap"
            hint="Longer gaps are shortened to this."
            unit="seconds"
            factor={1000}
            min={0}
            max={86_400}
            value={pace.longestGap}
            onChange={(longestGap) => onChange({ ...pace, longestGap })}
          />
        </div>
      )
    case 'concurrent':
      return (
        <NumberField
          key="concurrent"
          className="field-short"
          label="Concurrency"
          hint="Requests start in order, but can arrive in a different order."
          whole
          min={1}
          max={64}
          value={pace.concurrency}
          onChange={(concurrency) => onChange({ ...pace, concurrency })}
        />
      )
  }
}
