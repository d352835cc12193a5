import { TriangleAlert } from '../../ui/icons.tsx'
import { useRef, type RefObject } from 'react'
import { Stack, Text } from '../../ui/Layout.tsx'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { truncate, escapeControls } from '../../ui/text/visible.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { useEndpoints } from '../../state/endpoints.ts'
import { useShell } from '../../state/app.ts'
import { checkTunnel, copyPublic, openTunnel } from './commands.ts'
import { Since } from './Live.tsx'
import { needsAttention, TunnelIcon } from './StateMark.tsx'
import { useTunnel } from '../../state/tunnel.ts'
import { useFocusOnUnmount } from '../../ui/focus.ts'
import {
  barAction,
  hostOf,
  notConnected,
  publicUrl,
  tunnelStateLabels,
  unknownState,
} from '../../state/tunnel-labels.ts'
import './TunnelChip.css'

/** The tunnel in the bar: its state, host, time and the next action. */
export function TunnelChip() {
  const view = useTunnel((state) => state.view)
  const lastUrl = useTunnel((state) => state.lastUrl)
  const stale = useShell((state) => state.stale)
  const link = useRef<HTMLAnchorElement>(null)
  if (view === null) return null
  if (stale) return <UnknownTunnel />
  const { state, since, reason, url, warnings } = view
  const { word, tone } = tunnelStateLabels[state]
  const address = url ?? lastUrl
  const action = barAction(view)
  return (
    <div
      className="bar-chip bar-linked bar-tunnel"
      data-testid="tunnel-chip"
      data-state={state}
      data-tone={tone}
      data-alert={needsAttention(state) || undefined}
    >
      <a
        className="row-inline gap-3 align-center"
        ref={link}
        href="#/tunnel"
        title={escapeControls(truncate(reason, 400))}
      >
        <TunnelIcon state={state} />
        <Text fixed weight="semibold" {...(needsAttention(state) && { tone: 'state' })}>
          Tunnel {word}
        </Text>
        {address !== null && (
          <Text
            mono
            cut
            tone="mid"
            className="bar-tunnel-host"
            data-gone={url === null || undefined}
          >
            {truncate(hostOf(address), 80)}
          </Text>
        )}
        {state !== 'off' && (
          <Text fixed tone="mid" className="bar-tunnel-since">
            <Since at={since} />
          </Text>
        )}
        {warnings.length > 0 && (
          <Stack
            as="span"
            fixed
            tone="state"
            className="bar-tunnel-warning"
            data-tone="warning"
            title="Tunnel warning"
          >
            <TriangleAlert aria-hidden />
            <span className="visually-hidden">, with a warning</span>
          </Stack>
        )}
      </a>
      {action !== null && <BarButton action={action} focusTarget={link} />}
      {url !== null && <CopyFirst url={url} />}
    </div>
  )
}

/** Shown while the page is not connected to Tabscope. */
function UnknownTunnel() {
  return (
    <div
      className="bar-chip bar-linked bar-tunnel"
      data-testid="tunnel-chip"
      data-state="unknown"
      data-tone={unknownState.tone}
    >
      <a className="row-inline gap-3 align-center" href="#/tunnel" title={notConnected}>
        <TunnelIcon state={null} />
        <Text fixed weight="semibold">
          Tunnel {unknownState.word}
        </Text>
      </a>
    </div>
  )
}

interface BarButtonProps {
  readonly action: 'open' | 'retry'
  readonly focusTarget: RefObject<HTMLElement | null>
}

function BarButton({ action, focusTarget }: BarButtonProps) {
  const client = useClient()
  const ref = useFocusOnUnmount<HTMLButtonElement>(focusTarget)
  const run = useAction(() => (action === 'open' ? openTunnel(client) : checkTunnel(client)))
  return (
    <Button
      ref={ref}
      small
      busy={run.busy}
      onClick={() => run.start()}
      aria-label={action === 'open' ? 'Open the tunnel' : 'Retry the tunnel now'}
    >
      {action === 'open' ? 'Open' : 'Retry'}
    </Button>
  )
}

/** Copies the webhook URL for the dashboard: that of the first endpoint. */
function CopyFirst({ url }: { readonly url: string }) {
  const client = useClient()
  const endpoints = useEndpoints((state) => state.endpoints)
  const [first] = endpoints
  const webhookUrl = first ? publicUrl(url, first.slug) : url
  const label =
    first && endpoints.length > 1
      ? `Copy public URL of ${escapeControls(truncate(first.name, 60))}`
      : first
        ? 'Copy public webhook URL'
        : 'Copy public URL'
  return (
    <CopyButton text={webhookUrl} label={label} copy={(copied) => copyPublic(client, copied)} />
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
