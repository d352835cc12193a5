import { Unplug } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ConnectionState } from '../../platform/client.ts'
import { useShell } from './store.ts'

/** A connection that is back within this many milliseconds was never worth a word. */
const patience = 400

/** There is no connection to the engine: what that means and what happens next. */
export function LostBanner() {
  const connection = useShell((state) => state.connection)
  if (connection.phase === 'link_expired') return <LinkExpired />
  return connection.phase === 'lost' ? <Lost connection={connection} /> : null
}

/** The server refused the ticket in the address: trying again would not help. */
function LinkExpired() {
  return (
    <div className="lost" role="status">
      <Unplug aria-hidden />
      <p>
        <b>This link has expired or was used already.</b> Open the address that Tabscope printed in
        the terminal. If you have not used this link yourself, restart Tabscope to end every
        session.
      </p>
    </div>
  )
}

interface Props {
  readonly connection: Extract<ConnectionState, { phase: 'lost' }>
}

function Lost({ connection }: Props) {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), patience)
    return () => clearTimeout(timer)
  }, [])
  if (!shown) return null
  return (
    <div className="lost" role="status">
      <Unplug aria-hidden />
      <p>
        {connection.retryAt === null ? (
          <OfEngine connection={connection} />
        ) : (
          <OfHost connection={connection} />
        )}
      </p>
    </div>
  )
}

/** The app starts its engine again by itself, and says in a dialog where it does not. */
function OfEngine({ connection }: Props) {
  return connection.everConnected ? (
    <>
      <b>The engine stopped and is being started again.</b> What you see is from before. Nothing
      that was received is lost.
    </>
  ) : (
    <>
      <b>The engine is not running yet.</b> Where it cannot start, a message says why and what to
      do.
    </>
  )
}

function OfHost({ connection }: Props) {
  return (
    <>
      <b>Not connected to Tabscope.</b>{' '}
      {connection.everConnected
        ? 'What you see is from before. Deliveries are still taken in if its process runs.'
        : 'Is it running? Open the address that it printed at its last start.'}{' '}
      Trying again every few seconds.
    </>
  )
}
