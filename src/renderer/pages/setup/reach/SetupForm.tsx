import type { TunnelProviderView, TunnelView, TunnelSetup, TunnelField } from '#contract/tunnel.ts'
import { Button } from '#kit/Button.tsx'
import { useAction, messageOf } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { Icons } from '#kit/icons.tsx'
import { useState } from 'react'
import { openConfirmed } from '#parts/tunnel/commands.ts'
import { Field } from '#kit/Field.tsx'
import { Shown } from '#kit/Shown.tsx'
import { ErrorNote, Note } from '#kit/Note.tsx'
import { CallError } from '#client/client.ts'
import './Setup.css'

interface Props {
  view: TunnelView
  providers: readonly TunnelProviderView[]
  detectAgain: () => void
}

/** The tunnel provider and its options. */
export function SetupForm({ view, providers, detectAgain }: Props) {
  const client = useClient()
  /** The user's changes; null to show the stored setup. */
  const [changes, setChanges] = useState<SetupDraft | null>(null)
  const draft = changes ?? draftOf(view.setup)
  const fields = providers.find(({ id }) => id === draft.provider)?.fields ?? []
  const setup = setupOf(draft, fields)
  const [done, setDone] = useState<TunnelSetup | null>(null)
  const send = useAction(async (open: boolean) => {
    if (open && !(await openConfirmed(client, setup))) return
    if (!open) await client.call('tunnel.configure', { setup })
    setChanges(null)
    setDone(setup)
  })
  const errors = setupErrors(send.error, fields)
  const changed = !sameSetup(setup, view.setup)
  const saved = !changed && !send.busy && done !== null && sameSetup(done, setup)
  const change = (next: SetupDraft): void => {
    setChanges(next)
    setDone(null)
    send.reset()
  }
  return (
    <form
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (!send.busy) send.start(false)
      }}
    >
      <fieldset className="grid gap-4" data-scrolls>
        <legend className="visually-hidden">Tunnel provider</legend>
        {providers.map((provider) => (
          <Provider
            key={provider.id}
            provider={provider}
            draft={draft}
            errors={errors.fields}
            detectAgain={detectAgain}
            onChange={change}
          />
        ))}
      </fieldset>
      <ErrorNote error={errors.general} />
      {view.temporary && (
        <Note tone="info">
          The current tunnel was set on the command line for this run. Your saved setup is
          unchanged.
        </Note>
      )}
      <div className="flex flex-wrap items-center gap-4">
        <Button
          kind={changed || view.state === 'off' ? 'primary' : 'plain'}
          busy={send.busy}
          onClick={() => send.start(true)}
        >
          {view.state === 'off' ? 'Open tunnel' : 'Reopen tunnel'}
        </Button>
        <Button type="submit" busy={send.busy}>
          Save
        </Button>
        <span className="inline-flex items-center gap-2 text-s text-valid" role="status">
          {saved && (
            <>
              <Icons.Check /> Saved
            </>
          )}
        </span>
        {changed && <span className="text-dim">Not saved</span>}
      </div>
    </form>
  )
}

interface ProviderProps {
  provider: TunnelProviderView
  draft: SetupDraft
  /** By field name. */
  errors: Readonly<Record<string, string>>
  detectAgain: () => void
  onChange: (draft: SetupDraft) => void
}

/** A provider with the program that it needs, and its options if it is selected. */
function Provider({ provider, draft, errors, detectAgain, onChange }: ProviderProps) {
  const { id, label, description, missing, program, fields, notes } = provider
  const selected = id === draft.provider
  return (
    <div
      className="framed provider rounded-md bg-raised not-data-selected:hover:border-line-strong data-selected:border-accent data-selected:bg-select [&_input[type=radio]]:mt-1 [&_input[type=radio]]:outline-none"
      data-selected={selected || undefined}
      data-provider={id}
    >
      <label className="grid grid-cols-auto-1 gap-x-4 px-5 py-4">
        <input
          type="radio"
          name="tunnel-provider"
          value={id}
          checked={selected}
          onChange={() => onChange({ ...draft, provider: id })}
        />
        <b>{label}</b>
        <span className="col-2 text-s text-mid">{description}</span>
      </label>
      {(missing !== null || program !== null) && (
        <div
          className="flex items-start gap-3 pr-5 pb-4 pl-9 text-s [&>svg]:mt-1 [&>svg]:text-tone"
          data-tone={missing === null ? 'valid' : 'warning'}
        >
          {missing === null ? <Icons.CircleCheck /> : <Icons.CircleAlert />}
          <p className="min-w-0 flex-1 wrap-anywhere text-mid select-text">
            <Shown text={missing ?? `Found at ${program}`} max={400} />
          </p>
          {missing !== null && (
            <Button kind="quiet" small onClick={detectAgain}>
              Detect again
            </Button>
          )}
        </div>
      )}
      {selected && (
        <div className="grid gap-5 pr-5 pb-4 pl-9 [&_.field-hint]:text-mid">
          {fields.map((field) => (
            <Field
              key={field.name}
              label={field.required ? field.label : `${field.label} (optional)`}
              data-mono
              placeholder={field.placeholder}
              hint={field.hint}
              maxLength={2000}
              error={errors[field.name]}
              value={draft.options[id]?.[field.name] ?? ''}
              onChange={({ target }) => onChange(withOption(draft, field.name, target.value))}
            />
          ))}
          {notes.length > 0 && (
            <ul className="grid list-disc gap-2 pl-6 text-s text-mid" aria-label="Limitations">
              {notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          )}
        </div>
      )}
    </div>
  )
}

type Options = Readonly<Record<string, string>>

interface SetupDraft {
  readonly provider: string
  readonly options: Readonly<Record<string, Options>>
}

export function draftOf({ provider, options }: TunnelSetup): SetupDraft {
  return { provider, options: { [provider]: options } }
}

export function withOption(draft: SetupDraft, name: string, value: string): SetupDraft {
  const { provider, options } = draft
  return {
    ...draft,
    options: { ...options, [provider]: { ...options[provider], [name]: value } },
  }
}

/** The setup to request, with only the non-empty fields of the provider. */
export function setupOf(
  { provider, options }: SetupDraft,
  fields: readonly TunnelField[],
): TunnelSetup {
  const written = options[provider] ?? {}
  const given = fields.flatMap(({ name }) => {
    const value = (written[name] ?? '').trim()
    return value === '' ? [] : [[name, value] as const]
  })
  return { provider, options: Object.fromEntries(given) }
}

export function sameSetup(a: TunnelSetup, b: TunnelSetup): boolean {
  const names = Object.keys(a.options)
  return (
    a.provider === b.provider &&
    names.length === Object.keys(b.options).length &&
    names.every((name) => a.options[name] === b.options[name])
  )
}

interface SetupErrors {
  /** By field name. */
  readonly fields: Readonly<Record<string, string>>
  /** An error that belongs to no field. */
  readonly general: string | null
}

/** Assigns an error of the engine to its field. */
export function setupErrors(error: unknown, fields: readonly TunnelField[]): SetupErrors {
  if (error === null) return { fields: {}, general: null }
  const message = messageOf(error)
  const paths = error instanceof CallError ? fieldsOf(error) : []
  const field = fields.find(({ name }) =>
    // The engine reports "url", the contract's schema check reports "setup.options.url".
    paths.some((path) => path === name || path.endsWith(`.options.${name}`)),
  )
  return field
    ? { fields: { [field.name]: message }, general: null }
    : { fields: {}, general: message }
}

function fieldsOf({ details }: CallError): readonly string[] {
  const fields = details?.['fields']
  return Array.isArray(fields) ? fields.filter((path) => typeof path === 'string') : []
}
