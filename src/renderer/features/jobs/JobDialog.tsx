import { Icons } from '../../ui/icons.tsx'
import { useState } from 'react'
import { targetAddress } from '#shared/text/address.ts'
import { jobLimit } from '#contract/constants.ts'
import type { JobPace } from '#contract/sending.ts'
import { Grid, Row, Stack } from '../../ui/Layout.tsx'
import { Dialog, DialogForm } from '../../ui/Dialog.tsx'
import { formatCount, plural } from '#shared/text/format.ts'
import { truncate, escapeControls } from '../../ui/text/visible.ts'
import { useClient } from '../../platform/use-client.ts'
import { countSelected } from '../../state/select-deliveries.ts'
import { clearSelection, closeResendDialog, useSelection } from '../../state/selection.ts'
import { useDeliveries } from '../../state/deliveries.ts'
import { hostOf } from '../attempts/index.ts'
import {
  AddressField,
  SendOptions,
  useTargetSuggestions,
  defaultDraft,
  timeoutError,
  type SendDraft,
  urlError,
  sendRequest,
} from '../sending/index.ts'
import { withConfirmation } from '../targets/index.ts'
import { setJob } from '../../state/jobs.ts'
import { Field, Checkbox } from '../../ui/Field.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { anyNumber, numberOf, onlyErrors, wholeNumber } from '../../platform/field-checks.ts'
import { useForm, fieldsOf } from '../../ui/use-form.ts'
import { ErrorNote } from '../../ui/Failure.tsx'
import './Jobs.css'

/** The pace as entered by the user. */
interface PaceDraft {
  readonly how: JobPace['how']
  readonly stopOnFailure: boolean
  readonly perSecond: string
  readonly speed: string
  /** In seconds. */
  readonly longestGap: string
  readonly concurrency: string
}

export const defaultPace: PaceDraft = {
  how: 'one_by_one',
  stopOnFailure: false,
  perSecond: '10',
  speed: '1',
  longestGap: '60',
  concurrency: '8',
}

type PaceErrors = Partial<Record<'perSecond' | 'speed' | 'longestGap' | 'concurrency', string>>

/** The errors in a draft. Only the fields of the selected pace are checked. */
export function paceErrors(draft: PaceDraft): PaceErrors {
  const { how } = draft
  return onlyErrors({
    perSecond: how === 'rate' ? anyNumber(draft.perSecond, 0.1, 1000) : null,
    speed: how === 'spacing' ? anyNumber(draft.speed, 0.01, 1000) : null,
    longestGap: how === 'spacing' ? anyNumber(draft.longestGap, 0, 86_400) : null,
    concurrency: how === 'concurrent' ? wholeNumber(draft.concurrency, 1, 64) : null,
  })
}

/** The pace for the engine. The draft must have no errors. */
export function paceOf(draft: PaceDraft): JobPace {
  switch (draft.how) {
    case 'one_by_one':
      return { how: 'one_by_one', stopOnFailure: draft.stopOnFailure }
    case 'rate':
      return { how: 'rate', perSecond: numberOf(draft.perSecond) }
    case 'spacing':
      return {
        how: 'spacing',
        speed: numberOf(draft.speed),
        longestGap: Math.round(numberOf(draft.longestGap) * 1000),
      }
    case 'concurrent':
      return { how: 'concurrent', concurrency: numberOf(draft.concurrency) }
  }
}

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
  const [draft, setDraft] = useState<SendDraft>(defaultDraft)
  const [pace, setPace] = useState<PaceDraft>(defaultPace)
  const errors = {
    url: urlError(draft.url),
    seconds: timeoutError(draft.seconds),
    count:
      count > jobLimit
        ? `A job can contain at most ${formatCount(jobLimit)} deliveries. Narrow the filter.`
        : null,
    ...paceErrors(pace),
  }
  const form = useForm(errors, async () => {
    const { ids, all } = useSelection.getState()
    const deliveries =
      all === null
        ? { ids: [...ids].sort((a, b) => a - b) }
        : { filter: all.filter, upTo: all.upTo }
    const job = await withConfirmation(client, () =>
      client.call('jobs.start', { ...deliveries, ...sendRequest(draft), pace: paceOf(pace) }),
    )
    if (job === null) return
    setJob(job)
    clearSelection()
  })
  return (
    <DialogForm
      form={form}
      onClose={close}
      icon={Icons.RotateCw}
      action={
        <>
          Re-send {formatCount(count)}
          {draft.url.trim() === ''
            ? ', each to its last target'
            : errors.url === null &&
              ` to ${escapeControls(truncate(hostOf(targetAddress(draft.url)), 40))}`}
        </>
      }
    >
      <AddressField
        url={draft.url}
        error={form.shown.url ?? null}
        suggestions={suggestions}
        whenEmpty="If empty, each delivery goes to its last target, otherwise to the first forward target of its endpoint, otherwise to the Tabscope listener."
        onChange={(url) => setDraft((before) => ({ ...before, url }))}
      />
      <PaceFields
        pace={pace}
        errors={form.shown}
        onChange={(change) => setPace((before) => ({ ...before, ...change }))}
      />
      <SendOptions
        draft={draft}
        secondsError={form.shown.seconds ?? null}
        onChange={(change) => setDraft((before) => ({ ...before, ...change }))}
        onClose={close}
      />
      <ErrorNote error={errors.count} />
    </DialogForm>
  )
}

interface PaceFieldsProps {
  readonly pace: PaceDraft
  readonly errors: PaceErrors
  readonly onChange: (change: Partial<PaceDraft>) => void
}

/** How fast deliveries are sent. They are always sent in the order received. */
function PaceFields({ pace, errors, onChange }: PaceFieldsProps) {
  return (
    <Stack column gap={4} align="start" role="group" aria-label="Pace">
      <Segments
        label="Pace"
        value={pace.how}
        options={[
          { value: 'one_by_one', label: 'One by one' },
          { value: 'rate', label: 'At a rate' },
          { value: 'spacing', label: 'Original timing' },
          { value: 'concurrent', label: 'In parallel' },
        ]}
        onChange={(how) => onChange({ how })}
      />
      <PaceDetails pace={pace} errors={errors} onChange={onChange} />
    </Stack>
  )
}

function PaceDetails({ pace, errors, onChange }: PaceFieldsProps) {
  const field = fieldsOf(pace, errors, onChange)
  switch (pace.how) {
    case 'one_by_one':
      return (
        <Row as="label" align="center" gap={4} size="s" className="send-check">
          <Checkbox
            checked={pace.stopOnFailure}
            onChange={(stopOnFailure) => onChange({ stopOnFailure })}
          />
          Stop at the first response that is not 2xx
        </Row>
      )
    case 'rate':
      return (
        <Field
          className="field-short"
          label="Deliveries per second"
          inputMode="decimal"
          {...field('perSecond')}
        />
      )
    case 'spacing':
      return (
        <Grid columns="1 1" gap={5} wide>
          <Field
            label="Speed"
            inputMode="decimal"
            hint="1 is the original timing, 2 is twice as fast."
            {...field('speed')}
          />
          <Field
            label="Longest gap"
            inputMode="decimal"
            hint="Longer gaps are shortened to this."
            {...field('longestGap')}
            after={<span className="field-unit">seconds</span>}
          />
        </Grid>
      )
    case 'concurrent':
      return (
        <Field
          className="field-short"
          label="Concurrency"
          inputMode="numeric"
          hint="Requests start in order, but can arrive in a different order."
          {...field('concurrency')}
        />
      )
  }
}
