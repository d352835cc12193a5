import { formatSize, plural } from '#shared/text/format.ts'
import { entries } from '#contract/commands.ts'
import { truncate, escapeControls } from '../ui/text/visible.ts'
import { settingAddress } from '../routes/pages.ts'
import { useSettings } from '../state/settings.ts'
import { useBoundCommands } from '../platform/command-registry.ts'
import { keyWord } from '../platform/keys.ts'
import { useShell } from '../state/app.ts'
import { FootFrame } from './FootFrame.tsx'

export function Footer() {
  const stats = useShell((state) => state.stats)
  const ready = useShell((state) => state.ready)
  const stale = useShell((state) => state.stale)
  const version = useShell((state) => state.version)
  const limit = useSettings((state) => state.settings?.keepBytes)
  return (
    <FootFrame className="foot" hints={useKeyHints()}>
      {ready && (
        <>
          {stale && <span>Last known values</span>}
          <span>{plural(stats.deliveries, 'delivery', 'deliveries')}</span>
          <span>
            {formatSize(stats.bytes)}
            {limit !== undefined && ` of ${formatSize(limit)}`}
          </span>
          {stats.deliveries > 0 && !stale && (
            <IndexState behind={stats.newestId - stats.indexedId} />
          )}
          <span>v{version}</span>
          {!stale && <UpdateLink />}
        </>
      )}
    </FootFrame>
  )
}

/** The keys of what can be done now, by the word for it. */
function useKeyHints(): ReadonlyMap<string, readonly string[]> {
  const keyed = useBoundCommands((state) => state.keyed)
  const hints = new Map<string, string[]>()
  for (const [name, { hint, keys }] of entries()) {
    const [key] = keys
    if (hint === undefined || key === undefined || !keyed.has(name)) continue
    hints.set(hint, [...(hints.get(hint) ?? []), keyWord(key)])
  }
  return hints
}

function UpdateLink() {
  const state = useShell(({ updates }) => updates)
  if (state.state !== 'available' && state.state !== 'ready') return null
  return (
    <a className="weight-semibold tone-accent" href={settingAddress('updates')}>
      {escapeControls(truncate(state.version, 40))}{' '}
      {state.state === 'ready' ? 'is ready' : 'is available'}
    </a>
  )
}

function IndexState({ behind }: { readonly behind: number }) {
  return (
    <span title="Finds free text, IDs and duplicates. It can be slightly behind new deliveries.">
      {behind > 0
        ? `search index ${plural(behind, 'delivery', 'deliveries')} behind`
        : 'search index up to date'}
    </span>
  )
}
