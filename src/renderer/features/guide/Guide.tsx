import { useRef } from 'react'
import { Text, Row } from '../../ui/Layout.tsx'
import { useSettings } from '../../state/settings.ts'
import { GuideSteps, RestoreFocus } from './GuideSteps.tsx'
import './Guide.css'
import { Compass } from '../../ui/icons.tsx'
import { Button } from '../../ui/Button.tsx'
import { useClient } from '../../platform/use-client.ts'
import { beginGuide, skipGuide } from './commands.ts'

/** The guide, on every page while it is open. It has its own space, so that it never covers a control. */
export function Guide() {
  const at = useSettings(({ settings }) => settings?.guideAt ?? null)
  const strip = useRef<HTMLElement>(null)
  if (at === null) return null
  return (
    <section className="guide" aria-label="Guide" ref={strip} tabIndex={-1}>
      {at.way === null ? <PathChoice /> : <GuideSteps at={at} path={at.way} />}
      <RestoreFocus key={`${at.way} ${at.step}`} to={strip} />
    </section>
  )
}

/** Asks for a path, when the guide is opened again or the user returns to its start. */
function PathChoice() {
  const client = useClient()
  return (
    <Row wrap align="center" gap={3} gapX={4} className="guide-line">
      <Compass aria-hidden className="guide-icon" />
      <Text as="p" grow shrink tone="mid" className="guide-words">
        <b>Choose a path.</b>{' '}
        <span>Use the built-in sandbox, or connect your own integration.</span>
      </Text>
      <Row as="span" wrap justify="end" gap={3} className="guide-buttons">
        <Button kind="primary" onClick={() => beginGuide(client, 'sandbox')}>
          Try it with the sandbox
        </Button>
        <Button onClick={() => beginGuide(client, 'own')}>Connect my own integration</Button>
      </Row>
      <Button kind="quiet" onClick={() => skipGuide(client)}>
        Skip the guide
      </Button>
    </Row>
  )
}
