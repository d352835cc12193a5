import type { ReactNode } from 'react'
import { describeDamage } from '#contract/damaged-file.ts'
import { Icons, type Icon } from '#kit/icons.tsx'
import { fullTime } from '#kit/text/time.ts'
import { escapeControls } from '#kit/text/visible.ts'
import type { ConnectionState, NoSession, Client } from '#client/client.ts'
import { useShell } from '#client/state/app.ts'
import { toast } from '#kit/toasts.ts'

/** What is wrong on every page: no connection, a locked keyring, files that were damaged. */
export function Banners() {
  const { connection, stale, secretsLocked, damagedFiles } = useShell()
  return (
    <>
      {connection.phase === 'no_session' && (
        <Banner icon={Icons.Unplug} title={noSession[connection.reason].what}>
          {noSession[connection.reason].why} Open the address that Tabscope printed in the terminal.
          Other pages in the same browser then reconnect.
        </Banner>
      )}
      {connection.phase === 'lost' && stale && <Lost {...connection} />}
      {secretsLocked && (
        <Banner icon={Icons.LockKeyhole} title="Your system’s keyring is locked.">
          Unlock it to use and store secrets and tokens. Until then, deliveries are captured but
          their signatures cannot be checked.
        </Banner>
      )}
      {damagedFiles.map((file) => (
        <Banner key={file.path} icon={Icons.TriangleAlert} title={describeDamage(file, fullTime)}>
          The damaged file is kept: {escapeControls(file.path)}. Delete it when you no longer need
          it.
        </Banner>
      ))}
    </>
  )
}

interface BannerProps {
  icon: Icon
  title: string
  children: ReactNode
}

function Banner({ icon: BannerIcon, title, children }: BannerProps) {
  return (
    <div
      className="note lost rounded-none border-b border-b-[color-mix(in_srgb,var(--warning)_30%,transparent)]"
      data-tone="warning"
      role="status"
    >
      <BannerIcon />
      <p>
        <b>{title}</b> {children}
      </p>
    </div>
  )
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

/** The engine is not there, or the host is not: then the page tries again by itself. */
function Lost({ retryAt, everConnected }: Extract<ConnectionState, { phase: 'lost' }>) {
  if (retryAt !== null) {
    return (
      <Banner icon={Icons.Unplug} title="Not connected to Tabscope.">
        {everConnected
          ? 'This page shows earlier data. If Tabscope is running, it still captures deliveries.'
          : 'Is it running?'}{' '}
        Retrying every few seconds.
      </Banner>
    )
  }
  return everConnected ? (
    <Banner icon={Icons.Unplug} title="The engine stopped and is restarting.">
      This page shows earlier data. No received delivery is lost.
    </Banner>
  ) : (
    <Banner icon={Icons.Unplug} title="The engine is not running yet.">
      If it cannot start, a message explains why and what to do.
    </Banner>
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
