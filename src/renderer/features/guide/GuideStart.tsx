import { Webhook, Wine } from '../../ui/icons.tsx'
import type { ReactNode } from 'react'
import { Grid, Row, Stack, Text } from '../../ui/Layout.tsx'
import { Button } from '../../ui/Button.tsx'
import { useClient } from '../../platform/use-client.ts'
import { beginGuide, skipGuide } from './commands.ts'
import { paths, steps, type GuidePath } from './paths.ts'
import './GuideStart.css'

/** The start of the guide: a choice between two paths, or skipping it. */
export function GuideStart() {
  const client = useClient()
  return (
    <section aria-label="Guided start">
      <div className="guide-ways">
        <PathCard
          path="sandbox"
          icon={<Wine aria-hidden />}
          title="Try it with the sandbox"
          text="A built-in simulator of the service: authorize, receive and inspect deliveries without an account."
        >
          <Button kind="primary" onClick={() => beginGuide(client, 'sandbox')}>
            Try it with the sandbox
          </Button>
        </PathCard>
        <PathCard
          path="own"
          icon={<Webhook aria-hidden />}
          title="Connect my own integration"
          text="With its access ID, secret and redirect URL from the service’s integrations dashboard."
        >
          <Button onClick={() => beginGuide(client, 'own')}>Connect my own integration</Button>
        </PathCard>
      </div>
      <Row
        as="p"
        wrap
        align="center"
        justify="between"
        gap={2}
        gapX={5}
        marginTop={4}
        tone="mid"
        size="s"
      >
        Each step does real work. You can leave at any time.
        <Button kind="quiet" onClick={() => skipGuide(client)}>
          Skip the guide
        </Button>
      </Row>
    </section>
  )
}

interface CardProps {
  readonly path: GuidePath
  readonly icon: ReactNode
  readonly title: string
  readonly text: string
  readonly children: ReactNode
}

function PathCard({ path, icon, title, text, children }: CardProps) {
  return (
    <Grid
      columns="auto 1"
      gap={2}
      gapX={5}
      pad={6}
      frame
      background="raised"
      className="guide-way"
      data-way={path}
    >
      <StepIcon>{icon}</StepIcon>
      <h3>{title}</h3>
      <Text as="p" tone="mid" size="s">
        {text}
      </Text>
      <Text as="p" tone="dim" size="xs">
        {paths[path].steps.map((name) => steps[name].label).join(' · ')}
      </Text>
      {children}
    </Grid>
  )
}

export function StepIcon({ children }: { readonly children: ReactNode }) {
  return (
    <Stack
      as="span"
      center
      tone="accent"
      round="full"
      background="accent"
      className="first-step-icon"
    >
      {children}
    </Stack>
  )
}
