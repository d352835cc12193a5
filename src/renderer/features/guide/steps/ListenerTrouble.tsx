import type { ReactNode } from 'react'
import { Button } from '../../../components/Button.tsx'
import { useAction, useClient } from '../../../platform/use-client.ts'
import { useShell } from '../../shell/store.ts'
import type { StepState } from './StepFrame.tsx'

/** What keeps deliveries from arriving, with what to do; null: nothing does. */
export function useListenerTrouble(): {
  readonly state: StepState
  readonly mend: ReactNode
} | null {
  const client = useClient()
  const listener = useShell((state) => state.listener)
  const start = useAction(async (port: number | null) => {
    await client.call('listener.start', port === null ? {} : { port })
  })
  const again = (words: string, port: number | null): ReactNode => (
    <Button kind="primary" busy={start.busy} onClick={() => start.start(port)}>
      {words}
    </Button>
  )
  switch (listener.state) {
    case 'starting':
      return { state: { kind: 'under-way', words: 'The listener is starting.' }, mend: null }
    case 'failed':
      return {
        state: { kind: 'trouble', words: listener.message },
        mend:
          listener.freePort === null
            ? again('Try again', null)
            : again(`Use port ${listener.freePort}`, listener.freePort),
      }
    case 'stopped':
      return {
        state: { kind: 'trouble', words: 'The listener is stopped: nothing can arrive.' },
        mend: again('Start the listener', null),
      }
    case 'listening':
      return listener.failing === null
        ? null
        : { state: { kind: 'trouble', words: listener.failing }, mend: null }
  }
}
