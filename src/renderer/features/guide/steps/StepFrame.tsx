import { Text, Row } from '../../../ui/Layout.tsx'
import { CircleAlert, CircleDashed, Check, LoaderCircle } from '../../../ui/icons.tsx'
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

/** The state of what the step sets up. Visiting a step does not change it. */
export interface StepState {
  readonly kind: 'to-do' | 'in-progress' | 'done' | 'problem'
  readonly words: ReactNode
}

const looks = {
  'to-do': { tone: 'unsigned', icon: CircleDashed },
  'in-progress': { tone: 'info', icon: LoaderCircle },
  done: { tone: 'valid', icon: Check },
  problem: { tone: 'invalid', icon: CircleAlert },
} as const

interface Props {
  readonly title: string
  readonly purpose: ReactNode
  readonly state: StepState
  readonly children?: ReactNode
}

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

/** Copies the webhook URL for the dashboard: the tunnel's URL if there is one, otherwise the local one. */
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

/** The problem that prevents deliveries from arriving, with a button to fix it; null if there is none. */
export function useListenerProblem(): {
  readonly state: StepState
  readonly fix: ReactNode
} | null {
  const client = useClient()
  const listener = useShell((state) => state.listener)
  const start = useAction(async (port: number | null) => {
    await client.call('listener.start', port === null ? {} : { port })
  })
  const startButton = (text: string, port: number | null): ReactNode => (
    <Button kind="primary" busy={start.busy} onClick={() => start.start(port)}>
      {text}
    </Button>
  )
  switch (listener.state) {
    case 'starting':
      return { state: { kind: 'in-progress', words: 'The listener is starting.' }, fix: null }
    case 'failed':
      return {
        state: { kind: 'problem', words: listener.message },
        fix:
          listener.freePort === null
            ? startButton('Try again', null)
            : startButton(`Use port ${listener.freePort}`, listener.freePort),
      }
    case 'stopped':
      return {
        state: { kind: 'problem', words: 'The listener is stopped, so deliveries cannot arrive.' },
        fix: startButton('Start the listener', null),
      }
    case 'listening':
      return listener.failing === null
        ? null
        : { state: { kind: 'problem', words: listener.failing }, fix: null }
  }
}
