import { isLoopback } from '#shared/text/address.ts'
import type { ListenerState } from '#contract/models.ts'
import type { TunnelView } from '#contract/tunnel.ts'
import { Icons, type Icon } from '#kit/icons.tsx'
import { useRef, type ReactNode, type RefObject } from 'react'
import { cx } from '#kit/cx.ts'
import { Button, CopyButton } from '#kit/Button.tsx'
import { useFocusOnUnmount } from '#kit/focus.ts'
import { shortText } from '#kit/text/visible.ts'
import { useAction } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { settingAddress } from '#client/addresses/pages.ts'
import { useShell } from '#client/state/app.ts'
import { useMainEndpoint } from '#client/state/live-values.ts'
import { useTunnel } from '#client/state/tunnel.ts'
import { barAction, tunnelStateLabels } from '#client/state/tunnel-labels.ts'
import { checkTunnel, copyPublic, openTunnel } from '#parts/tunnel/commands.ts'
import { Since } from '#pages/setup/reach/Live.tsx'
import { needsAttention, TunnelIcon } from '#parts/tunnel/StateMark.tsx'

/** Where deliveries can be sent to, with a button to copy it: through the tunnel, or only from this machine. Or why nowhere, and how to fix it. */
export function ReachChip() {
  const stale = useShell((state) => state.stale)
  const listener = useShell((state) => state.listener)
  const view = useTunnel((state) => state.view)
  if (stale) {
    return (
      <Frame listener="unknown" tunnel="unknown" tone="unsigned">
        <Says icon={Icons.CircleHelp} word="State unknown" />
      </Frame>
    )
  }
  if (listener.state === 'listening' && listener.failing === null && view !== null) {
    return <Reachable origin={listener.origin} view={view} />
  }
  return <NotListening listener={listener} />
}

function Reachable({ origin, view }: { origin: string; view: TunnelView }) {
  const client = useClient()
  const lastUrl = useTunnel((state) => state.lastUrl)
  const endpoint = useMainEndpoint()
  const path = endpoint ? `/hooks/${endpoint.slug}` : ''
  const link = useRef<HTMLAnchorElement>(null)
  const { state, since, reason, url, warnings } = view
  const { word, tone } = tunnelStateLabels[state]
  const action = barAction(view)
  const alert = needsAttention(state)
  const shown = url ?? (alert ? lastUrl : null) ?? origin
  const scope = isLoopback(URL.parse(origin)?.hostname ?? '')
    ? 'from this machine only'
    : 'from this network only'
  return (
    <Frame listener="listening" tunnel={state} tone={tone} alert={alert}>
      <a
        ref={link}
        href="#/setup/reach"
        title={
          state === 'off'
            ? `Listening on ${origin}. A hosted service can only reach it through a tunnel.`
            : shortText(reason, 400)
        }
      >
        {state === 'off' ? <Icons.Radio className="text-valid" /> : <TunnelIcon state={state} />}
        <span className={cx('flex-none font-semibold', alert && 'text-tone')}>
          {state === 'online' || state === 'off' ? 'Reachable at' : `Tunnel ${word}`}
        </span>
        <span className="bar-text mono">
          <span className="cut">
            {shortText(`${shown.replace(/^https?:\/\//, '')}${path}`, 200)}
          </span>
        </span>
        <span className={cx('flex-none text-s text-mid', !alert && 'bar-extra')}>
          {state === 'off' ? (
            scope
          ) : state === 'online' ? (
            'through the tunnel'
          ) : (
            <Since at={since} />
          )}
        </span>
        {warnings.length > 0 && (
          <span className="inline-flex text-warning" title="Tunnel warning">
            <Icons.TriangleAlert />
            <span className="visually-hidden">, with a warning</span>
          </span>
        )}
      </a>
      {url === null ? (
        <CopyButton text={`${origin}${path}`} label="Copy webhook URL" />
      ) : (
        <CopyButton
          text={`${url}${path}`}
          label="Copy public webhook URL"
          copy={(copied) => copyPublic(client, copied)}
        />
      )}
      {action !== null && <TunnelButton action={action} focusTarget={link} />}
    </Frame>
  )
}

function TunnelButton(props: {
  action: 'open' | 'retry'
  focusTarget: RefObject<HTMLElement | null>
}) {
  const { action, focusTarget } = props
  const client = useClient()
  const ref = useFocusOnUnmount<HTMLButtonElement>(focusTarget)
  const run = useAction(() => (action === 'open' ? openTunnel(client) : checkTunnel(client)))
  return (
    <Button
      ref={ref}
      small
      busy={run.busy}
      onClick={() => run.start()}
      aria-label={action === 'open' ? undefined : 'Retry the tunnel now'}
    >
      {action === 'open' ? 'Open the tunnel' : 'Retry'}
    </Button>
  )
}

function NotListening({ listener }: { listener: ListenerState }) {
  const client = useClient()
  const start = useAction(async (port: number | null) => {
    await client.call('listener.start', port === null ? {} : { port })
  })
  switch (listener.state) {
    // While the tunnel is not known yet, the listener is shown alone.
    case 'listening':
      return listener.failing === null ? null : (
        <Frame listener="failing" tone="invalid" alert>
          <Says icon={Icons.TriangleAlert} word="Failed" detail={listener.failing} />
        </Frame>
      )
    case 'starting':
      return (
        <Frame listener="starting" tone="warning">
          <Says
            icon={Icons.LoaderCircle}
            word="Starting"
            detail={listener.port === 0 ? '' : `port ${listener.port}`}
          />
        </Frame>
      )
    case 'failed':
    case 'stopped': {
      const failed = listener.state === 'failed'
      const free = failed ? listener.freePort : null
      return (
        <Frame listener={listener.state} tone={failed ? 'invalid' : 'unsigned'} alert={failed}>
          <Says
            icon={failed ? Icons.Unplug : Icons.CircleStop}
            word={failed ? 'Not listening' : 'Stopped'}
            detail={start.message ?? (failed ? listener.message : '')}
          />
          {free !== null && (
            <Button small kind="primary" busy={start.busy} onClick={() => start.start(free)}>
              Use port {free}
            </Button>
          )}
          <Button small busy={start.busy} onClick={() => start.start(null)}>
            {failed ? 'Try again' : 'Start'}
          </Button>
        </Frame>
      )
    }
  }
}

interface SaysProps {
  icon: Icon
  word: string
  detail?: string
}

function Says({ icon: Icon, word, detail = '' }: SaysProps) {
  return (
    <a href={settingAddress('port')} title={detail || undefined}>
      <Icon aria-hidden className="text-tone" />
      <span className="flex-none font-semibold text-tone">{word}</span>
      {detail !== '' && (
        <span className="bar-text" role="status">
          <span className="cut">{shortText(detail, 300)}</span>
        </span>
      )}
    </a>
  )
}

interface FrameProps {
  listener: string
  /** Absent while the listener is not running, because the tunnel then leads nowhere. */
  tunnel?: string
  tone: string
  alert?: boolean
  children: ReactNode
}

function Frame({ listener, tunnel, tone, alert, children }: FrameProps) {
  return (
    <div
      className="bar-chip bar-linked"
      data-testid="reach-chip"
      data-state={tunnel}
      data-listener={listener}
      data-tone={tone}
      data-alert={alert || undefined}
      role="group"
      aria-label="Reachable at"
    >
      {children}
    </div>
  )
}

/** Announces to screen readers that the tunnel is lost or online again. */
export function TunnelAnnouncement() {
  const text = useTunnel((state) => state.announcement.text)
  return (
    <p className="visually-hidden" role="status" aria-label="Tunnel" data-testid="tunnel-status">
      {text}
    </p>
  )
}
