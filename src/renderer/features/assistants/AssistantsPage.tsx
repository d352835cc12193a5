import {
  Ban,
  Bot,
  Check,
  CircleAlert,
  CircleQuestionMark,
  LoaderCircle,
  type Icon,
} from '../../ui/icons.tsx'
import type { AssistantCall } from '#contract/assistants.ts'
import { formatDuration } from '#shared/text/format.ts'
import { sentence } from '../../platform/call-error.ts'
import { toast } from '../../platform/toasts.ts'
import { useClient } from '../../platform/use-client.ts'
import { useAssistants } from '../../state/assistants.ts'
import { useSettings } from '../../state/settings.ts'
import { Empty, FailedPage } from '../../ui/Empty.tsx'
import { Row, Text } from '../../ui/Layout.tsx'
import { Card, Page } from '../../ui/Page.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { StateMark } from '../../ui/StateMark.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { Table } from '../../ui/Table.tsx'
import { ClockTime } from '../../ui/Time.tsx'
import { LearnMore } from '../help/index.ts'
import { TargetsCard } from './TargetsCard.tsx'

/** What coding assistants read, as it happens, and the switch that ends their access. */
export function AssistantsPage() {
  const { calls, listed, failure } = useAssistants()
  const newest = [...calls.values()].toReversed()
  return (
    <Page
      title="Assistant activity"
      lead="What coding assistants did with tabscope mcp, since Tabscope was started."
      help={<LearnMore page="assistants" />}
    >
      <AccessCard />
      <TargetsCard />
      <section aria-label="Calls">
        <h2 className="visually-hidden">Calls</h2>
        {failure !== null ? (
          <FailedPage
            title="The calls could not be loaded"
            message={failure}
            onRetry={() => useAssistants.setState({ failure: null })}
          />
        ) : newest.length === 0 ? (
          listed && (
            <Empty icon={<Bot aria-hidden />} title="No calls yet">
              To let an assistant read your deliveries, run{' '}
              <code className="mono">tabscope mcp install claude-code</code> in the folder of your
              project.
            </Empty>
          )
        ) : (
          <Table
            label="Calls"
            columns={['Time', 'Assistant', 'Tool', 'Result', 'Duration', 'Arguments']}
          >
            {newest.map((call) => (
              <CallRow key={call.id} call={call} />
            ))}
          </Table>
        )}
      </section>
    </Page>
  )
}

function AccessCard() {
  const client = useClient()
  const settings = useSettings((state) => state.settings)
  if (settings === null) return null
  const change = (assistantAccess: boolean): void => {
    client
      .call('settings.update', { assistantAccess })
      .catch((error: unknown) => toast('invalid', sentence(error)))
  }
  return (
    <Card title="Access">
      <Row align="center" justify="between" gap={5}>
        <div>
          <p>Coding assistants may read deliveries</p>
          <Text as="p" id="assistant-access" tone="dim" size="s">
            Redacted, and never a secret. Turned off, calls in progress are refused as well.
          </Text>
        </div>
        <Switch
          label="Coding assistants may read deliveries"
          describedBy="assistant-access"
          on={settings.assistantAccess}
          onChange={change}
        />
      </Row>
    </Card>
  )
}

const outcomes: Record<
  AssistantCall['outcome'],
  { tone: 'valid' | 'invalid' | 'missing' | 'info'; icon: Icon; word: string }
> = {
  running: { tone: 'info', icon: LoaderCircle, word: 'running' },
  waiting: { tone: 'missing', icon: CircleQuestionMark, word: 'waiting for you' },
  done: { tone: 'valid', icon: Check, word: 'done' },
  failed: { tone: 'invalid', icon: CircleAlert, word: 'failed' },
  refused: { tone: 'missing', icon: Ban, word: 'refused' },
}

function CallRow({ call }: { readonly call: AssistantCall }) {
  return (
    <tr data-testid="assistant-call">
      <td>
        <ClockTime at={call.at} />
      </td>
      <td>
        <Shown text={call.client} />
      </td>
      <td>
        <Shown text={call.tool} />
      </td>
      <td>
        <StateMark {...outcomes[call.outcome]} />
      </td>
      <td>{call.durationMs === null ? '' : formatDuration(call.durationMs)}</td>
      <td className="mono size-s anywhere">
        <Shown text={call.arguments} />
      </td>
    </tr>
  )
}
