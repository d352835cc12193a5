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
import { messageOf } from '../platform/call-error.ts'
import { useAction, useClient } from '../platform/use-client.ts'
import { useShell } from '../state/app.ts'

const looks = {
  listening: { tone: 'valid', icon: Radio, word: 'Listening' },
  failing: { tone: 'invalid', icon: TriangleAlert, word: 'Failed' },
  starting: { tone: 'warning', icon: LoaderCircle, word: 'Starting' },
  failed: { tone: 'invalid', icon: Unplug, word: 'Not listening' },
  stopped: { tone: 'unsigned', icon: CircleStop, word: 'Stopped' },
  unknown: { tone: 'unsigned', icon: CircleHelp, word: 'Listener unknown' },
} as const satisfies Record<string, { tone: string; icon: Icon; word: string }>

interface Shown {
  readonly state: keyof typeof looks
  readonly detail: string
  readonly hover: string
}

const unknown: Shown = {
  state: 'unknown',
  detail: '',
  hover: 'Not connected to Tabscope, so the listener state is unknown.',
}

function describe(listener: ListenerState): Shown {
  switch (listener.state) {
    case 'listening': {
      const { failing, origin, since } = listener
      return failing === null
        ? {
            state: 'listening',
            detail: origin.replace('http://', ''),
            hover: `Since ${fullTime(since)}`,
          }
        : { state: 'failing', detail: failing, hover: failing }
    }
    case 'starting': {
      const detail = listener.port === 0 ? '' : `port ${listener.port}`
      return { state: 'starting', detail, hover: '' }
    }
    case 'failed':
      return { state: 'failed', detail: listener.message, hover: listener.message }
    case 'stopped':
      return { state: 'stopped', detail: '', hover: '' }
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
  const { state, detail, hover } = stale ? unknown : describe(listener)
  const { tone, icon: Icon, word } = looks[state]
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
          {messageOf(start.error)}
        </Text>
      )}
    </>
  )
}
