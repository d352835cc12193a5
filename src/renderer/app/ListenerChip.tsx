import {
  CircleHelp,
  CircleStop,
  LoaderCircle,
  Radio,
  TriangleAlert,
  Unplug,
  type Icon,
} from '../ui/icons.tsx'
import type { ListenerState } from '#contract/models.ts'
import { Row, Text } from '../ui/Layout.tsx'
import { Button } from '../ui/Button.tsx'
import { fullTime } from '../ui/text/time.ts'
import { sentence } from '../platform/call-error.ts'
import { useAction, useClient } from '../platform/use-client.ts'
import { useShell } from '../state/app.ts'

interface StateLabel {
  readonly state: 'listening' | 'failing' | 'starting' | 'failed' | 'stopped' | 'unknown'
  readonly tone: 'valid' | 'missing' | 'invalid' | 'unsigned'
  readonly icon: Icon
  readonly word: string
  readonly detail: string
  readonly hover: string
}

const unknown: StateLabel = {
  state: 'unknown',
  tone: 'unsigned',
  icon: CircleHelp,
  word: 'Listener unknown',
  detail: '',
  hover: 'Not connected to Tabscope, so the listener state is unknown.',
}

function stateLabel(listener: ListenerState): StateLabel {
  switch (listener.state) {
    case 'listening':
      return listener.failing === null
        ? {
            state: 'listening',
            tone: 'valid',
            icon: Radio,
            word: 'Listening',
            detail: listener.origin.replace('http://', ''),
            hover: `Since ${fullTime(listener.since)}`,
          }
        : {
            state: 'failing',
            tone: 'invalid',
            icon: TriangleAlert,
            word: 'Failed',
            detail: listener.failing,
            hover: listener.failing,
          }
    case 'starting':
      return {
        state: 'starting',
        tone: 'missing',
        icon: LoaderCircle,
        word: 'Starting',
        detail: listener.port === 0 ? '' : `port ${listener.port}`,
        hover: '',
      }
    case 'failed':
      return {
        state: 'failed',
        tone: 'invalid',
        icon: Unplug,
        word: 'Not listening',
        detail: listener.message,
        hover: listener.message,
      }
    case 'stopped':
      return {
        state: 'stopped',
        tone: 'unsigned',
        icon: CircleStop,
        word: 'Stopped',
        detail: '',
        hover: '',
      }
  }
}

/** The listener's state with its address or error, and a button to fix it. */
export function ListenerChip() {
  const client = useClient()
  const listener = useShell((state) => state.listener)
  const start = useAction(async (port: number | null) => {
    await client.call('listener.start', port === null ? {} : { port })
  })
  const stale = useShell((shell) => shell.stale)
  const { state, tone, icon: Icon, word, detail, hover } = stale ? unknown : stateLabel(listener)
  const host = state === 'listening' ? detail.slice(0, detail.lastIndexOf(':')) : ''
  return (
    <>
      <Row
        as="span"
        inline
        align="center"
        gap={3}
        shrink
        className="listener"
        data-testid="connection-state"
        data-state={state}
        data-tone={tone}
        role="status"
        aria-label="Listener"
        title={hover || undefined}
      >
        <Icon aria-hidden className="listener-icon" />
        <Text weight="semibold" className="listener-word">
          {word}
        </Text>
        <Text tone="mid" mono cut className="listener-detail">
          {/* In a narrow bar only the port is shown, because the host is always this machine. */}
          {host !== '' && <span className="listener-host">{host}</span>}
          {detail.slice(host.length)}
        </Text>
      </Row>
      {state === 'failed' && listener.state === 'failed' && listener.freePort !== null && (
        <Button kind="primary" busy={start.busy} onClick={() => start.start(listener.freePort)}>
          Use port {listener.freePort}
        </Button>
      )}
      {(state === 'stopped' || state === 'failed') && (
        <Button busy={start.busy} onClick={() => start.start(null)}>
          {state === 'failed' ? 'Try again' : 'Start'}
        </Button>
      )}
      {start.error !== null && (
        <Text tone="invalid" size="s" role="alert">
          {sentence(start.error)}
        </Text>
      )}
    </>
  )
}
