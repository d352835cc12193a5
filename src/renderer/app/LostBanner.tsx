import { Icons } from '#kit/icons.tsx'
import type { ConnectionState, NoSession, Client } from '#client/client.ts'
import { useShell } from '#client/state/app.ts'
import { toast } from '#kit/toasts.ts'

export function LostBanner() {
  const connection = useShell((state) => state.connection)
  const stale = useShell((state) => state.stale)
  if (connection.phase === 'no_session') return <WithoutSession reason={connection.reason} />
  return connection.phase === 'lost' && stale ? <Lost connection={connection} /> : null
}

const noSession = {
  missing: {
    what: 'This page has no session.',
    why: 'No other page of this browser is connected.',
  },
  ended: {
    what: 'The session of this page has ended.',
    why: 'Tabscope was restarted, or another program uses its port. This page shows earlier data.',
  },
  link_expired: {
    what: 'This link has expired or was already used.',
    why: 'If you have not used this link yourself, restart Tabscope to end every session.',
  },
} as const satisfies Record<NoSession, { what: string; why: string }>

/** Shown when a retry would not help. */
function WithoutSession({ reason }: { readonly reason: NoSession }) {
  const { what, why } = noSession[reason]
  return (
    <div
      className="note lost rounded-none border-b border-b-[color-mix(in_srgb,var(--warning)_30%,transparent)]"
      data-tone="warning"
      role="status"
    >
      <Icons.Unplug />
      <p>
        <b>{what}</b> {why} Open the address that Tabscope printed in the terminal. Other pages in
        the same browser then reconnect.
      </p>
    </div>
  )
}

interface Props {
  readonly connection: Extract<ConnectionState, { phase: 'lost' }>
}

function Lost({ connection }: Props) {
  return (
    <div
      className="note lost rounded-none border-b border-b-[color-mix(in_srgb,var(--warning)_30%,transparent)]"
      data-tone="warning"
      role="status"
    >
      <Icons.Unplug />
      <p>
        {connection.retryAt === null ? (
          <EngineStopped connection={connection} />
        ) : (
          <HostUnreachable connection={connection} />
        )}
      </p>
    </div>
  )
}

function EngineStopped({ connection }: Props) {
  return connection.everConnected ? (
    <>
      <b>The engine stopped and is restarting.</b> This page shows earlier data. No received
      delivery is lost.
    </>
  ) : (
    <>
      <b>The engine is not running yet.</b> If it cannot start, a message explains why and what to
      do.
    </>
  )
}

function HostUnreachable({ connection }: Props) {
  return (
    <>
      <b>Not connected to Tabscope.</b>{' '}
      {connection.everConnected
        ? 'This page shows earlier data. If Tabscope is running, it still captures deliveries.'
        : 'Is it running?'}{' '}
      Retrying every few seconds.
    </>
  )
}

/** The query with which the main process marks a page that it had to reload. */
const restarted = '?restarted'

/**
 * Shows a message when the engine or the page was restarted, because the page otherwise continues as if nothing had happened. In a browser, the
 * host restarts nothing, so there is no message.
 */
export function reportRestarts(
  client: Pick<Client, 'onConnection'>,
  page: {
    readonly location: Pick<Location, 'search' | 'pathname' | 'hash'>
    readonly history: Pick<History, 'replaceState'>
  },
): void {
  let lostEngine = false
  client.onConnection((state) => {
    if (state.phase === 'lost') lostEngine = state.retryAt === null
    if (state.phase !== 'connected') return
    if (lostEngine && state.again) {
      toast('valid', 'The engine stopped and was restarted. No received delivery is lost.', {
        about: 'engine',
      })
    }
    lostEngine = false
  })
  const { search, pathname, hash } = page.location
  if (search !== restarted) return
  // A later manual reload must not show the message again.
  page.history.replaceState(null, '', pathname + hash)
  toast('valid', 'The window stopped and was restarted. No received delivery is lost.')
}
