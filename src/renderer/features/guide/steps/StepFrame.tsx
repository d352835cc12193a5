import { Text, Row } from '../../../ui/Layout.tsx'
import { CircleAlert, CircleDashed, Check, LoaderCircle } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Endpoint } from '#contract/models.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { copyText } from '../../../platform/clipboard.ts'
import { useClient, useAction } from '../../../platform/use-client.ts'
import { endpointUrl } from '../../../state/endpoints.ts'
import { useShell } from '../../../state/app.ts'
import { copyPublic } from '../../tunnel/index.ts'
import { useTunnel } from '../../../state/tunnel.ts'
import { publicUrl } from '../../../state/tunnel-labels.ts'
import { Button } from '../../../ui/Button.tsx'

/** How the thing itself stands: not whether the user was here. */
export interface StepState {
  readonly kind: 'to-do' | 'under-way' | 'done' | 'trouble'
  readonly words: ReactNode
}

const looks = {
  'to-do': { tone: 'unsigned', icon: CircleDashed },
  'under-way': { tone: 'info', icon: LoaderCircle },
  done: { tone: 'valid', icon: Check },
  trouble: { tone: 'invalid', icon: CircleAlert },
} as const

interface Props {
  readonly title: string
  /** What it is for, in one sentence. */
  readonly purpose: ReactNode
  readonly state: StepState
  /** The buttons of the real thing. */
  readonly children?: ReactNode
}

/** One step: its name, what it is for, how it stands, and what can be done. */
export function StepFrame({ title, purpose, state, children }: Props) {
  const { tone, icon: Icon } = looks[state.kind]
  return (
    <>
      <Text as="p" grow shrink tone="mid" className="guide-words">
        <b>{title}</b> <span>{purpose}</span>
      </Text>
      <Row
        as="p"
        align="start"
        gap={3}
        className="guide-state"
        data-tone={tone}
        data-kind={state.kind}
        data-testid="guide-state"
      >
        <Icon aria-hidden />
        <span aria-live="polite">{state.words}</span>
      </Row>
      <Row as="span" wrap justify="end" gap={3} className="guide-buttons">
        {children}
      </Row>
    </>
  )
}

/** The address to paste on the dashboard: the tunnel's where there is one. */
export function CopyWebhookUrl({ endpoint }: { readonly endpoint: Endpoint }) {
  const client = useClient()
  const listener = useShell((state) => state.listener)
  const origin = useTunnel(({ view }) => view?.url ?? null)
  const local = endpointUrl(listener, endpoint)
  const url = origin === null ? local : publicUrl(origin, endpoint.slug)
  return (
    url !== null && (
      <CopyButton
        text={url}
        label="Copy webhook URL"
        words="Copy webhook URL"
        copy={(text) => (url === local ? copyText(text) : copyPublic(client, text))}
      />
    )
  )
}

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
