import { Icons, type IconOrElement, iconElement } from '#kit/icons.tsx'
import type { ReactNode } from 'react'
import { eventTypes } from '#catalogue/catalogue.ts'
import { Button, CopyButton } from '#kit/Button.tsx'
import { ErrorNote } from '#kit/Note.tsx'
import { useAction } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { runAddress } from '#client/addresses/authorization.ts'
import { useIntegration } from '#client/state/authorization.ts'
import { endpointUrl, useEndpoints } from '#client/state/live-values.ts'
import { reportNewSecret } from '#client/state/sandbox.ts'
import { useShell } from '#client/state/app.ts'
import { plural } from '#shared/text/format.ts'
import { runCommand } from '#client/command-registry.ts'
import { toast, toastError } from '#kit/toasts.ts'
import { useTunnel } from '#client/state/tunnel.ts'
import { openTunnel } from '#parts/tunnel/commands.ts'
import { PublicUrl } from '#parts/tunnel/PublicUrl.tsx'
import './FirstRun.css'
import { DeliveriesPage } from './DeliveriesPage.tsx'

export function LivePage() {
  return <DeliveriesPage fresh={<FirstRun />} />
}

const calmRate = 2

function FirstRun() {
  const client = useClient()
  const integration = useIntegration()?.id
  const endpoint = useEndpoints(
    ({ endpoints }) =>
      endpoints.find(({ integrationId }) => integrationId === integration) ?? endpoints[0],
  )
  const listener = useShell((state) => state.listener)
  const url = endpoint ? endpointUrl(listener, endpoint) : null
  const isPublic = useTunnel(({ view, lastUrl }) => (view?.url ?? lastUrl) !== null)
  const tunnelOff = useTunnel(({ view }) => view?.state === 'off')
  const open = useAction(() => openTunnel(client))
  const samples = useAction(async (endpointId: number) => {
    const types = eventTypes.map(({ type }) => type)
    const { sent } = await reportNewSecret(endpointId, () =>
      client.call('sandbox.send', { endpointId, types }),
    )
    toast('valid', `${plural(sent, 'sample', 'samples')} sent.`, {
      action: {
        label: 'Send one with a wrong signature',
        run: () => {
          const [type = ''] = types
          client
            .call('sandbox.send', { endpointId, types: [type], problem: 'secret-line-break' })
            .catch(toastError)
        },
      },
      about: 'samples',
    })
  })
  const traffic = useAction(async (endpointId: number) => {
    await reportNewSecret(endpointId, () =>
      client.call('sandbox.startTraffic', { endpointId, rate: calmRate }),
    )
  })

  return (
    <div className="first-run row-[1/5]">
      <div>
        <h2 className="text-xl">No deliveries yet</h2>
        <p className="text-mid">
          {listener.state === 'listening'
            ? `Tabscope is listening. The sandbox sends one signed delivery of each of the ${eventTypes.length} event types to your endpoint.`
            : 'Start the listener to receive deliveries. See the bar above.'}
        </p>
        <div className="mt-5 flex flex-wrap gap-4">
          <Button
            icon={Icons.Send}
            kind={listener.state === 'listening' ? 'primary' : 'plain'}
            busy={samples.busy}
            disabled={!endpoint}
            onClick={() => endpoint && samples.start(endpoint.id)}
          >
            Send samples
          </Button>
          <Button icon={Icons.Webhook} onClick={() => runCommand('integration-new')}>
            Connect my integration
          </Button>
        </div>
      </div>
      <ol className="framed bg-raised shadow-m">
        <Step
          icon={Icons.Link2}
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
                  <div className="public-url flex flex-wrap items-center gap-4">
                    <Button icon={Icons.Globe} busy={open.busy} onClick={() => open.start()}>
                      Open a tunnel
                    </Button>
                    <a href="#/setup/reach">Use my own public URL</a>
                  </div>
                )
          }
        >
          {url === null ? (
            <Button disabled>Copy endpoint URL</Button>
          ) : (
            <CopyButton text={url} label="Copy endpoint URL" words="Copy endpoint URL" />
          )}
        </Step>
        <Step
          icon={Icons.MoonStar}
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
          icon={Icons.LockKeyhole}
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
  icon: IconOrElement
  title: string
  text: string
  code?: string | undefined
  /** Shown on a separate line below the step. */
  below?: ReactNode
  children: ReactNode
}

function Step({ icon, title, text, code, below, children }: StepProps) {
  return (
    <li className="first-step grid grid-cols-[var(--control-l)_minmax(0,1fr)_auto] items-center gap-5 p-6 below-480:grid-cols-[var(--control-l)_minmax(0,1fr)] [&_.public-url]:col-[2/-1] [&_.public-url_code]:text-xs [&+.first-step]:border-t [&+.first-step]:border-dashed [&+.first-step]:border-t-line-strong">
      <span className="first-step-icon grid h-(--control-l) w-(--control-l) place-items-center rounded-full bg-accent-soft text-accent">
        {iconElement(icon)}
      </span>
      <div>
        <h3>{title}</h3>
        <p className="text-s text-mid">{text}</p>
        {code !== undefined && (
          <code className="mono mt-3 inline-block max-w-full rounded-sm bg-sunken px-3 py-1 text-xs wrap-anywhere select-all">
            {code}
          </code>
        )}
      </div>
      {children}
      {below}
    </li>
  )
}
