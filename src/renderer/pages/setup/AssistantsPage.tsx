import { Icons, type Icon } from '#kit/icons.tsx'
import { useState } from 'react'
import type { AssistantCall } from '#contract/assistants.ts'
import { AssistantTarget, maxAssistantTargets } from '#contract/models.ts'
import { formatDuration } from '#shared/text/format.ts'
import { toastError } from '#kit/toasts.ts'
import { useClient, useQuery } from '#client/use-client.ts'
import { guideAddress } from '#client/addresses/guide.ts'
import { useAssistants } from '#client/state/assistants.ts'
import { useEndpoints, useSettings } from '#client/state/live-values.ts'
import { Button, CopyButton } from '#kit/Button.tsx'
import { FormDialog } from '#kit/Dialog.tsx'
import { Empty, EmptyFailure } from '#kit/Note.tsx'
import { CheckField, Field, SelectField } from '#kit/Field.tsx'
import { Card, Page } from '#kit/Page.tsx'
import { Shown } from '#kit/Shown.tsx'
import { StateMark } from '#kit/Mark.tsx'
import { Table } from '#kit/Table.tsx'
import { ClockTime } from '#kit/Time.tsx'
import { useDraft } from '#kit/use-draft.tsx'
import { LearnMore } from '#parts/LearnMore.tsx'
import { confirmTarget } from '#parts/send/ConfirmTarget.tsx'

/** What coding assistants read, as it happens, and the switch that ends their access. */
export function AssistantsPage() {
  const { calls, listed, failure } = useAssistants()
  const newest = [...calls.values()].toReversed()
  return (
    <Page
      lead="What coding assistants did with tabscope mcp, since Tabscope was started."
      help={<LearnMore page="assistants" />}
    >
      <AccessCard />
      <TargetsCard />
      <section aria-label="Calls">
        <h2 className="visually-hidden">Calls</h2>
        {failure !== null ? (
          <EmptyFailure
            title="The calls could not be loaded"
            onRetry={() => useAssistants.setState({ failure: null })}
          >
            {failure}
          </EmptyFailure>
        ) : newest.length === 0 ? (
          listed && (
            <Empty icon={Icons.Bot} title="No calls yet">
              <HowToInstall />
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

/** With an absolute path where the command may not be on the PATH. */
function HowToInstall() {
  const { state } = useQuery('app.about', {})
  if (state.phase === 'loading') return null
  const program = state.phase === 'ready' ? state.value.command : 'tabscope'
  if (program === null) {
    return (
      <>
        To let an assistant read your deliveries, first{' '}
        <a href={guideAddress('using-the-command-line', 'install-it')}>install the command line</a>.
      </>
    )
  }
  const command = `${program} mcp install claude-code`
  return (
    <>
      To let an assistant read your deliveries, run{' '}
      <code className="mono wrap-anywhere">{command}</code>{' '}
      <CopyButton text={command} label="Copy the command" /> in the folder of your project.
    </>
  )
}

function AccessCard() {
  const client = useClient()
  const settings = useSettings((state) => state.settings)
  if (settings === null) return null
  const change = (assistantAccess: boolean): void => {
    client.call('settings.update', { assistantAccess }).catch(toastError)
  }
  return (
    <Card title="Access">
      <CheckField
        label="Coding assistants may read deliveries"
        note="Redacted, and never a secret. Turned off, calls in progress are refused as well."
        checked={settings.assistantAccess}
        onChange={change}
      />
    </Card>
  )
}

function TargetsCard() {
  const client = useClient()
  const settings = useSettings((state) => state.settings)
  const endpoints = useEndpoints((state) => state.endpoints)
  const [adding, setAdding] = useState(false)
  if (settings === null) return null
  const targets = settings.assistantTargets
  const remove = (name: string): void => {
    client
      .call('settings.update', { assistantTargets: targets.filter((each) => each.name !== name) })
      .catch(toastError)
  }
  return (
    <Card
      title="Targets"
      note="Where coding assistants may ask to send. Tabscope asks you before each request."
    >
      {targets.length > 0 && (
        <Table label="Targets" columns={['Name', 'URL', 'Signed for', 'Action']}>
          {targets.map(({ name, url, endpointId }) => (
            <tr key={name}>
              <td>{name}</td>
              <td className="mono text-s wrap-anywhere">
                <Shown text={url} />
              </td>
              <td>
                {endpointId === null ? (
                  'Not signed'
                ) : (
                  <Shown
                    text={endpoints.find(({ id }) => id === endpointId)?.name ?? 'Removed endpoint'}
                  />
                )}
              </td>
              <td>
                <div className="flex justify-end">
                  <Button small aria-label={`Remove ${name}`} onClick={() => remove(name)}>
                    Remove
                  </Button>
                </div>
              </td>
            </tr>
          ))}
        </Table>
      )}
      <div className="flex items-center gap-5">
        <Button disabled={targets.length >= maxAssistantTargets} onClick={() => setAdding(true)}>
          Add target
        </Button>
        {targets.length === 0 && <span className="text-dim">Assistants cannot send anything.</span>}
      </div>
      {adding && <TargetDialog targets={targets} onClose={() => setAdding(false)} />}
    </Card>
  )
}

function TargetDialog({
  targets,
  onClose,
}: {
  targets: readonly AssistantTarget[]
  onClose: () => void
}) {
  const client = useClient()
  const endpoints = useEndpoints((state) => state.endpoints)
  const form = useDraft<AssistantTarget>(
    { name: '', url: '', endpointId: endpoints[0]?.id ?? null },
    () => ({}),
    async (draft) => {
      const target = await client.call('targets.resolve', { url: draft.url })
      if (target.location === 'public' && !target.confirmed) {
        if (!(await confirmTarget(client, target.origin))) return
      }
      const added = { ...draft, url: draft.url.trim() }
      await client.call('settings.update', { assistantTargets: [...targets, added] })
      onClose()
    },
  )
  const { draft, set, text } = form
  const error = nameError(draft.name, targets)
  return (
    <FormDialog
      title="Add target"
      description="A handler that coding assistants may ask to send to."
      action="Add target"
      onClose={onClose}
      disabled={draft.name === '' || draft.url.trim() === '' || error !== null}
      form={form}
    >
      <Field label="Name" hint="Assistants use the name only." {...text('name')} error={error} />
      <Field label="URL" placeholder="http://127.0.0.1:3000/webhooks" {...text('url')} />
      <SelectField
        label="Sign with the secret of"
        value={draft.endpointId ?? ''}
        onChange={({ target }) => set({ endpointId: Number(target.value) || null })}
      >
        {endpoints.map((endpoint) => (
          <option key={endpoint.id} value={endpoint.id}>
            {endpoint.name}
          </option>
        ))}
        <option value="">No endpoint: not signed</option>
      </SelectField>
    </FormDialog>
  )
}

function nameError(name: string, targets: readonly AssistantTarget[]): string | null {
  if (targets.some((each) => each.name === name)) return 'Another target has this name.'
  return name === '' || AssistantTarget.shape.name.safeParse(name).success
    ? null
    : 'Use up to 40 lower-case letters, digits and hyphens.'
}

const outcomes: Record<
  AssistantCall['outcome'],
  { tone: 'valid' | 'invalid' | 'warning' | 'info'; icon: Icon; word: string }
> = {
  running: { tone: 'info', icon: Icons.LoaderCircle, word: 'running' },
  waiting: { tone: 'warning', icon: Icons.CircleQuestionMark, word: 'waiting for you' },
  done: { tone: 'valid', icon: Icons.Check, word: 'done' },
  failed: { tone: 'invalid', icon: Icons.CircleAlert, word: 'failed' },
  refused: { tone: 'warning', icon: Icons.Ban, word: 'refused' },
}

function CallRow({ call }: { call: AssistantCall }) {
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
      <td className="mono text-s wrap-anywhere">
        <Shown text={call.arguments} />
      </td>
    </tr>
  )
}
