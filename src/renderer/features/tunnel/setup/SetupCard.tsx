import type { TunnelProviderView, TunnelView, TunnelSetup, TunnelField } from '#contract/tunnel.ts'
import { Text, Grid, Row, Stack } from '../../../ui/Layout.tsx'
import { Note } from '../../../ui/Note.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Page.tsx'
import { type Loaded, useAction, useClient } from '../../../platform/use-client.ts'
import { Check, CircleAlert, CircleCheck } from 'lucide-react'
import { useId, useState } from 'react'
import { openConfirmed } from '../commands.ts'
import { Field } from '../../../ui/Field.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { cut } from '../../../ui/text/visible.ts'
import { CallError, sentence } from '../../../platform/call-error.ts'
import './Setup.css'

interface Props {
  readonly view: TunnelView
  readonly providers: Loaded<readonly TunnelProviderView[]>
  /** Looks again what is installed. */
  readonly reload: () => void
}

/** Tunnel provider. */
export function SetupCard({ view, providers: state, reload }: Props) {
  return (
    <Card title="Provider" note="Used each time the tunnel opens, also after a restart.">
      {state.phase === 'ready' ? (
        <SetupForm view={view} providers={state.value} lookAgain={reload} />
      ) : state.phase === 'failed' ? (
        <Note tone="invalid" alert action={<Button onClick={reload}>Try again</Button>}>
          {state.message}
        </Note>
      ) : (
        <p className="dim" role="status">
          Detecting installed providers
        </p>
      )}
    </Card>
  )
}

interface SetupFormProps {
  readonly view: TunnelView
  readonly providers: readonly TunnelProviderView[]
  readonly lookAgain: () => void
}

/** The providers as cards, the settings of the chosen one in it, and what to do with them. */
function SetupForm({ view, providers, lookAgain }: SetupFormProps) {
  const client = useClient()
  /** Null: nothing is written, and what is stored is shown. */
  const [written, setWritten] = useState<SetupDraft | null>(null)
  const draft = written ?? draftOf(view.setup)
  const fields = providers.find(({ id }) => id === draft.provider)?.fields ?? []
  const wish = setupOf(draft, fields)
  const [done, setDone] = useState<TunnelSetup | null>(null)
  const send = useAction(async (open: boolean) => {
    if (open && !(await openConfirmed(client, wish))) return
    if (!open) await client.call('tunnel.configure', { setup: wish })
    setWritten(null)
    setDone(wish)
  })
  const errors = setupErrors(send.error, fields)
  const changed = !sameSetup(wish, view.setup)
  const saved = !changed && !send.busy && done !== null && sameSetup(done, wish)
  const change = (next: SetupDraft): void => {
    setWritten(next)
    setDone(null)
    send.reset()
  }
  return (
    <Stack
      as="form"
      gap={5}
      onSubmit={(event) => {
        event.preventDefault()
        if (!send.busy) send.start(false)
      }}
    >
      <ProviderChoice
        providers={providers}
        draft={draft}
        errors={errors.fields}
        lookAgain={lookAgain}
        onChoose={(provider) => change({ ...draft, provider })}
        onWrite={(name, value) => change(withOption(draft, name, value))}
      />
      {errors.whole !== null && (
        <Note tone="invalid" alert>
          {errors.whole}
        </Note>
      )}
      {view.temporary && (
        <Note tone="info">
          The current tunnel was set on the command line for this run. Your saved setup is
          unchanged.
        </Note>
      )}
      <Row wrap align="center" gap={4}>
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
        <Row as="span" inline align="center" gap={2} tone="valid" size="s" role="status">
          {saved && (
            <>
              <Check aria-hidden /> Saved
            </>
          )}
        </Row>
        {changed && <span className="dim">not saved yet</span>}
      </Row>
    </Stack>
  )
}

interface ProviderChoiceProps {
  readonly providers: readonly TunnelProviderView[]
  readonly draft: SetupDraft
  /** By the name of the field. */
  readonly errors: Readonly<Record<string, string>>
  readonly lookAgain: () => void
  readonly onChoose: (provider: string) => void
  readonly onWrite: (field: string, value: string) => void
}

/** One of the providers: a card each, all drawn from what the engine tells of them. */
function ProviderChoice({ providers, draft, lookAgain, onChoose, ...rest }: ProviderChoiceProps) {
  const name = useId()
  return (
    <Stack as="fieldset" gap={4} className="providers" data-scrolls>
      <legend className="visually-hidden">Tunnel provider</legend>
      {providers.map((provider) => {
        const chosen = provider.id === draft.provider
        return (
          <div
            key={provider.id}
            className="ground-raised round-m framed provider"
            data-chosen={chosen || undefined}
            data-provider={provider.id}
          >
            <Grid as="label" columns="auto 1" gapX={4} pad={[4, 5]}>
              <input
                type="radio"
                name={name}
                value={provider.id}
                checked={chosen}
                onChange={() => onChoose(provider.id)}
              />
              <b>{provider.label}</b>
              <Text tone="mid" size="s" className="provider-about">
                {provider.about}
              </Text>
            </Grid>
            <Program provider={provider} lookAgain={lookAgain} />
            {chosen && <Chosen provider={provider} draft={draft} {...rest} />}
          </div>
        )
      })}
    </Stack>
  )
}

/** The program that it needs: where it was found, or what to do. */
function Program(props: { readonly provider: TunnelProviderView; readonly lookAgain: () => void }) {
  const { missing, program } = props.provider
  if (missing !== null) {
    return (
      <Row align="start" gap={3} size="s" className="provider-program" data-tone="missing">
        <CircleAlert className="above-1 tone-state" aria-hidden />
        <Text as="p" grow shrink tone="mid" anywhere>
          <Shown text={cut(missing, 400)} />
        </Text>
        <Button kind="quiet" small onClick={props.lookAgain}>
          Look again
        </Button>
      </Row>
    )
  }
  return program === null ? null : (
    <Row align="start" gap={3} size="s" className="provider-program" data-tone="valid">
      <CircleCheck className="above-1 tone-state" aria-hidden />
      <Text as="p" grow shrink tone="mid" anywhere>
        found as{' '}
        <span className="mono selectable">
          <Shown text={cut(program, 300)} />
        </span>
      </Text>
    </Row>
  )
}

type ChosenProps = Pick<ProviderChoiceProps, 'draft' | 'errors' | 'onWrite'> & {
  readonly provider: TunnelProviderView
}

function Chosen({ provider, draft, errors, onWrite }: ChosenProps) {
  const { fields, notes } = provider
  return (
    <Stack gap={5} className="provider-settings">
      {fields.map((field) => (
        <Field
          key={field.name}
          label={field.required ? field.label : `${field.label} (optional)`}
          data-mono
          placeholder={field.placeholder}
          hint={field.hint}
          maxLength={2000}
          error={errors[field.name]}
          value={draft.options[provider.id]?.[field.name] ?? ''}
          onChange={(event) => onWrite(field.name, event.target.value)}
        />
      ))}
      {notes.length > 0 && (
        <Stack as="ul" gap={2} tone="mid" size="s" className="bullets" aria-label="Limitations">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </Stack>
      )}
    </Stack>
  )
}

type Options = Readonly<Record<string, string>>

/** A setup as it is being written: each provider keeps what was written for it. */
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

/** What is asked for: only fields of the provider that have something in them. */
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

export function sameSetup(one: TunnelSetup, other: TunnelSetup): boolean {
  const names = Object.keys(one.options)
  return (
    one.provider === other.provider &&
    names.length === Object.keys(other.options).length &&
    names.every((name) => one.options[name] === other.options[name])
  )
}

interface SetupErrors {
  /** By the name of the field. */
  readonly fields: Readonly<Record<string, string>>
  /** What belongs to none of them. */
  readonly whole: string | null
}

/** The refusal of the engine, at the field that it is about. */
export function setupErrors(error: unknown, fields: readonly TunnelField[]): SetupErrors {
  if (error === null) return { fields: {}, whole: null }
  const words = sentence(error)
  const named = error instanceof CallError ? fieldsOf(error) : []
  const field = fields.find(({ name }) =>
    // Of the engine itself "url", of the contract's own check "wish.options.url".
    named.some((place) => place === name || place.endsWith(`.options.${name}`)),
  )
  return field ? { fields: { [field.name]: words }, whole: null } : { fields: {}, whole: words }
}

function fieldsOf({ details }: CallError): readonly string[] {
  const fields = details?.['fields']
  return Array.isArray(fields) ? fields.filter((place) => typeof place === 'string') : []
}
