import { Webhook, Wine } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../components/Button.tsx'
import { useClient } from '../../platform/use-client.ts'
import { beginGuide, skipGuide } from './commands.ts'
import { steps, ways, type GuidePath } from './paths.ts'
import './GuideStart.css'

/** The first choice of the first minutes: which way to begin, or neither. */
export function GuideStart() {
  const client = useClient()
  return (
    <section className="guide-start" aria-label="Guided start">
      <div className="guide-ways">
        <WayCard
          way="sandbox"
          icon={<Wine aria-hidden />}
          title="Try it with the sandbox"
          text="The service in miniature, built in: authorize, receive and look at deliveries without an account."
        >
          <Button kind="primary" onClick={() => beginGuide(client, 'sandbox')}>
            Try it with the sandbox
          </Button>
        </WayCard>
        <WayCard
          way="own"
          icon={<Webhook aria-hidden />}
          title="Connect my own integration"
          text="With its access ID, secret and redirect URL from the service’s integrations dashboard."
        >
          <Button onClick={() => beginGuide(client, 'own')}>Connect my own integration</Button>
        </WayCard>
      </div>
      <p className="guide-skip">
        Each step is the real thing, and you can leave at any of them.
        <Button kind="quiet" onClick={() => skipGuide(client)}>
          Skip the guide
        </Button>
      </p>
    </section>
  )
}

interface CardProps {
  readonly way: GuidePath
  readonly icon: ReactNode
  readonly title: string
  readonly text: string
  readonly children: ReactNode
}

function WayCard({ way, icon, title, text, children }: CardProps) {
  return (
    <div className="guide-way" data-way={way}>
      <span className="first-step-icon">{icon}</span>
      <h3>{title}</h3>
      <p>{text}</p>
      <p className="guide-way-steps">
        {ways[way].steps.map((name) => steps[name].label).join(' · ')}
      </p>
      {children}
    </div>
  )
}
