import { Globe, Link2, LockKeyhole, MoonStar, Send } from '../../ui/icons.tsx'
import type { ReactNode } from 'react'
import { eventTypes } from '#catalogue/catalogue.ts'
import { Row, Stack, Text } from '../../ui/Layout.tsx'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { ErrorNote } from '../../ui/Failure.tsx'
import { copyText } from '../../platform/clipboard.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { runAddress } from '../../routes/authorization.ts'
import { useIntegration } from '../../state/authorization.ts'
import { endpointUrl, useEndpoints } from '../../state/endpoints.ts'
import { reportNewSecret } from '#renderer/features/sandbox/index.ts'
import { GuideStart, StepIcon } from '../guide/index.ts'
import { useSettings } from '../../state/settings.ts'
import { useShell } from '../../state/app.ts'
import { useTunnel } from '../../state/tunnel.ts'
import { openTunnel, PublicUrl } from '../tunnel/index.ts'
import './FirstRun.css'
import { ScopeTabs } from './log/ScopeTabs.tsx'
import { DeliveriesPage } from './DeliveriesPage.tsx'

export function LivePage() {
  return (
    <Stack column full className="log-page">
      <ScopeTabs />
      <div className="grow shrink">
        <DeliveriesPage fresh={<FirstRun />} />
      </div>
    </Stack>
  )
}

/** Deliveries per second of the simulated traffic. */
const calmRate = 2

/** Empty state before the first delivery: the start of the guide, unless it was started or skipped, and quick actions. */
function FirstRun() {
  const client = useClient()
  const guided = useSettings(
    ({ settings }) => settings?.guide === 'open' && settings.guideAt === null,
  )
  const integration = useIntegration()?.id
  const endpoint = useEndpoints(
    ({ endpoints }) =>
      endpoints.find(({ integrationId }) => integrationId === integration) ?? endpoints[0],
  )
  const listener = useShell((state) => state.listener)
  const guideStarted = useSettings(({ settings }) => (settings?.guideAt ?? null) !== null)
  /** The guide or the bar already shows the next step. */
  const quiet = guided || guideStarted || listener.state !== 'listening'
  const url = endpoint ? endpointUrl(listener, endpoint) : null
  const isPublic = useTunnel(({ view, lastUrl }) => (view?.url ?? lastUrl) !== null)
  const tunnelOff = useTunnel(({ view }) => view?.state === 'off')
  const open = useAction(() => openTunnel(client))
  const samples = useAction(async (endpointId: number) => {
    await reportNewSecret(endpointId, () =>
      client.call('sandbox.send', { endpointId, types: eventTypes.map(({ type }) => type) }),
    )
  })
  const traffic = useAction(async (endpointId: number) => {
    await reportNewSecret(endpointId, () =>
      client.call('sandbox.startTraffic', { endpointId, rate: calmRate }),
    )
  })

  return (
    <div className="first-run">
      <div>
        <Text as="h2" size="xl">
          No deliveries yet
        </Text>
        <Text as="p" tone="mid">
          {listener.state === 'listening'
            ? guided
              ? 'Tabscope is listening. How do you want to start?'
              : 'Tabscope is listening. To see a delivery:'
            : 'Start the listener to receive deliveries. See the bar above.'}
        </Text>
      </div>
      {guided && (
        <>
          <GuideStart />
          <h3 className="first-run-else size-s mid">Quick actions</h3>
        </>
      )}
      <ol className="framed background-raised first-steps" data-quiet={guided || undefined}>
        <Step
          icon={<Send aria-hidden />}
          title="Send samples"
          text={`The sandbox sends one signed delivery of each of the ${eventTypes.length} event types to your endpoint.`}
        >
          <Button
            kind={quiet ? 'plain' : 'primary'}
            busy={samples.busy}
            disabled={!endpoint}
            onClick={() => endpoint && samples.start(endpoint.id)}
          >
            Send samples
          </Button>
        </Step>
        <Step
          icon={<Link2 aria-hidden />}
          title="Point the service here"
          text={
            isPublic
              ? 'Paste the public URL below as the webhook URL on the service’s integrations dashboard.'
              : 'Only programs on this machine reach this address. A hosted service cannot: it needs a public URL, from a tunnel or your own proxy.'
          }
          code={url ?? undefined}
          below={
            isPublic
              ? endpoint && <PublicUrl endpoint={endpoint} />
              : tunnelOff && (
                  <Row wrap align="center" gap={4} className="public-url">
                    <Button
                      icon={<Globe aria-hidden />}
                      busy={open.busy}
                      onClick={() => open.start()}
                    >
                      Open a tunnel
                    </Button>
                    <a href="#/tunnel">Use my own public URL</a>
                  </Row>
                )
          }
        >
          {url === null ? (
            <Button disabled>Copy endpoint URL</Button>
          ) : (
            <CopyButton
              text={url}
              copy={copyText}
              label="Copy endpoint URL"
              words="Copy endpoint URL"
            />
          )}
        </Step>
        <Step
          icon={<MoonStar aria-hidden />}
          title="Start simulated traffic"
          text={`Guests arrive, open tabs, order and leave: about ${calmRate} deliveries a second until you stop it.`}
        >
          <Button
            busy={traffic.busy}
            disabled={!endpoint}
            onClick={() => endpoint && traffic.start(endpoint.id)}
          >
            Start simulated traffic
          </Button>
        </Step>
        <Step
          icon={<LockKeyhole aria-hidden />}
          title="Get a token"
          text="The sandbox has an authorization page and two users. You get a token that can call its API."
        >
          <a className="button" data-kind="plain" href={runAddress(null)}>
            Authorize a user
          </a>
        </Step>
      </ol>
      <ErrorNote error={samples.error ?? traffic.error} />
    </div>
  )
}

interface StepProps {
  readonly icon: ReactNode
  readonly title: string
  readonly text: string
  readonly code?: string | undefined
  /** Shown on a separate line below the step. */
  readonly below?: ReactNode
  readonly children: ReactNode
}

function Step({ icon, title, text, code, below, children }: StepProps) {
  return (
    <li className="first-step">
      <StepIcon>{icon}</StepIcon>
      <div>
        <h3>{title}</h3>
        <p className="size-s mid">{text}</p>
        {code !== undefined && (
          <code className="margin-top-3 mono size-xs round-s background-sunken anywhere first-step-code">
            {code}
          </code>
        )}
      </div>
      {children}
      {below}
    </li>
  )
}
