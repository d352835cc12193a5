import { Icons } from '#kit/icons.tsx'
import { targetAddress } from '#shared/text/address.ts'
import { jobLimit } from '#contract/constants.ts'
import type { JobPace } from '#contract/sending.ts'
import { Dialog, DialogForm } from '#kit/Dialog.tsx'
import { formatCount, plural } from '#shared/text/format.ts'
import { shortText } from '#kit/text/visible.ts'
import { useClient } from '#client/use-client.ts'
import { countSelected } from '#client/state/select-deliveries.ts'
import { clearSelection, closeResendDialog, useSelection } from '#client/state/selection.ts'
import { useDeliveries } from '#client/state/deliveries.ts'
import { hostOf } from './labels.ts'
import {
  AddressField,
  SendOptions,
  defaultDraft,
  type SendDraft,
  urlError,
  sendRequest,
} from './SendFields.tsx'
import { useTargetSuggestions } from './target-suggestions.ts'
import { withConfirmation } from './ConfirmTarget.tsx'
import { setJob } from '#client/state/jobs.ts'
import { Checkbox } from '#kit/Field.tsx'
import { Segments } from '#kit/Switch.tsx'
import { NumberField, useDraft } from '#kit/use-draft.tsx'
import { ErrorNote } from '#kit/Note.tsx'
import './Jobs.css'

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
      onClose={close}
      title={`Re-send ${plural(count, 'delivery', 'deliveries')}`}
      description={
        selection.all === null || selection.all.filter === ''
          ? 'In the order received, each exactly as it was received.'
          : 'All deliveries that currently match the filter, in the order received, each exactly as it was received.'
      }
      wide
    >
      <ResendForm count={count} />
    </Dialog>
  )
}

function close(): void {
  closeResendDialog()
}

function ResendForm({ count }: { readonly count: number }) {
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
  return (
    <DialogForm
      form={form}
      onClose={close}
      icon={Icons.RotateCw}
      disabled={tooMany !== null}
      action={
        <>
          Re-send {formatCount(count)}
          {draft.url.trim() === ''
            ? ', each to its last target'
            : urlError(draft.url) === null &&
              ` to ${shortText(hostOf(targetAddress(draft.url)), 40)}`}
        </>
      }
    >
      <AddressField
        url={draft.url}
        error={form.shown.url ?? null}
        suggestions={suggestions}
        whenEmpty="If empty, each delivery goes to its last target, otherwise to the first forward target of its endpoint, otherwise to the Tabscope listener."
        onChange={(url) => set({ url })}
      />
      <PaceFields pace={draft.pace} onChange={(pace) => set({ pace })} />
      <SendOptions draft={draft} onChange={set} onClose={close} />
      <ErrorNote error={tooMany} />
    </DialogForm>
  )
}

interface PaceFieldsProps {
  readonly pace: JobPace
  readonly onChange: (pace: JobPace) => void
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
