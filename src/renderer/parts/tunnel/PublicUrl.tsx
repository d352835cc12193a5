import { Icons } from '#kit/icons.tsx'
import type { Endpoint } from '#contract/models.ts'
import { cx } from '#kit/cx.ts'
import { CopyButton } from '#kit/Button.tsx'
import { Shown } from '#kit/Shown.tsx'
import { truncate } from '#kit/text/visible.ts'
import { useClient } from '#client/use-client.ts'
import { useShell } from '#client/state/app.ts'
import { copyPublic } from './commands.ts'
import { StateTag } from './StateMark.tsx'
import { useTunnel } from '#client/state/tunnel.ts'
import { publicUrl } from '#client/state/tunnel-labels.ts'

/** The public URL of an endpoint, with the tunnel state while it is not online. Nothing while the tunnel is off. */
export function PublicUrl({ endpoint, className }: { endpoint: Endpoint; className?: string }) {
  const client = useClient()
  const stale = useShell((state) => state.stale)
  const view = useTunnel((state) => state.view)
  // While the tunnel reconnects, the last URL stays visible, because Tabscope requests the same one again.
  const origin = useTunnel(({ view: current, lastUrl }) => current?.url ?? lastUrl)
  if (view === null || origin === null) return null
  const url = publicUrl(origin, endpoint.slug)
  return (
    <div className={cx('flex min-w-0 items-center gap-4', 'public-url', className)}>
      <span className="grid flex-none text-dim" title="Reachable from outside, through the tunnel">
        <Icons.Globe />
        <span className="visually-hidden">Public URL: </span>
      </span>
      <code className="mono min-h-0 min-w-0 flex-1 wrap-anywhere select-text">
        <Shown text={url} max={400} />
      </code>
      {(view.state !== 'online' || stale) && <StateTag state={view.state} />}
      <CopyButton
        text={url}
        label={`Copy public URL of ${truncate(endpoint.name, 60)}`}
        words="Copy public URL"
        copy={(text) => copyPublic(client, text)}
      />
    </div>
  )
}
