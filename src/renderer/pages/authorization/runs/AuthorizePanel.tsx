import { Icons } from '#kit/icons.tsx'
import { useState } from 'react'
import type { Integration } from '#contract/integrations.ts'
import { Button } from '#kit/Button.tsx'
import { Fold } from '#kit/Page.tsx'
import { Shown } from '#kit/Shown.tsx'
import { useKeys } from '#client/command-registry.ts'
import { useCan } from '#client/state/app.ts'
import { setupAddress, runAddress } from '#client/addresses/authorization.ts'
import { usePreflight } from '../setup/PreflightPanel.tsx'
import { Field, SelectField, CheckField } from '#kit/Field.tsx'
import { shortText } from '#kit/text/visible.ts'
import { ErrorNote } from '#kit/Note.tsx'
import { setRun, useAuthorization } from '#client/state/authorization.ts'
import type { RunAgent } from '#contract/authorization.ts'
import type { CallInput } from '#contract/calls.ts'
import { useAction, type Action } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'

interface Props {
  integration: Integration
  /** Whether there is no earlier run. The panel then explains what happens. */
  first: boolean
  /** Whether something else on the page is more important, so the button is not primary. */
  quiet: boolean
}

/** The primary action of the page: starts an authorization. */
export function AuthorizePanel({ integration, first, quiet }: Props) {
  const windowed = useCan('embeddedAuthWindow')
  const [options, setOptions] = useState<StartOptions>({})
  const authorize = useAuthorize(integration.id)
  const { preflight } = usePreflight({ id: integration.id }, JSON.stringify(integration))
  const problems =
    integration.kind === 'sandbox' || !preflight || preflight.ready
      ? []
      : preflight.checks.filter(({ outcome }) => outcome === 'error')
  const ready = problems.length === 0
  const start = (agent = options.agent): void => authorize.start({ ...options, agent })
  useKeys({ authorize: () => start() })

  return (
    <section
      className="framed grid gap-5 p-6"
      aria-label="Authorize"
      data-first={first || undefined}
    >
      <div className="flex flex-wrap items-center gap-6">
        <div className="min-w-0 flex-1 basis-(--measure-menu) text-pretty">
          <h2 className="text-l">{ready ? 'Authorize a user' : 'Not ready yet'}</h2>
          <p className="text-mid">
            {ready
              ? 'The user approves on the service’s page. Tabscope exchanges the returned code for a token that acts on their behalf.'
              : 'Before you can authorize a user:'}
          </p>
        </div>
        <div className="ml-auto flex flex-wrap items-center gap-4">
          {!ready && (
            <a className="button" data-kind="primary" href={setupAddress}>
              <Icons.Settings2 />
              Finish setup
            </a>
          )}
          <Button
            kind={ready && !quiet ? 'primary' : 'plain'}
            icon={windowed ? Icons.AppWindow : Icons.Globe}
            hint="a"
            busy={authorize.busy}
            onClick={() => start()}
          >
            Authorize
          </Button>
          {windowed && (
            <Button
              kind="quiet"
              icon={Icons.ExternalLink}
              busy={authorize.busy}
              onClick={() => start('browser')}
            >
              Use my browser
            </Button>
          )}
        </div>
      </div>
      {!ready && (
        <ul className="grid list-disc gap-1 pl-6 wrap-anywhere">
          {problems.map(({ code, message }) => (
            <li key={`${code} ${message}`}>
              <Shown text={message} />
            </li>
          ))}
        </ul>
      )}
      <ErrorNote error={authorize.error} />
      <AuthorizeOptions
        integration={integration}
        options={options}
        onChange={(change) => setOptions({ ...options, ...change })}
      />
    </section>
  )
}

interface OptionsProps {
  integration: Integration
  options: StartOptions
  onChange: (change: StartOptions) => void
}

/** Options for one run. Collapsed, because they are seldom needed. */
function AuthorizeOptions({ integration, options, onChange }: OptionsProps) {
  const { redirectUrls, redirectUrl } = integration
  return (
    <Fold summary="Options for this run">
      <div className="mt-4 grid grid-cols-2 items-start gap-5 below-480:grid-cols-1">
        <Field
          label="Token label"
          placeholder="For example, the user’s name"
          maxLength={80}
          value={options.label ?? ''}
          onChange={({ target }) => onChange({ label: target.value || undefined })}
        />
        <Field
          label="Custom state"
          data-mono
          placeholder="256 random bits"
          hint="For tests only: a predictable state gives no protection."
          maxLength={2000}
          value={options.state ?? ''}
          onChange={({ target }) => onChange({ state: target.value || undefined })}
        />
        {redirectUrls.length > 1 && (
          <SelectField
            label="Redirect URL"
            value={options.redirectUrl ?? ''}
            onChange={({ target }) => onChange({ redirectUrl: target.value || undefined })}
          >
            <option value="">Default: {shortText(redirectUrl, 80)}</option>
            {redirectUrls
              .filter((url) => url !== redirectUrl)
              .map((url) => (
                <option key={url} value={url}>
                  {shortText(url, 100)}
                </option>
              ))}
          </SelectField>
        )}
        <CheckField
          label="Show the address only"
          note="Tabscope opens nothing. You can open the address on any machine."
          checked={options.agent === 'none'}
          onChange={(only) => onChange({ agent: only ? 'none' : undefined })}
        />
      </div>
    </Fold>
  )
}

type StartOptions = Omit<CallInput<'authorization.start'>, 'integrationId' | 'agent'> & {
  readonly agent?: RunAgent | undefined
}

/** Starts runs of an integration and opens each. Without `agent`, the page opens in a window if the host supports it, else in the browser. */
export function useAuthorize(integrationId: number): Action<[options?: StartOptions]> {
  const client = useClient()
  const defaultAgent = useCan('embeddedAuthWindow') ? 'window' : 'browser'
  return useAction(async ({ agent = defaultAgent, ...options } = {}) => {
    const run = await client.call('authorization.start', { integrationId, agent, ...options })
    // A push may have stored a newer state already.
    if (!useAuthorization.getState().runs.some(({ id }) => id === run.id)) setRun(run)
    location.assign(runAddress(run.id))
  })
}
