import { formatDuration } from '#shared/text/format.ts'
import { Icons } from './icons.tsx'
import { useEffect, useState } from 'react'
import { modKey } from './text/key-labels.ts'
import { Button } from './Button.tsx'

/** Submits the surrounding form, or cancels while a request is in progress. */
export function SendButton({ sending, onCancel }: { sending: boolean; onCancel: () => void }) {
  return sending ? (
    <Button
      className="h-(--control-l) w-(--measure-label) icon-xs below-620:flex-1"
      icon={Icons.Square}
      onClick={onCancel}
    >
      Cancel
    </Button>
  ) : (
    <Button
      kind="primary"
      type="submit"
      className="h-(--control-l) w-(--measure-label) icon-xs below-620:flex-1"
      icon={Icons.Send}
      aria-keyshortcuts="Control+Enter Meta+Enter"
      title={`${modKey} Enter sends from anywhere on this page`}
    >
      Send
      <kbd className="" aria-hidden>
        {modKey}
        <Icons.CornerDownLeft />
      </kbd>
    </Button>
  )
}

/** The elapsed time of a request, shown after 0.3 s. */
export function Sending({ since }: { since: number }) {
  const [now, setNow] = useState(since)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 100)
    return () => clearInterval(timer)
  }, [])
  return (
    <div className="grid flex-1 place-items-center gap-2" role="status">
      <div className="grid place-items-center gap-2 text-mid">
        <span className="pulse" aria-hidden />
        <p>Waiting for the response</p>
        {/* Hidden from screen readers, which would announce every change. The space is reserved from the start. */}
        <p className="text-dim" aria-hidden>
          {now - since < 300 ? '\u00a0' : formatDuration(now - since)}
        </p>
      </div>
    </div>
  )
}
