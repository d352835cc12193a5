import { entries } from '#contract/commands.ts'
import { cut, visible } from '../../components/text/visible.ts'
import { byteSize, count, counted } from '../../components/text/numbers.ts'
import { settingAddress } from '../settings/address.ts'
import { useSettings } from '../settings/store.ts'
import { useBoundCommands } from './command-registry.ts'
import { keyWord } from './key-labels.ts'
import { useShell } from './store.ts'

/** What is kept, and the keys that matter here. */
export function Footer() {
  const stats = useShell((state) => state.stats)
  const ready = useShell((state) => state.ready)
  const stale = useShell((state) => state.stale)
  const version = useShell((state) => state.version)
  const limit = useSettings((state) => state.settings?.keepBytes)
  return (
    <footer className="foot">
      {ready && (
        <>
          {stale && <span>Last known</span>}
          <span>{counted(stats.deliveries, 'delivery', 'deliveries')}</span>
          <span>
            {byteSize(stats.bytes)}
            {limit !== undefined && ` of ${byteSize(limit)}`}
          </span>
          {stats.behind > 0 && !stale && (
            <span
              className="foot-behind"
              title="Answered, and on their way into the store; they follow in a moment"
            >
              {count(stats.behind)} behind
            </span>
          )}
          {stats.deliveries > 0 && !stale && (
            <IndexState behind={stats.newestId - stats.indexedId} />
          )}
          <span>v{version}</span>
          {!stale && <Newer />}
        </>
      )}
      <span className="foot-gap" />
      <KeyHints />
      <button
        type="button"
        className="foot-help"
        onClick={() => useShell.setState({ keysShown: true })}
      >
        <kbd aria-hidden>?</kbd>
        all keys
      </button>
    </footer>
  )
}

/** The keys of the page that is shown, as far as they do something now. */
function KeyHints() {
  const keyed = useBoundCommands((state) => state.keyed)
  const hints = new Map<string, string[]>()
  for (const [name, { hint, keys }] of entries()) {
    const [key] = keys
    if (hint === undefined || key === undefined || !keyed.has(name)) continue
    hints.set(hint, [...(hints.get(hint) ?? []), keyWord(key)])
  }
  return [...hints].map(([hint, keys]) => (
    <span key={hint} className="foot-hint" aria-hidden>
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
      {hint}
    </span>
  ))
}

/** The way to a newer Tabscope, whatever page one is on. */
function Newer() {
  const state = useShell(({ updates }) => updates)
  if (state.state !== 'available' && state.state !== 'ready') return null
  return (
    <a className="foot-newer" href={settingAddress('updates')}>
      {visible(cut(state.version, 40))} {state.state === 'ready' ? 'is ready' : 'is there'}
    </a>
  )
}

/** How far the index has come that free text, ids and duplicates are found by. */
function IndexState({ behind }: { readonly behind: number }) {
  return (
    <span title="By the search index, free text, ids and duplicates are found. It follows behind what arrives.">
      {behind > 0
        ? `search index ${counted(behind, 'delivery', 'deliveries')} behind`
        : 'search index up to date'}
    </span>
  )
}
