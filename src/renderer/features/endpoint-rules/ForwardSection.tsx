import { Icons, type Icon } from '../../ui/icons.tsx'
import { useState } from 'react'
import type { ForwardHealth, ForwardTarget } from '#contract/endpoint-rules.ts'
import { successRate } from '#contract/success-rate.ts'
import { Text, Row, Stack } from '../../ui/Layout.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { useAction, useClient } from '../../platform/use-client.ts'
import { ForwardDialog, type ForwardInput } from './ForwardDialog.tsx'
import { rehearseAddress } from '../../routes/rehearse.ts'
import { useEndpointRules } from '../../state/endpoint-rules.ts'
import { Shown } from '../../ui/Shown.tsx'
import { fullTime } from '../../ui/text/time.ts'
import { Switch } from '../../ui/Switch.tsx'
import { lightOf, countsLabel } from './labels.ts'
import './EndpointRules.css'

const icons: Readonly<Record<ForwardHealth['state'], Icon>> = {
  off: Icons.Minus,
  idle: Icons.CircleDashed,
  good: Icons.Check,
  failing: Icons.TriangleAlert,
  down: Icons.X,
}

interface ForwardLineProps {
  readonly forward: ForwardTarget
  readonly onEdit: () => void
}

function ForwardLine({ forward, onEdit }: ForwardLineProps) {
  const client = useClient()
  const health = useEndpointRules((state) =>
    state.health.find(({ forwardId }) => forwardId === forward.id),
  )
  const { id, url, types, mode, enabled, temporary, retries, script } = forward
  const change = useAction(async (run: () => Promise<unknown>) => void (await run()))
  const { light, tone, word } = lightOf(forward, health)
  const Icon = tone === 'warning' ? Icons.TriangleAlert : icons[light]
  const rate = health && enabled ? successRate(health) : null
  return (
    <Row
      as="li"
      align="start"
      gap={4}
      pad={[2, 0]}
      className="rule-line forward-line"
      data-off={!enabled || undefined}
      data-light={light}
    >
      <Switch
        label={`Forward to ${url}`}
        on={enabled}
        onChange={(next) =>
          change.start(() => client.call('forwards.update', { id, enabled: next }))
        }
      />
      <Stack grow shrink size="s">
        <Text mono selectable anywhere>
          <Shown text={url} />
        </Text>
        <span className="dim">
          {types.length === 0 ? 'all types' : <Shown text={types.join(', ')} />}
          {mode === 'return' ? ', returns its response' : ', after responding'}
          {retries > 0 && `, up to ${retries} retries`}
          {script !== null && (
            <>
              , changed by script <Shown text={script} />
            </>
          )}
          {temporary && ', until the command ends'}
        </span>
      </Stack>
      <Stack grow shrink size="s" role="status" data-tone={tone}>
        <Row
          as="span"
          inline
          align="center"
          gap={3}
          tone="state"
          weight="semibold"
          icon="xs"
          title={health ? `Since ${fullTime(health.since)}` : undefined}
        >
          <Icon aria-hidden strokeWidth={2.6} /> {healthLabel(word, health)}
        </Row>
        {rate !== null && <span>{rate}</span>}
        <Text tone="mid">{health && countsLabel(health)}</Text>
        {health?.lastError && light !== 'off' && light !== 'good' && (
          <Text tone="mid" anywhere>
            <Shown text={health.lastError} />
          </Text>
        )}
        {change.message !== null && <span className="field-error">{change.message}</span>}
      </Stack>
      <Row justify="end" measure="key">
        {health !== undefined && health.waiting > 0 && (
          <IconButton
            label={`Skip ${health.waiting} queued for ${url}`}
            onClick={() => change.start(() => client.call('forwards.drop', { id }))}
          >
            <Icons.ListX />
          </IconButton>
        )}
        <a
          className="icon-button"
          href={rehearseAddress(url, forward.endpointId)}
          aria-label={`Rehearse ${url}`}
          title="Rehearse this handler"
        >
          <Icons.FlaskConical />
        </a>
        {!temporary && (
          <IconButton label={`Edit forward to ${url}`} onClick={onEdit}>
            <Icons.Pencil />
          </IconButton>
        )}
        <IconButton
          label={`Remove forward to ${url}`}
          onClick={() => change.start(() => client.call('forwards.remove', { id }))}
        >
          <Icons.Trash2 />
        </IconButton>
      </Row>
    </Row>
  )
}

function healthLabel(word: string, health: ForwardHealth | undefined): string {
  if (!health || health.lastStatus === null) return word
  return health.state === 'good' || health.state === 'failing'
    ? `${word}, ${word === 'Some failed' ? 'last response ' : ''}${health.lastStatus}`
    : word
}

export function ForwardSection({ endpointId }: { readonly endpointId: number }) {
  const client = useClient()
  const all = useEndpointRules((state) => state.forwards)
  const forwards = all.filter((forward) => forward.endpointId === endpointId)
  const [editing, setEditing] = useState<ForwardTarget | 'new' | null>(null)
  const save = async (input: ForwardInput): Promise<void> => {
    if (editing === null) return
    if (editing === 'new') await client.call('forwards.add', { endpointId, ...input })
    else await client.call('forwards.update', { id: editing.id, ...input })
  }
  return (
    <Stack as="section" gap={2} marginTop={5} line="top-dashed" aria-label="Forward">
      <Row as="header" wrap align="center" gap={3} tall="control">
        <Row as="h3" inline align="center" gap={3} measure="label" tone="mid" weight="semibold">
          <Icons.Forward /> Forward
        </Row>
        <span className="dim">
          {forwards.length === 0
            ? 'no targets'
            : forwards.some(({ script }) => script !== null)
              ? 'each delivery is forwarded as received, or as a script changes it'
              : 'each delivery is forwarded exactly as received'}
        </span>
        <Button kind="quiet" className="push" icon={Icons.Plus} onClick={() => setEditing('new')}>
          Add target
        </Button>
      </Row>
      {forwards.length > 0 && (
        <Stack as="ul" lined aria-label="Forward targets">
          {forwards.map((forward) => (
            <ForwardLine key={forward.id} forward={forward} onEdit={() => setEditing(forward)} />
          ))}
        </Stack>
      )}
      {editing !== null && (
        <ForwardDialog
          forward={editing === 'new' ? null : editing}
          onSave={save}
          onClose={() => setEditing(null)}
        />
      )}
    </Stack>
  )
}
