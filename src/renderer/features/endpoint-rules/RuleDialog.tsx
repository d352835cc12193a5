import { useState } from 'react'
import type { ResponseRule } from '#contract/endpoint-rules.ts'
import { eventTypes } from '#catalogue/catalogue.ts'
import { FormDialog } from '../../ui/Dialog.tsx'
import { Field, SelectField } from '../../ui/Field.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { visible } from '../../ui/text/visible.ts'
import { HeaderRows } from '../../ui/HeaderRows.tsx'
import { useForm } from '../../ui/use-form.ts'
import { ErrorText } from '../../ui/Failure.tsx'
import { draftOf, faultsOf, newRule, ruleOf, type RuleDraft, type RuleInput } from './rule-draft.ts'
import { LearnMore } from '../help/index.ts'

interface Props {
  /** Null for a new rule. */
  readonly rule: ResponseRule | null
  readonly onSave: (rule: RuleInput) => Promise<void>
  readonly onClose: () => void
}

export function RuleDialog({ rule, onSave, onClose }: Props) {
  const [draft, setDraft] = useState<RuleDraft>(() => (rule ? draftOf(rule) : newRule))
  const set = (change: Partial<RuleDraft>): void => setDraft((before) => ({ ...before, ...change }))
  const form = useForm(faultsOf(draft), async () => {
    await onSave(ruleOf(draft))
    onClose()
  })
  const { shown } = form
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      action={rule ? 'Save' : 'Add rule'}
      title={rule ? 'Edit response rule' : 'Add response rule'}
      description="Test how the service handles other responses. The API documentation does not say whether or when it retries."
      help={<LearnMore page="sending" section="control-the-response" onFollow={onClose} />}
    >
      <SelectField
        label="Event type"
        value={draft.type}
        onChange={(event) => set({ type: event.target.value })}
      >
        <option value="">all types</option>
        {typesWith(draft.type).map((type) => (
          <option key={type} value={type}>
            {visible(type)}
          </option>
        ))}
      </SelectField>
      <Segments
        label="Response"
        value={draft.kind}
        options={[
          { value: 'status', label: 'With a status' },
          { value: 'drop', label: 'Drop the connection' },
        ]}
        onChange={(kind) => set({ kind })}
      />
      {draft.kind === 'status' && (
        <>
          <Field
            label="Status"
            data-mono
            inputMode="numeric"
            value={draft.status}
            error={shown.status}
            onChange={(event) => set({ status: event.target.value })}
          />
          <div className="field">
            <label htmlFor="rule-body">Body</label>
            <textarea
              id="rule-body"
              className="input mono size-s"
              rows={3}
              maxLength={65_536}
              spellCheck={false}
              value={draft.body}
              onChange={(event) => set({ body: event.target.value })}
            />
          </div>
          <HeaderRows
            legend="Headers"
            maximum={50}
            headers={draft.headers}
            onChange={(headers) => set({ headers })}
          />
          <ErrorText error={shown.headers} />
        </>
      )}
      <Field
        label={draft.kind === 'drop' ? 'Drop after' : 'Respond after'}
        inputMode="decimal"
        value={draft.delay}
        after={<span className="dim">seconds</span>}
        error={shown.delay}
        onChange={(event) => set({ delay: event.target.value })}
      />
      <WhenFields draft={draft} faults={shown} set={set} />
    </FormDialog>
  )
}

interface WhenProps {
  readonly draft: RuleDraft
  readonly faults: { readonly count?: string; readonly share?: string }
  readonly set: (change: Partial<RuleDraft>) => void
}

function WhenFields({ draft, faults, set }: WhenProps) {
  return (
    <>
      <Segments
        label="When"
        value={draft.when}
        options={[
          { value: 'always', label: 'Always' },
          { value: 'first', label: 'For the first deliveries' },
          { value: 'share', label: 'At random' },
        ]}
        onChange={(when) => set({ when })}
      />
      {draft.when === 'first' && (
        <Field
          label="How many"
          inputMode="numeric"
          hint="Later deliveries get 200."
          value={draft.count}
          error={faults.count}
          onChange={(event) => set({ count: event.target.value })}
        />
      )}
      {draft.when === 'share' && (
        <Field
          label="Percentage"
          inputMode="decimal"
          after={<span className="dim">%</span>}
          value={draft.share}
          error={faults.share}
          onChange={(event) => set({ share: event.target.value })}
        />
      )}
    </>
  )
}

/** The documented types, and the selected one if it is undocumented. */
function typesWith(selected: string): string[] {
  const known = eventTypes.map(({ type }) => type)
  return selected === '' || known.includes(selected) ? known : [...known, selected]
}
