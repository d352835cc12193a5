import { useState } from 'react'
import type { CallInput } from '#contract/calls.ts'
import { defaultForward, type ForwardTarget } from '#contract/endpoint-rules.ts'
import { Text, Grid, Row } from '../../ui/Layout.tsx'
import { FormDialog } from '../../ui/Dialog.tsx'
import { Field, Checkbox } from '../../ui/Field.tsx'
import { Note } from '../../ui/Note.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { useRelays } from '../../state/relays.ts'
import { useClient } from '../../platform/use-client.ts'
import { withConfirmation } from '../targets/index.ts'
import { eventTypeOf, eventTypes } from '#catalogue/catalogue.ts'
import { EventIcon } from '../../ui/EventIcon.tsx'
import { escapeControls } from '../../ui/text/visible.ts'
import { anyNumber, numberOf, onlyErrors, wholeNumber } from '../../platform/field-checks.ts'
import { useForm, fieldsOf } from '../../ui/use-form.ts'
import { OnScriptFailure, ScriptField } from '../scripts/index.ts'
import { LearnMore } from '../help/index.ts'

export type ForwardInput = Omit<CallInput<'forwards.add'>, 'endpointId' | 'temporary'>

export interface ForwardDraft {
  readonly url: string
  readonly types: readonly string[]
  readonly mode: ForwardTarget['mode']
  readonly retries: string
  /** Seconds. */
  readonly timeout: string
  readonly inFlight: string
  readonly queue: string
  readonly script: string | null
  readonly onScriptFailure: ForwardTarget['onScriptFailure']
}

export function draftOf(forward: ForwardTarget | null): ForwardDraft {
  const { retries, timeoutMs, concurrency, queueLimit, ...same } = {
    url: '',
    ...defaultForward,
    ...forward,
  }
  return {
    url: same.url,
    types: same.types,
    mode: same.mode,
    script: same.script,
    onScriptFailure: same.onScriptFailure,
    retries: String(retries),
    timeout: String(timeoutMs / 1000),
    inFlight: String(concurrency),
    queue: String(queueLimit),
  }
}

export type ForwardFaults = Partial<
  Record<'url' | 'retries' | 'timeout' | 'inFlight' | 'queue', string>
>

/** Returns the errors of the form fields. The engine validates the address itself. */
export function faultsOf(draft: ForwardDraft): ForwardFaults {
  const isEmpty = draft.url.trim() === ''
  return onlyErrors({
    url: isEmpty ? 'Enter an address, such as http://localhost:3000/hooks.' : null,
    retries: wholeNumber(draft.retries, 0, 20),
    timeout: anyNumber(draft.timeout, 0.001, 120),
    inFlight: wholeNumber(draft.inFlight, 1, 32),
    queue: wholeNumber(draft.queue, 1, 100_000),
  })
}

/** Converts a valid form into the input of the call. */
export function inputOf(draft: ForwardDraft): ForwardInput {
  return {
    url: draft.url.trim(),
    types: [...draft.types],
    mode: draft.mode,
    retries: Number(draft.retries),
    timeoutMs: Math.round(numberOf(draft.timeout) * 1000),
    concurrency: Number(draft.inFlight),
    queueLimit: Number(draft.queue),
    script: draft.script,
    onScriptFailure: draft.onScriptFailure,
  }
}

interface Props {
  /** Null for a new target. */
  readonly forward: ForwardTarget | null
  readonly onSave: (forward: ForwardInput) => Promise<void>
  readonly onClose: () => void
}

export function ForwardDialog({ forward, onSave, onClose }: Props) {
  const [draft, setDraft] = useState<ForwardDraft>(() => draftOf(forward))
  const client = useClient()
  const hasRelays = useRelays(({ relays }) => relays.length > 0)
  const set = (change: Partial<ForwardDraft>): void =>
    setDraft((before) => ({ ...before, ...change }))
  const form = useForm(faultsOf(draft), async () => {
    const confirmed = await withConfirmation(client, async () => {
      await onSave(inputOf(draft))
      return true
    })
    if (confirmed) onClose()
  })
  const field = fieldsOf(draft, form.shown, set)
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      action={forward ? 'Save' : 'Forward'}
      title={forward ? 'Edit forward target' : 'Forward deliveries'}
      description="Each delivery is forwarded exactly as received, unless a script changes it. Only the Host header changes to match the address."
      help={<LearnMore page="sending" section="forward-deliveries" onFollow={onClose} />}
    >
      <Field label="To" data-mono placeholder="http://localhost:3000/webhooks" {...field('url')} />
      <TypeChoice types={draft.types} onChange={(types) => set({ types })} />
      <Segments
        label="When"
        value={draft.mode}
        options={[
          { value: 'after', label: 'Respond first, then forward' },
          { value: 'return', label: 'Return the target’s response' },
        ]}
        onChange={(mode) => set({ mode })}
      />
      {draft.mode === 'return' && (
        <Note tone="info">
          The service waits for this target. If the target does not respond, Tabscope returns 502.
          The delivery is stored either way.
          {hasRelays &&
            ' Receivers of a relay have responded already: for their deliveries, the response of the target is only recorded.'}
        </Note>
      )}
      <ScriptField
        script={draft.script}
        onChange={(script) => set({ script })}
        onFollow={onClose}
      />
      {draft.script !== null && draft.mode === 'after' && (
        <OnScriptFailure
          value={draft.onScriptFailure}
          onChange={(value) => set({ onScriptFailure: value })}
        />
      )}
      <Numbers mode={draft.mode} field={field} />
    </FormDialog>
  )
}

interface NumbersProps {
  readonly mode: ForwardDraft['mode']
  readonly field: ReturnType<typeof fieldsOf<ForwardDraft>>
}

function Numbers({ mode, field }: NumbersProps) {
  return (
    <Grid align="start" columns="1 1" gap={5}>
      <Field
        label="Time limit"
        inputMode="decimal"
        after={<span className="dim">seconds</span>}
        {...field('timeout')}
      />
      {mode === 'after' && (
        <>
          <Field
            label="Retries"
            inputMode="numeric"
            hint="After 1 s, 2 s, 4 s … 60 s."
            {...field('retries')}
          />
          <Field
            label="Concurrency"
            inputMode="numeric"
            hint="1 keeps the order."
            {...field('inFlight')}
          />
          <Field
            label="Queue limit"
            inputMode="numeric"
            hint="Beyond this, the oldest are dropped and reported."
            {...field('queue')}
          />
        </>
      )}
    </Grid>
  )
}

interface TypeChoiceProps {
  /** Empty for all types. */
  readonly types: readonly string[]
  readonly onChange: (types: readonly string[]) => void
}

function TypeChoice({ types, onChange }: TypeChoiceProps) {
  const known = eventTypes.map(({ type }) => type)
  const shown = [...known, ...types.filter((type) => !known.includes(type))]
  return (
    <fieldset>
      <Text as="legend" pad={[2, 0]} tone="mid" size="s" weight="semibold">
        Types{' '}
        <Text tone="dim" weight="normal">
          {types.length === 0 ? 'all, as none is selected' : ''}
        </Text>
      </Text>
      <Grid columns="1 1" gap={1} gapX={5}>
        {shown.map((type) => (
          <Row as="label" align="center" gap={3} pad={[1, 0]} size="xs" key={type}>
            <Checkbox
              checked={types.includes(type)}
              onChange={(checked) =>
                onChange(checked ? [...types, type] : types.filter((each) => each !== type))
              }
            />
            <EventIcon name={eventTypeOf(type)?.view.icon ?? 'circle-question-mark'} />
            <span className="mono">{escapeControls(type)}</span>
          </Row>
        ))}
      </Grid>
    </fieldset>
  )
}
