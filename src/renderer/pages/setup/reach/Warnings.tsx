import { Icons } from '#kit/icons.tsx'
import type { ReactNode, RefObject } from 'react'
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
  readonly view: TunnelView
  /** Receives the focus when a warning that has it is removed. */
  readonly focusTarget: RefObject<HTMLElement | null>
}

/** Warnings that stay until the user dismisses them. */
export function Warnings({ view, focusTarget }: Props) {
  const endpoint = useEndpoints((state) => state.endpoints[0])
  return view.warnings.map((warning) => (
    <Warning
      key={warning.kind}
      warning={warning}
      url={view.url}
      endpoint={endpoint}
      isOnly={view.warnings.length === 1}
      focusTarget={focusTarget}
    />
  ))
}

interface WarningProps {
  readonly warning: TunnelWarning
  readonly url: string | null
  readonly endpoint: Endpoint | undefined
  /** Whether it is the only warning. */
  readonly isOnly: boolean
  readonly focusTarget: RefObject<HTMLElement | null>
}

function Warning({ warning, url, endpoint, isOnly, focusTarget }: WarningProps) {
  switch (warning.kind) {
    case 'assigned':
      return (
        <Frame
          warning={warning}
          focusTarget={focusTarget}
          title="Requested name not assigned"
          // If there is another warning, its button copies the same URL.
          copied={url === null || !isOnly ? null : addressOf(url, endpoint)}
        >
          <Change from={warning.requested} to={warning.assigned} />
          <p>
            {warning.by === 'user'
              ? 'The name you requested is taken. Paste the current address on the dashboard, or enter another name below and reopen the tunnel.'
              : 'The tunnel had the first name last time and now has another one. Paste the current address on the dashboard, or reopen the tunnel later.'}
          </p>
        </Frame>
      )
    case 'address_changed':
      return (
        <Frame
          warning={warning}
          focusTarget={focusTarget}
          title="The dashboard may have the old address"
          copied={addressOf(warning.now, endpoint)}
        >
          <Change from={warning.old} to={warning.now} />
          <p>
            You last copied the old address, which no longer works. Paste the new one on the
            service’s integrations dashboard.
          </p>
        </Frame>
      )
  }
}

/** The webhook URL at an address. An address with a path is already a webhook URL. */
function addressOf(url: string, endpoint: Endpoint | undefined): string {
  const parsed = URL.parse(url)
  if (!endpoint || (parsed !== null && parsed.pathname !== '/')) return url
  return publicUrl(url.replace(/\/$/, ''), endpoint.slug)
}

function Change({ from, to }: { readonly from: string; readonly to: string }) {
  return (
    <p className="flex flex-wrap items-center gap-2 gap-x-4 wrap-anywhere">
      <del className="mono text-mid select-text">
        <Shown text={from} max={300} />
      </del>{' '}
      <Icons.ArrowRight className="text-mid" aria-label="changed to" />
      <code className="mono select-text">
        <Shown text={to} max={300} />
      </code>
    </p>
  )
}

interface FrameProps {
  readonly warning: TunnelWarning
  readonly title: string
  /** The text that the button copies; null for no button. */
  readonly copied: string | null
  readonly focusTarget: RefObject<HTMLElement | null>
  readonly children: ReactNode
}

function Frame({ warning, title, copied, focusTarget, children }: FrameProps) {
  const client = useClient()
  const ref = useFocusOnUnmount<HTMLElement>(focusTarget)
  const dismiss = useAction(() => dismissWarning(client, warning.kind))
  return (
    <section
      className="framed-state tunnel-warning grid grid-cols-auto-1 gap-5 rounded-lg border border-[color-mix(in_srgb,var(--tone)_40%,transparent)] bg-tone-soft px-7 py-5"
      ref={ref}
      data-tone="warning"
      data-kind={warning.kind}
      aria-label={title}
    >
      <Icons.TriangleAlert className="mt-1 text-tone icon-m" />
      <div className="grid gap-2">
        <h2>{title}</h2>
        {children}
        <div className="mt-4 flex flex-wrap items-center gap-4">
          {copied !== null && (
            <CopyButton
              kind={warning.kind === 'address_changed' ? 'primary' : 'plain'}
              text={copied}
              label={`Copy new URL ${truncate(copied, 300)}`}
              words="Copy new URL"
              copy={(text) => copyPublic(client, text)}
            />
          )}
          <Button busy={dismiss.busy} onClick={() => dismiss.start()}>
            Dismiss
          </Button>
          <Time className="ml-auto text-s text-mid" at={warning.at}>
            {clockTimeSeconds(warning.at)}
          </Time>
        </div>
      </div>
    </section>
  )
}
