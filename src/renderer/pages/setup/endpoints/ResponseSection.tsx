import { Icons } from '#kit/icons.tsx'
import { useState } from 'react'
import type { ResponseRule } from '#contract/endpoint-rules.ts'
import { cx } from '#kit/cx.ts'
import { Button, IconButton } from '#kit/Button.tsx'
import { Shown } from '#kit/Shown.tsx'
import { useAction } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { inputOf, RuleDialog, type RuleInput } from './RuleDialog.tsx'
import { useEndpointRules } from '#client/state/live-values.ts'
import { Switch } from '#kit/Switch.tsx'
import { ErrorText } from '#kit/Note.tsx'
import { responseLabel, delayLabel, isSpent, usageLabel, whenLabel } from './labels.ts'
import '#parts/endpoints/EndpointRules.css'

/** The response rules of an endpoint. The first matching rule applies, otherwise 200. */
export function ResponseSection({ endpointId }: { readonly endpointId: number }) {
  const client = useClient()
  const all = useEndpointRules((state) => state.responses)
  const rules = all.filter((rule) => rule.endpointId === endpointId)
  const [editing, setEditing] = useState<ResponseRule | 'new' | null>(null)
  const set = async (next: readonly RuleInput[]): Promise<void> => {
    await client.call('responses.set', { endpointId, rules: [...next] })
  }
  const change = useAction(set)
  const others = (rule: ResponseRule): ResponseRule[] => rules.filter(({ id }) => id !== rule.id)
  const save = async (input: RuleInput): Promise<void> => {
    if (editing === null) return
    await set(
      editing === 'new'
        ? insertRule(rules.map(inputOf), input)
        : rules.map((rule) => (rule.id === editing.id ? input : inputOf(rule))),
    )
  }
  return (
    <section
      className="mt-5 grid gap-2 border-t border-dashed border-line-strong pt-5"
      aria-label="Responses"
    >
      <header className="flex min-h-(--control) flex-wrap items-center gap-3">
        <h3 className="inline-flex w-(--measure-label) flex-none items-center gap-3 font-semibold text-mid">
          <Icons.Reply /> Responses
        </h3>
        <span className="text-dim">{defaultLabel(rules)}</span>
        <Button
          kind="quiet"
          className="ml-auto"
          icon={Icons.Plus}
          onClick={() => setEditing('new')}
        >
          Add response rule
        </Button>
      </header>
      {rules.length > 0 && (
        <ul className="lined grid" aria-label="Response rules">
          {rules.map((rule) => (
            <RuleLine
              key={rule.id}
              rule={rule}
              onSwitch={(on) =>
                change.start(
                  rules.map((each) => ({
                    ...inputOf(each),
                    enabled: each.id === rule.id ? on : each.enabled,
                  })),
                )
              }
              onEdit={() => setEditing(rule)}
              onRemove={() => change.start(others(rule).map(inputOf))}
            />
          ))}
        </ul>
      )}
      <ErrorText error={change.error} />
      {editing !== null && (
        <RuleDialog
          rule={editing === 'new' ? null : editing}
          onSave={save}
          onClose={() => setEditing(null)}
        />
      )}
    </section>
  )
}

function defaultLabel(rules: readonly ResponseRule[]): string {
  const active = rules.filter(({ enabled }) => enabled)
  if (active.length === 0) return '200 for all deliveries'
  return active.some(({ type, when }) => type === null && when.kind === 'always')
    ? 'The first matching rule applies. No delivery gets the default 200.'
    : 'First matching rule applies; otherwise 200'
}

/** A rule for a single type is inserted before rules for all types, which would otherwise always match first. */
function insertRule(rules: readonly RuleInput[], rule: RuleInput): RuleInput[] {
  return rule.type === null ? [...rules, rule] : [rule, ...rules]
}

interface LineProps {
  readonly rule: ResponseRule
  readonly onSwitch: (on: boolean) => void
  readonly onEdit: () => void
  readonly onRemove: () => void
}

function RuleLine({ rule, onSwitch, onEdit, onRemove }: LineProps) {
  const use = useEndpointRules(({ uses }) => uses.find(({ ruleId }) => ruleId === rule.id))
  const usage = usageLabel(rule, use)
  const type = rule.type ?? 'all types'
  const name = `${responseLabel(rule)} for ${type}`
  return (
    <li
      className="rule-line flex min-h-(--control-l) items-center gap-4 py-2 below-480:flex-wrap"
      data-off={!rule.enabled || undefined}
    >
      <Switch label={`Response ${name}`} on={rule.enabled} onChange={onSwitch} />
      <b className={cx('mono flex-none', rule.enabled ? 'text-warning' : 'text-ink')}>
        {responseLabel(rule)}
      </b>
      <span className="min-w-0 wrap-anywhere">
        for <Shown text={type} />, {whenLabel(rule)}
        {rule.delayMs > 0 && `, after ${delayLabel(rule.delayMs)}`}
      </span>
      <span className="ml-auto text-s text-mid" role="status">
        {rule.enabled && usage}
        {rule.enabled && isSpent(rule, use) && ': 200 again'}
      </span>
      <IconButton label={`Edit response rule ${name}`} onClick={onEdit}>
        <Icons.Pencil />
      </IconButton>
      <IconButton label={`Remove response rule ${name}`} onClick={onRemove}>
        <Icons.Trash2 />
      </IconButton>
    </li>
  )
}
