import { ArrowRight, TriangleAlert } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import type { Endpoint } from '#contract/models.ts'
import type { TunnelView, TunnelWarning } from '#contract/tunnel.ts'
import { Button } from '../../components/Button.tsx'
import { CopyButton } from '../../components/CopyButton.tsx'
import { Shown } from '../../components/Shown.tsx'
import { clockTimeSeconds, fullTime, utcTime } from '../../components/text/time.ts'
import { cut } from '../../components/text/visible.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { useEndpoints } from '../endpoints/store.ts'
import { copyPublic, dismissWarning } from './commands.ts'
import { useHeir } from './use-heir.ts'
import { publicUrl } from './labels.ts'

interface Props {
  readonly view: TunnelView
  /** Gets the focus of a warning that goes. */
  readonly heir: RefObject<HTMLElement | null>
}

/** What stands until somebody has seen to it. */
export function Warnings({ view, heir }: Props) {
  const endpoint = useEndpoints((state) => state.endpoints[0])
  return view.warnings.map((warning) => (
    <Warning
      key={warning.kind}
      warning={warning}
      url={view.url}
      endpoint={endpoint}
      alone={view.warnings.length === 1}
      heir={heir}
    />
  ))
}

interface WarningProps {
  readonly warning: TunnelWarning
  readonly url: string | null
  readonly endpoint: Endpoint | undefined
  /** It is the only one. */
  readonly alone: boolean
  readonly heir: RefObject<HTMLElement | null>
}

function Warning({ warning, url, endpoint, alone, heir }: WarningProps) {
  switch (warning.kind) {
    case 'assigned':
      return (
        <Frame
          warning={warning}
          heir={heir}
          title="Another name was assigned than was asked for"
          // Where the other warning stands, its button copies the same.
          copied={url === null || !alone ? null : addressOf(url, endpoint)}
        >
          <p className="tunnel-change">
            <Before text={warning.asked} /> <ArrowRight aria-label="is now" />
            <code className="mono selectable">
              <Shown text={cut(warning.got, 300)} />
            </code>
          </p>
          <p>
            {warning.by === 'user'
              ? 'Somebody else holds the name that you asked for. Paste the address of now on the dashboard, or choose another name below and open again.'
              : 'It had the first name the last time, and was given another now. Paste the address of now on the dashboard, or open again later.'}
          </p>
        </Frame>
      )
    case 'address_changed':
      return (
        <Frame
          warning={warning}
          heir={heir}
          title="The dashboard still has the old one"
          copied={addressOf(warning.now, endpoint)}
        >
          <p className="tunnel-change">
            <Before text={warning.old} /> <ArrowRight aria-label="is now" />
            <code className="mono selectable">
              <Shown text={cut(warning.now, 300)} />
            </code>
          </p>
          <p>
            You copied the old address last, and what is sent there does not arrive. Paste the new
            one on the service’s integrations dashboard.
          </p>
        </Frame>
      )
  }
}

/** The webhook URL at an address; one that has a path is one already. */
function addressOf(url: string, endpoint: Endpoint | undefined): string {
  const parsed = URL.parse(url)
  if (!endpoint || (parsed !== null && parsed.pathname !== '/')) return url
  return publicUrl(url.replace(/\/$/, ''), endpoint.slug)
}

function Before({ text }: { readonly text: string }) {
  return (
    <del className="mono selectable">
      <Shown text={cut(text, 300)} />
    </del>
  )
}

interface FrameProps {
  readonly warning: TunnelWarning
  readonly title: string
  /** What its button copies; null: there is nothing to be copied. */
  readonly copied: string | null
  readonly heir: RefObject<HTMLElement | null>
  readonly children: ReactNode
}

function Frame({ warning, title, copied, heir, children }: FrameProps) {
  const client = useClient()
  const ref = useHeir<HTMLElement>(heir)
  const dismiss = useAction(() => dismissWarning(client, warning.kind))
  return (
    <section
      ref={ref}
      className="tunnel-warning"
      data-tone="missing"
      data-kind={warning.kind}
      aria-label={title}
    >
      <TriangleAlert aria-hidden />
      <div>
        <h2>{title}</h2>
        {children}
        <div className="tunnel-warning-actions">
          {copied !== null && (
            <CopyButton
              kind={warning.kind === 'address_changed' ? 'primary' : 'plain'}
              text={copied}
              label={`Copy new URL ${cut(copied, 300)}`}
              words="Copy new URL"
              copy={(text) => copyPublic(client, text)}
            />
          )}
          <Button busy={dismiss.busy} onClick={() => dismiss.start()}>
            Dismiss
          </Button>
          <time className="dim" dateTime={utcTime(warning.at)} title={fullTime(warning.at)}>
            {clockTimeSeconds(warning.at)}
          </time>
        </div>
      </div>
    </section>
  )
}
