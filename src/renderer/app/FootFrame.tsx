import type { ReactNode } from 'react'
import { Row } from '../ui/Layout.tsx'
import { useShell } from '../state/app.ts'

interface Props {
  readonly className: string
  /** Each word with the keys that do it. */
  readonly hints: Iterable<readonly [word: string, keys: readonly string[]]>
  readonly children: ReactNode
}

/** The bottom of a window: what `children` say, then the keys. */
export function FootFrame({ className, hints, children }: Props) {
  return (
    <Row
      as="footer"
      align="center"
      gap={6}
      nowrap
      line="top"
      background="surface"
      tone="dim"
      size="xs"
      className={className}
    >
      {children}
      {/* What does not fit wraps out of sight. */}
      <span className="foot-hints" aria-hidden>
        {[...hints].map(([word, keys]) => (
          <span key={word} className="row-inline gap-2 align-center">
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
            {word}
          </span>
        ))}
      </span>
      <button
        type="button"
        className="row-inline gap-2 align-center"
        onClick={() => useShell.setState({ keysShown: true })}
      >
        <kbd aria-hidden>?</kbd>
        all keys
      </button>
    </Row>
  )
}
