import { Pencil, Plus, Reply, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { ResponseRule } from '#contract/answering.ts'
import { Button, IconButton } from '../../components/Button.tsx'
import { Shown } from '../../components/Shown.tsx'
import { sentence } from '../../platform/call-error.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { inputOf, type RuleInput } from './rule-draft.ts'
import { RuleDialog } from './RuleDialog.tsx'
import { useAnswering } from './store.ts'
import { Switch } from './Switch.tsx'
import { answerWord, delayLabel, isSpent, usageLabel, whenLabel } from './labels.ts'

/** What an endpoint answers: 200, or what its rules say, the first that fits. */
export function AnswerSection({ endpointId }: { readonly endpointId: number }) {
  const client = useClient()
  const all = useAnswering((state) => state.responses)
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
        ? placed(rules.map(inputOf), input)
        : rules.map((rule) => (rule.id === editing.id ? input : inputOf(rule))),
    )
  }
  return (
    <section className="answering" aria-label="Answer">
      <header>
        <h3>
          <Reply aria-hidden /> Answer
        </h3>
        <span className="dim">{usualWords(rules)}</span>
        <Button kind="quiet" icon={<Plus aria-hidden />} onClick={() => setEditing('new')}>
          Answer otherwise
        </Button>
      </header>
      {rules.length > 0 && (
        <ul aria-label="Answers other than 200">
          {rules.map((rule) => (
            <RuleLine
              key={rule.id}
              rule={rule}
              onSwitch={(on) =>
                change.start(
                  rules.map((each) => ({
                    ...inputOf(each),
                    on: each.id === rule.id ? on : each.on,
                  })),
                )
              }
              onEdit={() => setEditing(rule)}
              onRemove={() => change.start(others(rule).map(inputOf))}
            />
          ))}
        </ul>
      )}
      {change.error !== null && (
        <p className="field-error" role="alert">
          {sentence(change.error)}
        </p>
      )}
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

/** Who is answered with 200 beside the rules. */
function usualWords(rules: readonly ResponseRule[]): string {
  const active = rules.filter(({ on }) => on)
  if (active.length === 0) return '200 to every delivery'
  return active.some(({ type, when }) => type === null && when.kind === 'always')
    ? '200 to none: the first that fits decides'
    : '200 to all others; the first that fits decides'
}

/** One for a single type stands before those for all: behind them it would never come up. */
function placed(rules: readonly RuleInput[], rule: RuleInput): RuleInput[] {
  return rule.type === null ? [...rules, rule] : [rule, ...rules]
}

interface LineProps {
  readonly rule: ResponseRule
  readonly onSwitch: (on: boolean) => void
  readonly onEdit: () => void
  readonly onRemove: () => void
}

function RuleLine({ rule, onSwitch, onEdit, onRemove }: LineProps) {
  const use = useAnswering(({ uses }) => uses.find(({ ruleId }) => ruleId === rule.id))
  const told = usageLabel(rule, use)
  const type = rule.type ?? 'every type'
  const name = `${answerWord(rule)} to ${type}`
  return (
    <li className="answering-line" data-off={!rule.on || undefined}>
      <Switch label={`Answer ${name}`} on={rule.on} onChange={onSwitch} />
      <b className="answering-status mono">{answerWord(rule)}</b>
      <span className="answering-words">
        to <Shown text={type} />, {whenLabel(rule)}
        {rule.delay > 0 && `, after ${delayLabel(rule.delay)}`}
      </span>
      <span className="answering-use" role="status">
        {rule.on && told}
        {rule.on && isSpent(rule, use) && ': 200 again'}
      </span>
      <IconButton label={`Change answer ${name}`} onClick={onEdit}>
        <Pencil aria-hidden />
      </IconButton>
      <IconButton label={`Remove answer ${name}`} onClick={onRemove}>
        <Trash2 aria-hidden />
      </IconButton>
    </li>
  )
}
