import { Compass } from 'lucide-react'
import { Button } from '../../components/Button.tsx'
import { useClient } from '../../platform/use-client.ts'
import { beginGuide, skipGuide } from './commands.ts'

/** Which way, where the guide was asked for again or the user went back to its beginning. */
export function Choice() {
  const client = useClient()
  return (
    <div className="guide-line">
      <Compass aria-hidden className="guide-icon" />
      <p className="guide-words">
        <b>Which way?</b> <span>With the built-in sandbox, or with an integration of yours.</span>
      </p>
      <span className="guide-buttons">
        <Button kind="primary" onClick={() => beginGuide(client, 'sandbox')}>
          Try it with the sandbox
        </Button>
        <Button onClick={() => beginGuide(client, 'own')}>Connect my own integration</Button>
      </span>
      <Button kind="quiet" onClick={() => skipGuide(client)}>
        Skip the guide
      </Button>
    </div>
  )
}
