import { Activity, Search } from 'lucide-react'
import { CopyButton } from '../../components/CopyButton.tsx'
import { Spark } from '../../components/Spark.tsx'
import { count, counted } from '../../components/text/numbers.ts'
import { copyText } from '../../platform/clipboard.ts'
import { AnsweringChip } from '../answering/AnsweringChip.tsx'
import { IntegrationSwitcher } from '../authorization/IntegrationSwitcher.tsx'
import { TokenChip } from '../authorization/TokenChip.tsx'
import { togglePalette } from '../palette/store.ts'
import { TunnelChip } from '../tunnel/TunnelChip.tsx'
import { modKey } from './keys.ts'
import { ListenerChip } from './ListenerChip.tsx'
import { useShell } from './store.ts'
import '../answering/Answering.css'
import './ConnectionBar.css'

/** Who we are to the service, where we listen, and how much comes. */
export function ConnectionBar() {
  const listener = useShell((state) => state.listener)
  const ready = useShell((state) => state.ready)
  const stale = useShell((state) => state.stale)
  return (
    <header className="bar">
      {ready && (
        <>
          <IntegrationSwitcher />
          <div className="bar-chip bar-listener">
            <ListenerChip />
            {listener.state === 'listening' && !stale && (
              <CopyButton text={listener.origin} label="Copy listener address" copy={copyText} />
            )}
          </div>
          <TunnelChip />
          {!stale && <AnsweringChip />}
          {!stale && <TokenChip />}
          <span className="bar-gap" />
          {!stale && <PerMinute />}
          <FindButton />
        </>
      )}
    </header>
  )
}

/** The way to the palette for those who do not know its key, which it tells. */
function FindButton() {
  return (
    <button
      type="button"
      className="bar-chip bar-find"
      title={`Find a command, a delivery or a setting (${modKey} K)`}
      aria-keyshortcuts={`${modKey === 'Ctrl' ? 'Control' : 'Meta'}+K`}
      aria-haspopup="dialog"
      onClick={togglePalette}
    >
      <Search aria-hidden />
      <span className="bar-find-word">Find…</span>
      <kbd aria-hidden>{modKey} K</kbd>
    </button>
  )
}

function PerMinute() {
  const perMinute = useShell((state) => state.perMinute)
  const hour = perMinute.reduce((sum, value) => sum + value, 0)
  const now = perMinute.at(-1) ?? 0
  return (
    <div className="bar-rate" title={`${counted(hour, 'delivery', 'deliveries')} in the last hour`}>
      <Activity aria-hidden />
      <Spark
        values={perMinute}
        label={`Deliveries a minute over the last hour: ${count(hour)} in all, ${count(now)} in this minute`}
      />
      <span className="bar-now">
        <b>{count(now)}</b> this minute
      </span>
    </div>
  )
}
