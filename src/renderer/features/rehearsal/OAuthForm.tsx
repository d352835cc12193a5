import { Play } from '../../ui/icons.tsx'
import { useEffect, useRef, useState } from 'react'
import { oauthCases } from '#catalogue/rehearsal/oauth-cases.ts'
import type { Rehearsal } from '#contract/rehearsal.ts'
import { plural } from '#shared/text/format.ts'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { Field } from '../../ui/Field.tsx'
import { Fold } from '../../ui/Fold.tsx'
import { Grid, Row, Text } from '../../ui/Layout.tsx'
import { Note } from '../../ui/Note.tsx'
import { Card } from '../../ui/Page.tsx'
import { SecretField } from '../../ui/SecretField.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { cut, visible } from '../../ui/text/visible.ts'
import { CallError, sentence } from '../../platform/call-error.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { rehearsalAddress } from '../../routes/rehearse.ts'
import { setClient, setRehearsal } from '../../state/rehearsals.ts'
import { unconfirmedOrigin } from '../targets/index.ts'
import { defaultOAuthDraft, oauthErrors, oauthInput, type OAuthDraft } from './draft.ts'
import { CaseGroupField } from './StartForm.tsx'

interface Props {
  /** The run whose options are entered; undefined: the defaults. */
  readonly earlier: Rehearsal | undefined
}

/** The options of a rehearsal of an OAuth client, and the button that starts it. */
export function OAuthForm({ earlier }: Props) {
  const client = useClient()
  const [draft, setDraft] = useState(() => defaultOAuthDraft(earlier))
  const [submitted, setSubmitted] = useState(false)
  const [advanced, setAdvanced] = useState(false)
  /** The app that needs a permission; null: none does. */
  const [origin, setOrigin] = useState<string | null>(null)
  const change = (changes: Partial<OAuthDraft>): void =>
    setDraft((before) => ({ ...before, ...changes }))
  const errors = oauthErrors(draft)
  const shown = submitted ? errors : {}
  const form = useRef<HTMLFormElement>(null)
  const start = useAction(async (allowTarget: boolean) => {
    try {
      const started = await client.call('rehearsals.startOauth', {
        ...oauthInput(draft),
        allowTarget,
      })
      setRehearsal(started.rehearsal)
      setClient(started.rehearsal.id, started.client)
      location.assign(rehearsalAddress(started.rehearsal.id))
    } catch (error) {
      const public_ = unconfirmedOrigin(error)
      if (public_ === null || allowTarget) throw error
      setOrigin(public_)
    }
  })
  const portError =
    start.error instanceof CallError && start.error.code === 'port_in_use'
      ? sentence(start.error)
      : null
  useEffect(() => {
    if (submitted || portError !== null) {
      form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
    }
    // Only when the button was pressed, or the port cannot be used.
  }, [submitted, portError])
  const isManual = draft.startUrl.trim() === ''
  const times = shown.flowSeconds ?? shown.watchSeconds ?? shown.seconds
  return (
    <>
      <form
        ref={form}
        className="stack gap-6"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setSubmitted(true)
          if (Object.keys(errors).length === 0) start.start(false)
        }}
      >
        <Card
          title="Your app"
          note="All URLs are optional. Without them, you start each authorization in a browser when the run asks for it."
        >
          <Grid columns="1 1" gap={5} align="start" collapse>
            <Field
              label="URL that begins a flow"
              data-mono
              inputMode="url"
              placeholder="http://127.0.0.1:3000/login"
              value={draft.startUrl}
              error={shown.startUrl}
              hint="It redirects to the authorization page. With it, the run needs no clicks."
              onChange={({ target }) => change({ startUrl: target.value })}
            />
            <Field
              label="URL that calls the API"
              data-mono
              inputMode="url"
              placeholder="http://127.0.0.1:3000/locations"
              value={draft.callUrl}
              error={shown.callUrl}
              hint="Loading it makes your app call the API with its token."
              onChange={({ target }) => change({ callUrl: target.value })}
            />
          </Grid>
          <Field
            label="Configured redirect URL"
            data-mono
            inputMode="url"
            placeholder="http://127.0.0.1:3000/callback"
            value={draft.redirectUrl}
            error={shown.redirectUrl}
            hint="Your app must send exactly this. Without it, O2 is left for your review."
            onChange={({ target }) => change({ redirectUrl: target.value })}
          />
        </Card>
        <Card
          title="Authorization server"
          note="Your app is configured with its base URL, access ID and access secret. They are shown after the start."
        >
          <Grid columns="1 1 1" gap={5} align="start" collapse>
            <Field
              label="Port"
              inputMode="numeric"
              placeholder="a free port"
              value={draft.port}
              error={shown.port ?? portError}
              hint="On 127.0.0.1."
              onChange={({ target }) => {
                start.reset()
                change({ port: target.value })
              }}
            />
            <Field
              label="Access ID"
              data-mono
              placeholder="made up"
              maxLength={200}
              value={draft.accessId}
              onChange={({ target }) => change({ accessId: target.value })}
            />
            <SecretField
              label="Access secret"
              value={draft.accessSecret}
              maxLength={1000}
              error={shown.accessSecret ?? null}
              hint="Empty: made up. Never stored."
              onValue={(accessSecret) => change({ accessSecret })}
            />
          </Grid>
        </Card>
        <Card
          title="Cases"
          note={
            draft.cases.size === oauthCases.length
              ? 'All cases are selected. Only a complete run gets a grade.'
              : 'A run of selected cases gets no grade.'
          }
        >
          <CaseGroupField
            label="OAuth client"
            cases={oauthCases}
            selected={draft.cases}
            onChange={(cases) => change({ cases })}
          />
          {shown.cases !== undefined && (
            <Note tone="invalid" alert>
              {shown.cases}
            </Note>
          )}
        </Card>
        <Card title="Advanced" note="Time limits.">
          <Fold
            open={advanced || times !== undefined}
            onToggle={({ currentTarget }) => setAdvanced(currentTarget.open)}
            summary="Options"
          >
            <Grid columns="1 1 1" gap={5} align="start" collapse>
              <Field
                label="Time to begin a flow"
                inputMode="decimal"
                value={draft.flowSeconds}
                error={shown.flowSeconds}
                hint="Then the case is skipped."
                after={<span className="field-unit">seconds</span>}
                onChange={({ target }) => change({ flowSeconds: target.value })}
              />
              <Field
                label="Time to watch"
                inputMode="decimal"
                value={draft.watchSeconds}
                error={shown.watchSeconds}
                hint="What must not happen must not happen in this time."
                after={<span className="field-unit">seconds</span>}
                onChange={({ target }) => change({ watchSeconds: target.value })}
              />
              <Field
                label="Time limit"
                inputMode="decimal"
                value={draft.seconds}
                error={shown.seconds}
                hint="For one page of your app."
                after={<span className="field-unit">seconds</span>}
                onChange={({ target }) => change({ seconds: target.value })}
              />
            </Grid>
          </Fold>
        </Card>
        {start.error !== null && portError === null && (
          <Note tone="invalid" alert>
            <Shown text={sentence(start.error)} />
          </Note>
        )}
        <Row align="center" gap={5} className="rehearse-start">
          <Button kind="primary" type="submit" busy={start.busy} icon={<Play aria-hidden />}>
            Start rehearsal
          </Button>
          <Text tone="dim" size="s">
            {plural(draft.cases.size, 'case', 'cases')}
            {isManual ? ', step by step with you' : ', without clicks'}
          </Text>
        </Row>
      </form>
      <Confirm
        open={origin !== null}
        onClose={() => setOrigin(null)}
        title="Rehearse an app outside your network?"
        description={`${visible(cut(origin ?? '', 300))} is outside this machine and its network. The test cases include forged redirects. Continue only if the app is your own.`}
        action="Test this app"
        busy={start.busy}
        error={null}
        onConfirm={() => {
          setOrigin(null)
          start.start(true)
        }}
      />
    </>
  )
}
