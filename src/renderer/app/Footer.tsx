import { formatCount, formatSize, plural } from '#shared/text/format.ts'
import { entries } from '#contract/commands.ts'
import { shortText } from '#kit/text/visible.ts'
import { settingAddress } from '#client/addresses/pages.ts'
import { useSettings } from '#client/state/live-values.ts'
import { useBoundCommands } from '#client/command-registry.ts'
import { keyLabel } from '#kit/text/key-labels.ts'
import { useToasts } from '#kit/toasts.ts'
import { TokenChip } from './TokenChip.tsx'
import { openDialog } from '#client/state/overlays.ts'
import { useShell } from '#client/state/app.ts'

export function Footer() {
  const stats = useShell((state) => state.stats)
  const ready = useShell((state) => state.ready)
  const stale = useShell((state) => state.stale)
  const hints = useKeyHints()
  const limit = useSettings((state) => state.settings?.keepBytes)
  return (
    <footer className="foot flex items-center gap-6 border-t border-line bg-surface text-xs whitespace-nowrap text-dim">
      {ready && (
        <>
          {stale && <span>Last known values</span>}
          <span
            title={`${formatSize(stats.bytes)}${limit === undefined ? '' : ` of ${formatSize(limit)}`}`}
          >
            {plural(stats.deliveries, 'delivery', 'deliveries')}
          </span>
          {!stale && (
            <>
              <Rate />
              <TokenChip place="footer" />
            </>
          )}
          {!stale && <UpdateLink />}
          <MessagesButton />
        </>
      )}
      {/* What does not fit wraps out of sight. */}
      <span
        className="foot-hints flex h-[1lh] flex-1 flex-wrap justify-end gap-6 overflow-clip below-760:hidden"
        aria-hidden
      >
        {[...hints].map(([word, keys]) => (
          <span key={word} className="inline-flex items-center gap-2">
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
            {word}
          </span>
        ))}
      </span>
      <button
        type="button"
        className="inline-flex items-center gap-2"
        onClick={() => openDialog('keys')}
      >
        <kbd aria-hidden>?</kbd>
        all keys
      </button>
    </footer>
  )
}

function useKeyHints(): ReadonlyMap<string, readonly string[]> {
  const keyed = useBoundCommands((state) => state.keyed)
  const hints = new Map<string, string[]>()
  for (const [name, { hint, keys }] of entries()) {
    const [key] = keys
    if (hint === undefined || key === undefined || !keyed.has(name)) continue
    hints.set(hint, [...(hints.get(hint) ?? []), keyLabel(key)])
  }
  return hints
}

function UpdateLink() {
  const state = useShell(({ updates }) => updates)
  if (state.state !== 'available' && state.state !== 'ready') return null
  return (
    <a className="font-semibold text-accent" href={settingAddress('updates')}>
      {shortText(state.version, 40)} {state.state === 'ready' ? 'is ready' : 'is available'}
    </a>
  )
}

/** Deliveries in the last complete minute, or in the current one if it already has more. */
function Rate() {
  const perMinute = useShell((state) => state.perMinute)
  const hour = perMinute.reduce((sum, value) => sum + value, 0)
  return (
    <span title={`${plural(hour, 'delivery', 'deliveries')} in the last hour`}>
      {formatCount(Math.max(...perMinute.slice(-2)))} a minute
    </span>
  )
}

/** Opens the history of messages. Absent until there is one. */
function MessagesButton() {
  const count = useToasts((state) => state.history.length)
  if (count === 0) return null
  return (
    <button type="button" onClick={() => openDialog('messages')}>
      {plural(count, 'message', 'messages')}
    </button>
  )
}
