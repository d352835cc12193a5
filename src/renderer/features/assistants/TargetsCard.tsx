import { useState } from 'react'
import { AssistantTarget, maxAssistantTargets } from '#contract/models.ts'
import { sentence } from '../../platform/call-error.ts'
import { toast } from '../../platform/toasts.ts'
import { useClient } from '../../platform/use-client.ts'
import { useEndpoints } from '../../state/endpoints.ts'
import { useSettings } from '../../state/settings.ts'
import { Button } from '../../ui/Button.tsx'
import { FormDialog } from '../../ui/Dialog.tsx'
import { Field, SelectField } from '../../ui/Field.tsx'
import { Row, Stack, Text } from '../../ui/Layout.tsx'
import { Card } from '../../ui/Page.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { Table } from '../../ui/Table.tsx'
import { useForm } from '../../ui/use-form.ts'
import { confirmTarget } from '../targets/index.ts'

export function TargetsCard() {
  const client = useClient()
  const settings = useSettings((state) => state.settings)
  const endpoints = useEndpoints((state) => state.endpoints)
  const [adding, setAdding] = useState(false)
  if (settings === null) return null
  const targets = settings.assistantTargets
  const remove = (name: string): void => {
    client
      .call('settings.update', { assistantTargets: targets.filter((each) => each.name !== name) })
      .catch((error: unknown) => toast('invalid', sentence(error)))
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
              <td className="mono size-s anywhere">
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
                <Row justify="end">
                  <Button small aria-label={`Remove ${name}`} onClick={() => remove(name)}>
                    Remove
                  </Button>
                </Row>
              </td>
            </tr>
          ))}
        </Table>
      )}
      <Row align="center" gap={5}>
        <Button disabled={targets.length >= maxAssistantTargets} onClick={() => setAdding(true)}>
          Add target
        </Button>
        {targets.length === 0 && <Text tone="dim">Assistants cannot send anything.</Text>}
      </Row>
      {adding && <TargetDialog targets={targets} onClose={() => setAdding(false)} />}
    </Card>
  )
}

interface DialogProps {
  readonly targets: readonly AssistantTarget[]
  readonly onClose: () => void
}

function TargetDialog({ targets, onClose }: DialogProps) {
  const client = useClient()
  const endpoints = useEndpoints((state) => state.endpoints)
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const [endpointId, setEndpointId] = useState(endpoints[0]?.id ?? null)
  const form = useForm({}, async () => {
    const target = await client.call('targets.resolve', { url })
    if (target.location === 'public' && !target.confirmed) {
      if (!(await confirmTarget(client, target.origin))) return
    }
    const added = { name, url: url.trim(), endpointId }
    await client.call('settings.update', { assistantTargets: [...targets, added] })
    onClose()
  })
  const isTaken = targets.some((each) => each.name === name)
  const isInvalid = name !== '' && !AssistantTarget.shape.name.safeParse(name).success
  return (
    <FormDialog
      title="Add target"
      description="A handler that coding assistants may ask to send to."
      action="Add target"
      onClose={onClose}
      disabled={name === '' || url.trim() === '' || isTaken || isInvalid}
      form={form}
    >
      <Stack gap={5}>
        <Field
          label="Name"
          hint="Assistants use the name only."
          error={
            isTaken
              ? 'Another target has this name.'
              : isInvalid
                ? 'Use up to 40 lower-case letters, digits and hyphens.'
                : null
          }
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Field
          label="URL"
          placeholder="http://127.0.0.1:3000/webhooks"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
        <SelectField
          label="Sign with the secret of"
          value={endpointId ?? ''}
          onChange={({ target: { value } }) => setEndpointId(value === '' ? null : Number(value))}
        >
          {endpoints.map((endpoint) => (
            <option key={endpoint.id} value={endpoint.id}>
              {endpoint.name}
            </option>
          ))}
          <option value="">No endpoint: not signed</option>
        </SelectField>
      </Stack>
    </FormDialog>
  )
}
