import { byteSize, counted } from '#renderer/components/text/numbers.ts'
import { useShell } from '#renderer/features/shell/store.ts'
import type { PageLog } from '../log/log.ts'

const hints = [
  [['J', 'K'], 'move'],
  [['Enter'], 'open'],
  [['/'], 'filter'],
  [['1', '7'], 'tabs'],
] as const

/** How much there is, and the keys that matter here. */
export function ViewerFoot({ log }: { readonly log: PageLog }) {
  const bytes = useShell((state) => state.stats.bytes)
  return (
    <footer className="foot viewer-foot">
      <span>{counted(log.rows.length, 'delivery', 'deliveries')}</span>
      <span>{byteSize(bytes)} of bodies</span>
      <span>read-only</span>
      <span className="foot-gap" />
      {hints.map(([keys, word]) => (
        <span key={word} className="foot-hint" aria-hidden>
          {keys.map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
          {word}
        </span>
      ))}
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
