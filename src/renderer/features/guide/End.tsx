import { modKey } from '../shell/keys.ts'

/** That was it, and where everything else is found. */
export function End() {
  return (
    <div className="guide-step">
      <p className="guide-words">
        <b>That was it.</b>{' '}
        <span>
          <kbd>{modKey}</kbd> <kbd>K</kbd> finds every command and delivery, <kbd>?</kbd> shows all
          keys. The guide is found there too, if you want it again.
        </span>
      </p>
    </div>
  )
}
