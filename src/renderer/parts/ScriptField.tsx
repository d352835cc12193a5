import type { ForwardTarget } from '#contract/endpoint-rules.ts'
import { useQuery } from '#client/use-client.ts'
import { SelectField } from '#kit/Field.tsx'
import { Segments } from '#kit/Switch.tsx'
import { escapeControls } from '#kit/text/visible.ts'

interface Props {
  readonly script: string | null
  readonly error?: string | null | undefined
  readonly onChange: (script: string | null) => void
  /** Closes the dialog, before the page of scripts is opened. */
  readonly onFollow: () => void
}

/** Selects a saved script, or none. Without any, it is a link to the page of scripts. */
export function ScriptField({ script, error, onChange, onFollow }: Props) {
  const { state } = useQuery('scripts.list', {})
  if (state.phase !== 'ready') return null
  const names = state.value.map(({ name }) => name)
  const link = (
    <a
      className="text-s"
      href="#/setup/scripts"
      onClick={(event) => {
        // The browser does not follow a link that is removed with its dialog.
        event.preventDefault()
        onFollow()
        location.assign('#/setup/scripts')
      }}
    >
      {names.length === 0 ? 'Write a script' : 'Scripts'}
    </a>
  )
  if (names.length === 0 && script === null) {
    return (
      <p className="text-s text-mid">
        {error ? <span className="field-error">{error}</span> : 'No script is saved.'} {link}
      </p>
    )
  }
  return (
    <SelectField
      label="Script"
      value={script ?? ''}
      error={error}
      after={link}
      onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
    >
      <option value="">none</option>
      {[...new Set([...names, ...(script === null ? [] : [script])])].map((name) => (
        <option key={name} value={name}>
          {escapeControls(name)}
        </option>
      ))}
    </SelectField>
  )
}

type OnFailure = ForwardTarget['onScriptFailure']

interface OnFailureProps {
  readonly value: OnFailure
  readonly onChange: (value: OnFailure) => void
}

export function OnScriptFailure({ value, onChange }: OnFailureProps) {
  return (
    <Segments
      label="If the script fails"
      value={value}
      options={[
        { value: 'continue', label: 'If it fails, continue without it' },
        { value: 'hold', label: 'If it fails, hold' },
      ]}
      onChange={onChange}
    />
  )
}
