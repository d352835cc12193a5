import { TriangleAlert } from 'lucide-react'
import { useRef } from 'react'
import type { RefObject } from 'react'
import { Button } from '../../components/Button.tsx'
import { CopyButton } from '../../components/CopyButton.tsx'
import { cut, visible } from '../../components/text/visible.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { useEndpoints } from '../endpoints/store.ts'
import { useShell } from '../shell/store.ts'
import { checkTunnel, copyPublic, openTunnel } from './commands.ts'
import { Since } from './Live.tsx'
import { TunnelIcon } from './StateIcon.tsx'
import { useTunnel } from './store.ts'
import { useHeir } from './use-heir.ts'
import {
  barAction,
  hostOf,
  notConnected,
  publicUrl,
  tunnelStateLabels,
  unknownState,
} from './labels.ts'
import './TunnelChip.css'

/** Whether we can be reached from outside, in the bar: the state, where, how long, and the one thing to do about it. */
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
      className="bar-chip bar-tunnel"
      data-testid="tunnel-chip"
      data-state={state}
      data-tone={tone}
    >
      <a ref={link} href="#/tunnel" title={visible(cut(reason, 400))}>
        <TunnelIcon state={state} />
        <span className="bar-tunnel-word">
          Tunnel <span className="bar-tunnel-state">{word}</span>
        </span>
        {address !== null && (
          <span className="bar-tunnel-host mono cut" data-gone={url === null || undefined}>
            {cut(hostOf(address), 80)}
          </span>
        )}
        {state !== 'off' && (
          <span className="bar-tunnel-since">
            <Since at={since} />
          </span>
        )}
        {warnings.length > 0 && (
          <span className="bar-tunnel-warning" data-tone="missing" title="There is a warning">
            <TriangleAlert aria-hidden />
            <span className="visually-hidden">, there is a warning</span>
          </span>
        )}
      </a>
      {action !== null && <BarButton action={action} heir={link} />}
      {url !== null && <CopyFirst url={url} />}
    </div>
  )
}

/** Nothing is known of it without a connection. */
function UnknownTunnel() {
  return (
    <div
      className="bar-chip bar-tunnel"
      data-testid="tunnel-chip"
      data-state="unknown"
      data-tone={unknownState.tone}
    >
      <a href="#/tunnel" title={notConnected}>
        <TunnelIcon state={null} />
        <span className="bar-tunnel-word">
          Tunnel <span className="bar-tunnel-state">{unknownState.word}</span>
        </span>
      </a>
    </div>
  )
}

interface BarButtonProps {
  readonly action: 'open' | 'try'
  readonly heir: RefObject<HTMLElement | null>
}

function BarButton({ action, heir }: BarButtonProps) {
  const client = useClient()
  const ref = useHeir<HTMLButtonElement>(heir)
  const run = useAction(() => (action === 'open' ? openTunnel(client) : checkTunnel(client)))
  return (
    <Button
      ref={ref}
      busy={run.busy}
      onClick={() => run.start()}
      aria-label={action === 'open' ? 'Open the tunnel' : 'Try now to open the tunnel'}
    >
      {action === 'open' ? 'Open' : 'Try now'}
    </Button>
  )
}

/** The address that goes on the dashboard: of the first endpoint, where there are several. */
function CopyFirst({ url }: { readonly url: string }) {
  const client = useClient()
  const endpoints = useEndpoints((state) => state.endpoints)
  const [first] = endpoints
  const text = first ? publicUrl(url, first.slug) : url
  const label =
    first && endpoints.length > 1
      ? `Copy public URL of ${visible(cut(first.name, 60))}`
      : first
        ? 'Copy public webhook URL'
        : 'Copy public address'
  return <CopyButton text={text} label={label} copy={(given) => copyPublic(client, given)} />
}
