import { Unplug } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ConnectionState } from '../../platform/client.ts'
import { useShell } from './store.ts'

/** A connection that is back within this many milliseconds was never worth a word. */
const patience = 400

/** The connection to the engine is gone: what that means and what happens next. */
export function LostBanner() {
  const connection = useShell((state) => state.connection)
  return connection.phase === 'lost' ? <Lost connection={connection} /> : null
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
        <b>Not connected to Tabscope.</b>{' '}
        {connection.everConnected
          ? 'What you see is from before. Deliveries are still taken in if its process runs.'
          : 'Is it running? Open the address that it printed at its last start.'}{' '}
        {connection.retryAt === null
          ? 'It will be back as soon as its engine is.'
          : 'Trying again every few seconds.'}
      </p>
    </div>
  )
}
