import { Icons } from '#kit/icons.tsx'
import type { RefObject } from 'react'
import type { Endpoint } from '#contract/models.ts'
import type { TunnelView, TunnelWarning } from '#contract/tunnel.ts'
import { Button, CopyButton } from '#kit/Button.tsx'
import { Shown } from '#kit/Shown.tsx'
import { clockTimeSeconds } from '#kit/text/time.ts'
import { truncate } from '#kit/text/visible.ts'
import { Time } from '#kit/Time.tsx'
import { useAction } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { useEndpoints } from '#client/state/live-values.ts'
import { copyPublic, dismissWarning } from '#parts/tunnel/commands.ts'
import { useFocusOnUnmount } from '#kit/focus.ts'
import { publicUrl } from '#client/state/tunnel-labels.ts'

interface Props {
  view: TunnelView
  /** Receives the focus when a warning that has it is removed. */
  focusTarget: RefObject<HTMLElement | null>
}

/** Warnings that stay until the user dismisses them. */
export function Warnings({ view, focusTarget }: Props) {
  const { warnings, url } = view
  return warnings.map((warning) => (
    <Warning
      key={warning.kind}
      warning={warning}
      // If there is another warning, its button copies the same URL.
      copied={warning.kind === 'address_changed' ? warning.now : warnings.length === 1 ? url : null}
      focusTarget={focusTarget}
    />
  ))
}

interface WarningProps extends Pick<Props, 'focusTarget'> {
  warning: TunnelWarning
  /** The address that the button copies; null for no button. */
  copied: string | null
}

function Warning({ warning, copied, focusTarget }: WarningProps) {
  const { kind, at } = warning
  const client = useClient()
  const endpoint = useEndpoints((state) => state.endpoints[0])
  const ref = useFocusOnUnmount<HTMLElement>(focusTarget)
  const dismiss = useAction(() => dismissWarning(client, kind))
  const isAssigned = kind === 'assigned'
  const title = isAssigned
    ? 'Requested name not assigned'
    : 'The dashboard may have the old address'
  const text = copied === null ? null : addressOf(copied, endpoint)
  return (
    <section
      className="tunnel-warning grid grid-cols-auto-1 gap-5 rounded-lg border border-[color-mix(in_srgb,var(--tone)_40%,transparent)] bg-tone-soft px-7 py-5"
      ref={ref}
      data-tone="warning"
      aria-label={title}
    >
      <Icons.TriangleAlert className="mt-1 text-tone icon-m" />
      <div className="grid gap-2">
        <h2>{title}</h2>
        <p className="flex flex-wrap items-center gap-2 gap-x-4 wrap-anywhere">
          <del className="mono text-mid select-text">
            <Shown text={isAssigned ? warning.requested : warning.old} max={300} />
          </del>{' '}
          <Icons.ArrowRight className="text-mid" aria-label="changed to" />
          <code className="mono select-text">
            <Shown text={isAssigned ? warning.assigned : warning.now} max={300} />
          </code>
        </p>
        <p>
          {!isAssigned
            ? 'You last copied the old address, which no longer works. Paste the new one on the service’s integrations dashboard.'
            : warning.by === 'user'
              ? 'The name you requested is taken. Paste the current address on the dashboard, or enter another name below and reopen the tunnel.'
              : 'The tunnel had the first name last time and now has another one. Paste the current address on the dashboard, or reopen the tunnel later.'}
        </p>
        <div className="mt-4 flex flex-wrap items-center gap-4">
          {text !== null && (
            <CopyButton
              kind={isAssigned ? 'plain' : 'primary'}
              text={text}
              label={`Copy new URL ${truncate(text, 300)}`}
              words="Copy new URL"
              copy={(copying) => copyPublic(client, copying)}
            />
          )}
          <Button busy={dismiss.busy} onClick={() => dismiss.start()}>
            Dismiss
          </Button>
          <Time className="ml-auto text-s text-mid" at={at}>
            {clockTimeSeconds(at)}
          </Time>
        </div>
      </div>
    </section>
  )
}

/** The webhook URL at an address. An address with a path is already a webhook URL. */
function addressOf(url: string, endpoint: Endpoint | undefined): string {
  const parsed = URL.parse(url)
  if (!endpoint || (parsed !== null && parsed.pathname !== '/')) return url
  return publicUrl(url.replace(/\/$/, ''), endpoint.slug)
}
