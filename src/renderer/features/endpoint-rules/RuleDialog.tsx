import { useState } from 'react'
import type { CallInput } from '#contract/calls.ts'
import type { ForwardTarget, ResponseRule } from '#contract/endpoint-rules.ts'
import type { Header } from '#contract/models.ts'
import { eventTypes } from '#catalogue/catalogue.ts'
import { FormDialog } from '../../ui/Dialog.tsx'
import { Field, SelectField } from '../../ui/Field.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { escapeControls } from '../../ui/text/visible.ts'
import { HeaderRows } from '../../ui/HeaderRows.tsx'
import { anyNumber, numberOf, onlyErrors, wholeNumber } from '../../platform/field-checks.ts'
import { useForm, fieldsOf } from '../../ui/use-form.ts'
import { ErrorText } from '../../ui/Failure.tsx'
import { OnScriptFailure, ScriptField } from '../scripts/index.ts'
import { LearnMore } from '../help/index.ts'

export type RuleInput = CallInput<'responses.set'>['rules'][number]

export interface RuleDraft {
  readonly type: string
  readonly kind: ResponseRule['response']['kind']
  readonly status: string
  readonly headers: readonly Header[]
  readonly body: string
  /** Seconds. */
  readonly delay: string
  readonly when: 'always' | 'first' | 'share'
  readonly count: string
  /** Percent. */
  readonly share: string
  readonly script: string | null
  readonly onFailure: ForwardTarget['onScriptFailure']
}

export const newRule: RuleDraft = {
  type: '',
  kind: 'status',
  status: '500',
  headers: [],
  body: '',
  delay: '0',
  when: 'always',
  count: '3',
  share: '20',
  script: null,
  onFailure: 'continue',
}

export function draftOf({ type, response, delayMs, when }: ResponseRule): RuleDraft {
  return {
    ...newRule,
    type: type ?? '',
    ...(response.kind === 'status' ? { ...response, status: String(response.status) } : response),
    delay: String(delayMs / 1000),
    when: when.kind,
    ...(when.kind === 'first' ? { count: String(when.count) } : {}),
    ...(when.kind === 'share' ? { share: String(when.share * 100) } : {}),
  }
}

/** Errors of the form fields. */
export type RuleFaults = Partial<
  Record<'status' | 'delay' | 'count' | 'share' | 'headers' | 'script', string>
>

export function faultsOf(draft: RuleDraft): RuleFaults {
  const { kind, when, headers } = draft
  const unnamed = headers.some(([name, value]) => name.trim() === '' && value.trim() !== '')
  return onlyErrors({
    status: kind === 'status' ? wholeNumber(draft.status, 200, 599) : null,
    script: kind === 'script' && draft.script === null ? 'Select a script.' : null,
    headers: kind === 'status' && unnamed ? 'Enter a name for each header.' : null,
    delay: anyNumber(draft.delay, 0, 120),
    count: when === 'first' ? wholeNumber(draft.count, 1, 1_000_000) : null,
    share: when === 'share' ? anyNumber(draft.share, 0, 100) : null,
  })
}

export function ruleOf(draft: RuleDraft): RuleInput {
  return {
    type: draft.type === '' ? null : draft.type,
    response: responseOf(draft),
    delayMs: Math.round(numberOf(draft.delay) * 1000),
    when: whenOf(draft),
    enabled: true,
  }
}

function responseOf({
  kind,
  status,
  headers,
  body,
  script,
  onFailure,
}: RuleDraft): RuleInput['response'] {
  switch (kind) {
    case 'drop':
      return { kind }
    case 'script':
      return { kind, script: script ?? '', onFailure }
    case 'status':
      return {
        kind,
        status: Number(status),
        headers: headers.flatMap(([name, value]): Header[] =>
          name.trim() === '' ? [] : [[name.trim(), value.trim()]],
        ),
        body,
      }
  }
}

function whenOf({ when, count, share }: RuleDraft): RuleInput['when'] {
  switch (when) {
    case 'always':
      return { kind: 'always' }
    case 'first':
      return { kind: 'first', count: Number(count) }
    case 'share':
      return { kind: 'share', share: numberOf(share) / 100 }
  }
}

export function inputOf({ type, response, delayMs, when, enabled }: ResponseRule): RuleInput {
  return { type, response, delayMs, when, enabled }
}

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
  const field = fieldsOf(draft, form.shown, set)
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
            {escapeControls(type)}
          </option>
        ))}
      </SelectField>
      <Segments
        label="Response"
        value={draft.kind}
        options={[
          { value: 'status', label: 'With a status' },
          { value: 'drop', label: 'Drop the connection' },
          { value: 'script', label: 'By a script' },
        ]}
        onChange={(kind) => set({ kind })}
      />
      {draft.kind === 'script' && (
        <>
          <ScriptField
            script={draft.script}
            error={form.shown.script}
            onChange={(script) => set({ script })}
            onFollow={onClose}
          />
          <OnScriptFailure value={draft.onFailure} onChange={(onFailure) => set({ onFailure })} />
        </>
      )}
      {draft.kind === 'status' && (
        <>
          <Field label="Status" data-mono inputMode="numeric" {...field('status')} />
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
          <ErrorText error={form.shown.headers} />
        </>
      )}
      <Field
        label={draft.kind === 'drop' ? 'Drop after' : 'Respond after'}
        inputMode="decimal"
        {...field('delay')}
        after={<span className="dim">seconds</span>}
      />
      <WhenFields draft={draft} field={field} set={set} />
    </FormDialog>
  )
}

interface WhenProps {
  readonly draft: RuleDraft
  readonly field: ReturnType<typeof fieldsOf<RuleDraft>>
  readonly set: (change: Partial<RuleDraft>) => void
}

function WhenFields({ draft, field, set }: WhenProps) {
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
          {...field('count')}
        />
      )}
      {draft.when === 'share' && (
        <Field
          label="Percentage"
          inputMode="decimal"
          after={<span className="dim">%</span>}
          {...field('share')}
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
