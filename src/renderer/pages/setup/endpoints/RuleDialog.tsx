import type { CallInput } from '#contract/calls.ts'
import type { ResponseRule } from '#contract/endpoint-rules.ts'
import type { Header } from '#contract/models.ts'
import { eventTypes } from '#catalogue/catalogue.ts'
import { FormDialog } from '#kit/Dialog.tsx'
import { SelectField } from '#kit/Field.tsx'
import { Segments } from '#kit/Switch.tsx'
import { escapeControls } from '#kit/text/visible.ts'
import { HeaderRows } from '#parts/exchange/HeaderRows.tsx'
import { NumberField, useDraft } from '#kit/use-draft.tsx'
import { ErrorText } from '#kit/Note.tsx'
import { OnScriptFailure, ScriptField } from '#parts/ScriptField.tsx'
import { LearnMore } from '#parts/LearnMore.tsx'

export type RuleInput = CallInput<'responses.set'>['rules'][number]

export function inputOf({ type, response, delayMs, when, enabled }: ResponseRule): RuleInput {
  return { type, response, delayMs, when, enabled }
}

interface Props {
  /** Null for a new rule. */
  rule: ResponseRule | null
  onSave: (rule: RuleInput) => Promise<void>
  onClose: () => void
}

const responses = {
  status: { kind: 'status', status: 500, headers: [], body: '' },
  drop: { kind: 'drop' },
  script: { kind: 'script', script: '', onFailure: 'continue' },
} as const satisfies {
  [K in RuleInput['response']['kind']]: Extract<ResponseRule['response'], { kind: K }>
}

const conditions = {
  always: { kind: 'always' },
  first: { kind: 'first', count: 3 },
  share: { kind: 'share', share: 0.2 },
} as const

const newRule: RuleInput = {
  type: null,
  response: { ...responses.status, headers: [] },
  delayMs: 0,
  when: conditions.always,
  enabled: true,
}

/** The error of a response; null: none. */
export function faultOf(response: RuleInput['response']): string | null {
  if (response.kind === 'script' && response.script === '') return 'Select a script.'
  return response.kind === 'status' &&
    response.headers.some(([name, value]) => name.trim() === '' && value.trim() !== '')
    ? 'Enter a name for each header.'
    : null
}

/** As it is sent: headers without a name are left out. */
function cleaned(response: RuleInput['response']): RuleInput['response'] {
  if (response.kind !== 'status') return response
  const headers = response.headers.flatMap(([name, value]): Header[] =>
    name.trim() === '' ? [] : [[name.trim(), value.trim()]],
  )
  return { ...response, headers }
}

export function RuleDialog({ rule, onSave, onClose }: Props) {
  const form = useDraft<RuleInput>(
    rule ? { ...inputOf(rule), enabled: true } : newRule,
    ({ response }) => ({ response: faultOf(response) }),
    async (draft) => {
      await onSave({ ...draft, response: cleaned(draft.response) })
      onClose()
    },
  )
  const { draft, set, value, shown } = form
  const { response, when, type } = draft
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
        value={type ?? ''}
        onChange={({ target }) => set({ type: target.value || null })}
      >
        <option value="">all types</option>
        {typesWith(type).map((each) => (
          <option key={each} value={each}>
            {escapeControls(each)}
          </option>
        ))}
      </SelectField>
      <Segments
        label="Response"
        value={response.kind}
        options={[
          { value: 'status', label: 'With a status' },
          { value: 'drop', label: 'Drop the connection' },
          { value: 'script', label: 'By a script' },
        ]}
        onChange={(kind) => set({ response: { ...responses[kind] } })}
      />
      {response.kind === 'script' && (
        <>
          <ScriptField
            script={response.script || null}
            error={shown.response}
            onChange={(script) => set({ response: { ...response, script: script ?? '' } })}
            onFollow={onClose}
          />
          <OnScriptFailure
            value={response.onFailure}
            onChange={(onFailure) => set({ response: { ...response, onFailure } })}
          />
        </>
      )}
      {response.kind === 'status' && (
        <>
          <NumberField
            label="Status"
            whole
            min={200}
            max={599}
            value={response.status}
            onChange={(status) => set({ response: { ...response, status } })}
          />
          <div className="field">
            <label htmlFor="rule-body">Body</label>
            <textarea
              id="rule-body"
              className="input mono text-s"
              rows={3}
              maxLength={65_536}
              spellCheck={false}
              value={response.body}
              onChange={({ target }) => set({ response: { ...response, body: target.value } })}
            />
          </div>
          <HeaderRows
            legend="Headers"
            maximum={50}
            headers={response.headers}
            onChange={(headers) => set({ response: { ...response, headers: [...headers] } })}
          />
          <ErrorText error={shown.response} />
        </>
      )}
      <NumberField
        label={response.kind === 'drop' ? 'Drop after' : 'Respond after'}
        unit="seconds"
        factor={1000}
        min={0}
        max={120}
        {...value('delayMs')}
      />
      <Segments
        label="When"
        value={when.kind}
        options={[
          { value: 'always', label: 'Always' },
          { value: 'first', label: 'For the first deliveries' },
          { value: 'share', label: 'At random' },
        ]}
        onChange={(kind) => set({ when: conditions[kind] })}
      />
      {when.kind === 'first' && (
        <NumberField
          label="How many"
          whole
          min={1}
          max={1_000_000}
          hint="Later deliveries get 200."
          value={when.count}
          onChange={(count) => set({ when: { ...when, count } })}
        />
      )}
      {when.kind === 'share' && (
        <NumberField
          label="Percentage"
          unit="%"
          factor={0.01}
          min={0}
          max={100}
          value={when.share}
          onChange={(share) => set({ when: { ...when, share } })}
        />
      )}
    </FormDialog>
  )
}

function typesWith(selected: string | null): string[] {
  const known = eventTypes.map(({ type }) => type)
  return selected === null || known.includes(selected) ? known : [...known, selected]
}
