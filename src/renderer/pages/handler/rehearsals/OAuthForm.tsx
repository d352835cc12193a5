import { oauthCases } from '#catalogue/rehearsal/oauth-cases.ts'
import type { Rehearsal } from '#contract/rehearsal.ts'
import { Field } from '#kit/Field.tsx'
import { Card } from '#kit/Page.tsx'
import { SecretField } from '#kit/SecretField.tsx'
import { CallError } from '#client/client.ts'
import { messageOf } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { setClient } from '#client/state/rehearsals.ts'
import { defaultOAuthDraft, oauthErrors, oauthInput } from './draft.ts'
import { CasesCard, StartFormFrame, useStartForm } from './StartFormFrame.tsx'

interface Props {
  /** The run whose options are entered; undefined: the defaults. */
  earlier: Rehearsal | undefined
}

const groups = [{ label: 'OAuth client', cases: oauthCases }]

/** The options of a rehearsal of an OAuth client, and the button that starts it. */
export function OAuthForm({ earlier }: Props) {
  const client = useClient()
  const form = useStartForm(
    () => defaultOAuthDraft(earlier),
    oauthErrors,
    'app',
    async (draft, allowTarget) => {
      const started = await client.call('rehearsals.startOauth', {
        ...oauthInput(draft),
        allowTarget,
      })
      setClient(started.rehearsal.id, started.client)
      return started.rehearsal
    },
  )
  const { draft, error, shown, set, text } = form
  const portError =
    error instanceof CallError && error.code === 'port_in_use' ? messageOf(error) : null
  return (
    <StartFormFrame
      form={form}
      fieldError={portError}
      caseCount={draft.cases.size}
      summary={draft.startUrl.trim() === '' ? ', step by step with you' : ', without clicks'}
    >
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
            {...text('startUrl')}
            hint="It redirects to the authorization page. With it, the run needs no clicks."
          />
          <Field
            label="URL that calls the API"
            data-mono
            inputMode="url"
            placeholder="http://127.0.0.1:3000/locations"
            {...text('callUrl')}
            hint="Loading it makes your app call the API with its token."
          />
        </div>
        <Field
          label="Configured redirect URL"
          data-mono
          inputMode="url"
          placeholder="http://127.0.0.1:3000/callback"
          {...text('redirectUrl')}
          hint="Your app must send exactly this. Without it, O2 is left for your review."
        />
      </Card>
      <Card
        title="Authorization server"
        note="Your app is configured with its base URL, access ID and access secret. They are shown after the start."
      >
        <div className="grid grid-cols-3 items-start gap-5 below-480:grid-cols-1 below-480:flex-wrap">
          <Field
            label="Port"
            inputMode="numeric"
            placeholder="a free port"
            {...text('port')}
            error={shown.port ?? portError}
            hint="On 127.0.0.1."
            onChange={({ target }) => {
              form.reset()
              set({ port: target.value })
            }}
          />
          <Field
            label="Access ID"
            data-mono
            placeholder="made up"
            maxLength={200}
            {...text('accessId')}
          />
          <SecretField
            label="Access secret"
            value={draft.accessSecret}
            maxLength={1000}
            error={shown.accessSecret ?? null}
            hint="Empty: made up. Never stored."
            onValue={(accessSecret) => set({ accessSecret })}
          />
        </div>
      </Card>
      <CasesCard
        groups={groups}
        selected={draft.cases}
        error={shown.cases}
        onChange={(cases) => set({ cases })}
      />
    </StartFormFrame>
  )
}
