import { Icons } from '#kit/icons.tsx'
import { useState } from 'react'
import type { SandboxService } from '#contract/sandbox-service.ts'
import { Fold, Card } from '#kit/Page.tsx'
import { Button, CopyButton } from '#kit/Button.tsx'
import { formatDuration, plural } from '#shared/text/format.ts'
import { useAction } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { useSandbox, useStartSandbox } from '#client/state/sandbox.ts'
import { confirm } from '#kit/Confirm.tsx'
import { StoredField } from '#kit/StoredField.tsx'
import { numberOf, wholeNumber } from '#kit/field-checks.ts'
import { toast } from '#kit/toasts.ts'
import { Switch } from '#kit/Switch.tsx'
import { ErrorNote } from '#kit/Note.tsx'

const maxLifetime = 10 * 86_400
/** The token lifetime in the API documentation, section "Limits", in seconds. */
const documentedLifetime = 86_400
const presets = [
  { seconds: 60, label: '1 min' },
  { seconds: 3600, label: '1 h' },
  { seconds: 86_400, label: '24 h' },
] as const

function ServiceTokens({ service }: { service: SandboxService }) {
  const client = useClient()
  /** Increases with each preset, which resets the field. */
  const [presetCount, setPresetCount] = useState(0)
  const setLifetime = async (tokenLifetime: number): Promise<void> =>
    useSandbox.setState({
      service: await client.call('sandboxService.configure', { tokenLifetime }),
    })
  const preset = useAction(async (seconds: number) => {
    await setLifetime(seconds)
    setPresetCount((count) => count + 1)
  })
  const expire = useAction(async () => {
    useSandbox.setState({ service: await client.call('sandboxService.expireTokens', {}) })
    toast('valid', 'All tokens expired. The next call gets 401 and can refresh its token.')
  })
  const revoke = (): void =>
    confirm({
      title: 'Revoke all sandbox tokens?',
      description: 'Revokes access and refresh tokens. Each user must approve again.',
      action: 'Revoke all tokens',
      async run() {
        useSandbox.setState({ service: await client.call('sandboxService.revokeTokens', {}) })
        toast('valid', 'All tokens revoked. The next call gets 401.')
      },
    })
  return (
    <div className="grid gap-5 border-t border-dashed border-line-strong pt-5">
      <StoredField
        key={presetCount}
        label="Token lifetime"
        numeric
        stored={String(service.tokenLifetime)}
        check={(text) => wholeNumber(text, 1, maxLifetime)}
        store={(text) => setLifetime(numberOf(text))}
        hint={
          service.tokenLifetime === documentedLifetime
            ? '24 hours, as in the API documentation.'
            : `${formatDuration(service.tokenLifetime * 1000)}. The API documentation says 24 hours.`
        }
        after={
          <>
            <span className="flex-none text-dim">seconds</span>
            <span className="inline-flex gap-1">
              {presets.map(({ seconds, label }) => (
                <Button
                  key={seconds}
                  kind="quiet"
                  aria-pressed={service.tokenLifetime === seconds}
                  onClick={() => preset.start(seconds)}
                >
                  {label}
                </Button>
              ))}
            </span>
          </>
        }
      />
      <div className="flex flex-wrap items-center gap-4">
        <span className="w-(--measure-label) flex-none">
          <b>{plural(service.tokens, 'active token', 'active tokens')}</b>
        </span>
        <Button busy={expire.busy} disabled={service.tokens === 0} onClick={() => expire.start()}>
          Expire all tokens
        </Button>
        <Button kind="danger" disabled={service.tokens === 0} onClick={revoke}>
          Revoke all tokens
        </Button>
      </div>
      <ErrorNote error={preset.error ?? expire.error} />
    </div>
  )
}

/** The simulated service: an authorization page, a token endpoint and a sample resource. */
export function ServiceCard() {
  const service = useSandbox((state) => state.service)
  if (service === null) return null
  return (
    <Card
      title="Simulated service"
      note="An authorization page, a token endpoint and a sample API resource, on a separate port."
    >
      <ServiceState service={service} />
      {service.running && <ServiceTokens service={service} />}
      <ServiceFaults service={service} />
    </Card>
  )
}

function ServiceState({ service }: { service: SandboxService }) {
  const client = useClient()
  const start = useStartSandbox()
  const stop = useAction(async () => {
    useSandbox.setState({ service: await client.call('sandboxService.stop', {}) })
  })
  return (
    <>
      <div
        className="well flex flex-wrap items-center gap-4 gap-x-5"
        data-tone={service.running ? 'valid' : 'unsigned'}
      >
        <span
          className="inline-flex items-center gap-3 font-semibold text-tone"
          role="status"
          aria-label="Service state"
        >
          {service.running ? <Icons.Radio /> : <Icons.CircleStop />}
          {service.running ? 'Running' : 'Stopped'}
        </span>
        {service.baseUrl !== null && (
          <span className="inline-flex min-w-0 items-center gap-2 wrap-anywhere">
            <code className="mono select-text">{service.baseUrl}</code>
            <CopyButton text={service.baseUrl} label="Copy base URL" />
          </span>
        )}
        <span className="ml-auto inline-flex flex-wrap gap-4">
          {service.running ? (
            <Button icon={Icons.Square} busy={stop.busy} onClick={() => stop.start()}>
              Stop
            </Button>
          ) : (
            <Button
              kind="primary"
              icon={Icons.Play}
              busy={start.busy}
              onClick={() => start.start()}
            >
              Start
            </Button>
          )}
        </span>
      </div>
      <ErrorNote error={start.error ?? stop.error} />
      {!service.running && (
        <p className="text-dim">
          Starting the service fills in the integration “Sandbox”, so that you can{' '}
          <a href="#/authorization/runs">authorize</a> and{' '}
          <a href="#/authorization/console">call</a> without an account.
        </p>
      )}
      {service.users.length > 0 && <UserList users={service.users} />}
    </>
  )
}

function UserList({ users }: { users: SandboxService['users'] }) {
  return (
    <div className="grid gap-2">
      <h3 className="flex items-center gap-3 text-s font-semibold text-mid">
        <Icons.Users /> Users who can approve, and their locations
      </h3>
      <dl className="lined grid">
        {users.map(({ name, locations }) => (
          <div className="baseline grid grid-cols-label-1 gap-5 py-3" key={name}>
            <dt className="wrap-anywhere">{name}</dt>
            <dd
              className="flex flex-wrap gap-2"
              title={plural(locations.length, 'location', 'locations')}
            >
              {locations.map((location) => (
                <span className="tag" key={location}>
                  {location}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** The faults that the service can simulate. Active faults are highlighted, because they explain unexpected results. */
function ServiceFaults({ service }: { service: SandboxService }) {
  const client = useClient()
  const change = useAction(async (faults: readonly string[]) => {
    useSandbox.setState({
      service: await client.call('sandboxService.configure', { faults: [...faults] }),
    })
  })
  const [open, setOpen] = useState(() => service.faults.some((fault) => fault.on))
  const on = service.faults.filter((fault) => fault.on).map(({ name }) => name)
  if (service.faults.length === 0) return null
  return (
    <Fold
      className="border-t border-dashed border-line-strong pt-5"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      summary={
        <>
          <Icons.Bug /> Faults
          <span className="tag" data-tone={on.length > 0 ? 'warning' : 'unsigned'}>
            {on.length === 0 ? 'none active' : `${on.length} active`}
          </span>
        </>
      }
    >
      <div className="flex min-h-(--control-l) items-center justify-between gap-5 text-s text-dim">
        <span>Simulated errors, to test how your integration handles them.</span>
        {on.length > 0 && (
          <Button kind="quiet" busy={change.busy} onClick={() => change.start([])}>
            Turn off all
          </Button>
        )}
      </div>
      <ErrorNote error={change.error} />
      <ul className="grid grid-cols-asides gap-1 gap-x-6" aria-label="Faults">
        {service.faults.map((fault) => (
          <li
            key={fault.name}
            className="flex gap-4 rounded-md px-4 py-3 text-s data-on:bg-warning-soft data-on:[&_code]:text-mid"
            data-on={fault.on || undefined}
          >
            <Switch
              label={`${fault.label} ${fault.name}`}
              on={fault.on}
              onChange={(next) =>
                change.start(next ? [...on, fault.name] : on.filter((name) => name !== fault.name))
              }
            />
            <span className="flex flex-col">
              {fault.label}
              <code className="mono text-2xs text-dim">{fault.name}</code>
            </span>
          </li>
        ))}
      </ul>
    </Fold>
  )
}
