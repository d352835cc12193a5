import { Icons } from '../../ui/icons.tsx'
import { useState } from 'react'
import type { SandboxService } from '#contract/sandbox-service.ts'
import { Text, Grid, Row, Stack } from '../../ui/Layout.tsx'
import { Fold } from '../../ui/Fold.tsx'
import { Button, CopyButton } from '../../ui/Button.tsx'
import { Card } from '../../ui/Page.tsx'
import { formatDuration, plural } from '#shared/text/format.ts'
import type { Client } from '../../platform/client.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { useSandbox, useStartSandbox } from '../../state/sandbox.ts'
import { confirm } from '../../ui/Confirm.tsx'
import { Field } from '../../ui/Field.tsx'
import { numberOf, wholeNumber } from '../../platform/field-checks.ts'
import { toast } from '../../platform/toasts.ts'
import '../../ui/Switch.css'
import { ErrorNote } from '../../ui/Note.tsx'
import './SandboxPage.css'

const maxLifetime = 10 * 86_400
/** The token lifetime in the API documentation, section "Limits", in seconds. */
const documentedLifetime = 86_400
const presets = [
  { seconds: 60, label: '1 min' },
  { seconds: 3600, label: '1 h' },
  { seconds: 86_400, label: '24 h' },
] as const

function ServiceTokens({ service }: { readonly service: SandboxService }) {
  const client = useClient()
  const [draft, setDraft] = useState<string | null>(null)
  const lifetime = useAction(async (tokenLifetime: number) => {
    useSandbox.setState({
      service: await client.call('sandboxService.configure', { tokenLifetime }),
    })
    setDraft(null)
  })
  const expire = useAction(async () => {
    useSandbox.setState({ service: await client.call('sandboxService.expireTokens', {}) })
    toast('valid', 'All tokens expired. The next call gets 401 and can refresh its token.')
  })
  const lifetimeError = draft === null ? null : wholeNumber(draft, 1, maxLifetime)

  function store(): void {
    if (draft === null || lifetimeError !== null) return
    if (numberOf(draft) === service.tokenLifetime) setDraft(null)
    else lifetime.start(numberOf(draft))
  }

  return (
    <Stack gap={5} line="top-dashed">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          store()
        }}
      >
        <Field
          label="Token lifetime"
          className="field-short"
          inputMode="numeric"
          value={draft ?? String(service.tokenLifetime)}
          error={lifetimeError}
          hint={
            service.tokenLifetime === documentedLifetime
              ? '24 hours, as in the API documentation.'
              : `${formatDuration(service.tokenLifetime * 1000)}. The API documentation says 24 hours.`
          }
          after={
            <>
              <span className="field-unit">seconds</span>
              <Row as="span" inline gap={1}>
                {presets.map(({ seconds, label }) => (
                  <Button
                    key={seconds}
                    kind="quiet"
                    aria-pressed={service.tokenLifetime === seconds}
                    onClick={() => {
                      setDraft(null)
                      lifetime.start(seconds)
                    }}
                  >
                    {label}
                  </Button>
                ))}
              </Row>
            </>
          }
          onChange={(event) => setDraft(event.target.value)}
          onBlur={store}
        />
      </form>
      <Row wrap align="center" gap={4}>
        <Text measure="label">
          <b>{plural(service.tokens, 'active token', 'active tokens')}</b>
        </Text>
        <Button busy={expire.busy} disabled={service.tokens === 0} onClick={() => expire.start()}>
          Expire all tokens
        </Button>
        <Button kind="danger" disabled={service.tokens === 0} onClick={() => confirmRevoke(client)}>
          Revoke all tokens
        </Button>
      </Row>
      <ErrorNote error={lifetime.error ?? expire.error} />
    </Stack>
  )
}

function confirmRevoke(client: Client): void {
  confirm({
    title: 'Revoke all sandbox tokens?',
    description: 'Revokes access and refresh tokens. Each user must approve again.',
    action: 'Revoke all tokens',
    async run() {
      useSandbox.setState({ service: await client.call('sandboxService.revokeTokens', {}) })
      toast('valid', 'All tokens revoked. The next call gets 401.')
    },
  })
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

function ServiceState({ service }: { readonly service: SandboxService }) {
  const client = useClient()
  const start = useStartSandbox()
  const stop = useAction(async () => {
    useSandbox.setState({ service: await client.call('sandboxService.stop', {}) })
  })
  return (
    <>
      <Row
        wrap
        align="center"
        gap={4}
        gapX={5}
        className="well"
        data-tone={service.running ? 'valid' : 'unsigned'}
      >
        <Row
          as="span"
          inline
          align="center"
          gap={3}
          tone="state"
          weight="semibold"
          role="status"
          aria-label="Service state"
        >
          {service.running ? <Icons.Radio /> : <Icons.CircleStop />}
          {service.running ? 'Running' : 'Stopped'}
        </Row>
        {service.baseUrl !== null && (
          <Row as="span" inline align="center" gap={2} shrink anywhere>
            <code className="mono selectable">{service.baseUrl}</code>
            <CopyButton text={service.baseUrl} label="Copy base URL" />
          </Row>
        )}
        <Row as="span" inline wrap gap={4} push>
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
        </Row>
      </Row>
      <ErrorNote error={start.error ?? stop.error} />
      {!service.running && (
        <p className="dim">
          Starting the service fills in the integration “Sandbox”, so that you can{' '}
          <a href="#/authorization/runs">authorize</a> and{' '}
          <a href="#/authorization/console">call</a> without an account.
        </p>
      )}
      {service.users.length > 0 && <UserList users={service.users} />}
    </>
  )
}

function UserList({ users }: { readonly users: SandboxService['users'] }) {
  return (
    <Stack gap={2}>
      <Row as="h3" align="center" gap={3} tone="mid" size="s" weight="semibold">
        <Icons.Users /> Users who can approve, and their locations
      </Row>
      <Stack as="dl" lined>
        {users.map(({ name, locations }) => (
          <Grid columns="label 1" gap={5} align="baseline" pad={[3, 0]} key={name}>
            <Text as="dt" anywhere>
              {name}
            </Text>
            <Row as="dd" wrap gap={2} title={plural(locations.length, 'location', 'locations')}>
              {locations.map((location) => (
                <span className="tag" key={location}>
                  {location}
                </span>
              ))}
            </Row>
          </Grid>
        ))}
      </Stack>
    </Stack>
  )
}

/** The faults that the service can simulate. Active faults are highlighted, because they explain unexpected results. */
function ServiceFaults({ service }: { readonly service: SandboxService }) {
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
      className="line-top-dashed"
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
      <Row align="center" justify="between" gap={5} tall="control-l" tone="dim" size="s">
        <span>Simulated errors, to test how your integration handles them.</span>
        {on.length > 0 && (
          <Button kind="quiet" busy={change.busy} onClick={() => change.start([])}>
            Turn off all
          </Button>
        )}
      </Row>
      <ErrorNote error={change.error} />
      <Grid as="ul" columns="asides" gap={1} gapX={6} aria-label="Faults">
        {service.faults.map((fault) => (
          <li key={fault.name}>
            <Grid
              as="label"
              columns="auto 1"
              gap={4}
              pad={[3, 4]}
              size="s"
              round="m"
              full
              className="fault"
              data-on={fault.on || undefined}
            >
              <input
                type="checkbox"
                role="switch"
                checked={fault.on}
                aria-checked={fault.on}
                onChange={() =>
                  change.start(
                    fault.on ? on.filter((name) => name !== fault.name) : [...on, fault.name],
                  )
                }
              />
              <span className="switch" data-on={fault.on || undefined} aria-hidden />
              <Stack as="span" column>
                {fault.label}
                <Text as="code" tone="dim" mono size="2xs">
                  {fault.name}
                </Text>
              </Stack>
            </Grid>
          </li>
        ))}
      </Grid>
    </Fold>
  )
}
