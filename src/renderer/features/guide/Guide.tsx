import { useRef } from 'react'
import { Text, Row } from '../../ui/Layout.tsx'
import { useSettings } from '../../state/settings.ts'
import { Landing } from './Landing.tsx'
import { Walk } from './Walk.tsx'
import './Guide.css'
import { Compass } from 'lucide-react'
import { Button } from '../../ui/Button.tsx'
import { useClient } from '../../platform/use-client.ts'
import { beginGuide, skipGuide } from './commands.ts'

/** The guided start, on every page while it goes on. It takes room of its own, so that it never lies over a control. */
export function Guide() {
  const at = useSettings(({ settings }) => settings?.guideAt ?? null)
  const strip = useRef<HTMLElement>(null)
  if (at === null) return null
  return (
    <section className="guide" aria-label="Guide" ref={strip} tabIndex={-1}>
      {at.way === null ? <Choice /> : <Walk at={at} way={at.way} />}
      <Landing key={`${at.way} ${at.step}`} on={strip} />
    </section>
  )
}

/** Which way, where the guide was asked for again or the user went back to its beginning. */
function Choice() {
  const client = useClient()
  return (
    <Row wrap align="center" gap={3} gapX={4} className="guide-line">
      <Compass aria-hidden className="guide-icon" />
      <Text as="p" grow shrink tone="mid" className="guide-words">
        <b>Which way?</b> <span>With the built-in sandbox, or with an integration of yours.</span>
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
