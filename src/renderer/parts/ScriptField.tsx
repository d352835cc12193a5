import type { ForwardTarget } from '#contract/endpoint-rules.ts'
import type { Script } from '#contract/scripts.ts'
import { plural } from '#shared/text/format.ts'
import { deliveryAddress, filterAddress } from '#client/addresses/deliveries.ts'
import { scriptAddress } from '#client/addresses/pages.ts'
import { useQuery, useRefresh } from '#client/use-client.ts'
import { SelectField } from '#kit/Field.tsx'
import { Segments } from '#kit/Switch.tsx'
import { DialogLink } from './LearnMore.tsx'
import { Icons } from '#kit/icons.tsx'
import { Shown } from '#kit/Shown.tsx'
import { escapeControls } from '#kit/text/visible.ts'

interface Props {
  script: string | null
  error?: string | null | undefined
  onChange: (script: string | null) => void
  /** Closes the dialog, before the page of scripts is opened. */
  onFollow: () => void
}

/** Selects a saved script, or none. Without any, it is a link to the page of scripts. */
export function ScriptField({ script, error, onChange, onFollow }: Props) {
  const { state } = useQuery('scripts.list', {})
  if (state.phase !== 'ready') return null
  const names = state.value.map(({ name }) => name)
  const link = (
    <DialogLink className="text-s" href="#/setup/scripts" onFollow={onFollow}>
      {names.length === 0 ? 'Write a script' : 'Scripts'}
    </DialogLink>
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

export function OnScriptFailure(props: {
  value: ForwardTarget['onScriptFailure']
  onChange: (value: ForwardTarget['onScriptFailure']) => void
}) {
  return (
    <Segments
      {...props}
      label="If the script fails"
      options={[
        { value: 'continue', label: 'If it fails, continue without it' },
        { value: 'hold', label: 'If it fails, hold' },
      ]}
    />
  )
}

const pushes = ['deliveries.changed', 'scripts.changed'] as const

/** The saved script that a rule or target uses, and the deliveries on which it failed, if any. */
export function UsedScript({ name }: { name: string }) {
  const query = useQuery('scripts.list', {})
  useRefresh(null, pushes, 2000, query.reload)
  const scripts = query.state.phase === 'ready' ? query.state.value : []
  return (
    <>
      <a href={scriptAddress(name)}>
        <Shown text={name} />
      </a>
      <ScriptFailed failed={scripts.find((script) => script.name === name)?.failed} />
    </>
  )
}

export function ScriptFailed({ failed }: Pick<Script, 'failed'>) {
  if (!failed) return null
  const { count, deliveryId, reason } = failed
  return (
    <span className="block wrap-anywhere text-warning icon-xs" role="status">
      <Icons.TriangleAlert aria-hidden /> The script failed for{' '}
      <a href={filterAddress('finding:script.failed')}>{plural(count, 'delivery', 'deliveries')}</a>
      , last for <a href={deliveryAddress(deliveryId, null)}>#{deliveryId}</a>:{' '}
      <Shown text={reason} />
    </span>
  )
}
