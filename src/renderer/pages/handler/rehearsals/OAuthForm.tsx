import { useState } from 'react'
import { oauthCases } from '#catalogue/rehearsal/oauth-cases.ts'
import type { Rehearsal } from '#contract/rehearsal.ts'
import { Field } from '#kit/Field.tsx'
import { Card } from '#kit/Page.tsx'
import { SecretField } from '#kit/SecretField.tsx'
import { fieldsOf } from '#kit/use-form.ts'
import { CallError } from '#client/client.ts'
import { messageOf } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { setClient } from '#client/state/rehearsals.ts'
import { defaultOAuthDraft, oauthErrors, oauthInput, type OAuthDraft } from './draft.ts'
import { AdvancedCard, CasesCard, StartFormFrame, useStartForm } from './StartFormFrame.tsx'

interface Props {
  /** The run whose options are entered; undefined: the defaults. */
  readonly earlier: Rehearsal | undefined
}

const groups = [{ label: 'OAuth client', cases: oauthCases }]

/** The options of a rehearsal of an OAuth client, and the button that starts it. */
export function OAuthForm({ earlier }: Props) {
  const client = useClient()
  const [draft, setDraft] = useState(() => defaultOAuthDraft(earlier))
  const change = (changes: Partial<OAuthDraft>): void =>
    setDraft((before) => ({ ...before, ...changes }))
  const form = useStartForm(oauthErrors(draft), 'app', async (allowTarget) => {
    const started = await client.call('rehearsals.startOauth', {
      ...oauthInput(draft),
      allowTarget,
    })
    setClient(started.rehearsal.id, started.client)
    return started.rehearsal
  })
  const { error, shown } = form
  const portError =
    error instanceof CallError && error.code === 'port_in_use' ? messageOf(error) : null
  const isManual = draft.startUrl.trim() === ''
  return (
    <StartFormFrame
      form={form}
      isWrong={Object.keys(form.shown).length > 0}
      fieldError={portError}
      caseCount={draft.cases.size}
      summary={isManual ? ', step by step with you' : ', without clicks'}
    >
      <AppCard draft={draft} errors={shown} onChange={change} />
      <ServerCard
        draft={draft}
        errors={portError === null ? shown : { port: portError, ...shown }}
        onChange={(changes) => {
          if (changes.port !== undefined) form.reset()
          change(changes)
        }}
      />
      <CasesCard
        groups={groups}
        selected={draft.cases}
        error={shown.cases}
        onChange={(cases) => change({ cases })}
      />
      <Advanced draft={draft} errors={shown} onChange={change} />
    </StartFormFrame>
  )
}

interface CardProps {
  readonly draft: OAuthDraft
  readonly errors: ReturnType<typeof oauthErrors>
  readonly onChange: (changes: Partial<OAuthDraft>) => void
}

function AppCard({ draft, errors, onChange }: CardProps) {
  const field = fieldsOf(draft, errors, onChange)
  return (
    <Card
      title="Your app"
      note="All URLs are optional. Without them, you start each authorization in a browser when the run asks for it."
    >
      <div className="grid grid-cols-2 items-start gap-5 below-480:grid-cols-1 below-480:flex-wrap">
        <Field
          label="URL that begins a flow"
          data-mono
          inputMode="url"
          placeholder="http://127.0.0.1:3000/login"
          {...field('startUrl')}
          hint="It redirects to the authorization page. With it, the run needs no clicks."
        />
        <Field
          label="URL that calls the API"
          data-mono
          inputMode="url"
          placeholder="http://127.0.0.1:3000/locations"
          {...field('callUrl')}
          hint="Loading it makes your app call the API with its token."
        />
      </div>
      <Field
        label="Configured redirect URL"
        data-mono
        inputMode="url"
        placeholder="http://127.0.0.1:3000/callback"
        {...field('redirectUrl')}
        hint="Your app must send exactly this. Without it, O2 is left for your review."
      />
    </Card>
  )
}

function ServerCard({ draft, errors, onChange }: CardProps) {
  const field = fieldsOf(draft, errors, onChange)
  return (
    <Card
      title="Authorization server"
      note="Your app is configured with its base URL, access ID and access secret. They are shown after the start."
    >
      <div className="grid grid-cols-3 items-start gap-5 below-480:grid-cols-1 below-480:flex-wrap">
        <Field
          label="Port"
          inputMode="numeric"
          placeholder="a free port"
          {...field('port')}
          hint="On 127.0.0.1."
        />
        <Field
          label="Access ID"
          data-mono
          placeholder="made up"
          maxLength={200}
          {...field('accessId')}
        />
        <SecretField
          label="Access secret"
          value={draft.accessSecret}
          maxLength={1000}
          error={errors.accessSecret ?? null}
          hint="Empty: made up. Never stored."
          onValue={(accessSecret) => onChange({ accessSecret })}
        />
      </div>
    </Card>
  )
}

function Advanced({ draft, errors, onChange }: CardProps) {
  const field = fieldsOf(draft, errors, onChange)
  const wrong = errors.flowSeconds ?? errors.watchSeconds ?? errors.seconds
  return (
    <AdvancedCard note="Time limits." isWrong={wrong !== undefined}>
      <div className="grid grid-cols-3 items-start gap-5 below-480:grid-cols-1 below-480:flex-wrap">
        <Field
          label="Time to begin a flow"
          inputMode="decimal"
          {...field('flowSeconds')}
          hint="Then the case is skipped."
          after={<span className="flex-none text-dim">seconds</span>}
        />
        <Field
          label="Time to watch"
          inputMode="decimal"
          {...field('watchSeconds')}
          hint="What must not happen must not happen in this time."
          after={<span className="flex-none text-dim">seconds</span>}
        />
        <Field
          label="Time limit"
          inputMode="decimal"
          {...field('seconds')}
          hint="For one page of your app."
          after={<span className="flex-none text-dim">seconds</span>}
        />
      </div>
    </AdvancedCard>
  )
}
