import { Plus, X } from 'lucide-react'
import { useRef, useState } from 'react'
import type { RedactionRule } from '#contract/logs.ts'
import { Button, IconButton } from '../../../components/Button.tsx'
import { focusAfter } from '../../../components/focus-after.ts'
import { Segments } from '../../../components/Segments.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { describeRule, sameRule } from '../labels.ts'
import './Rules.css'

/** RFC 9110, 5.1: what a name of a header is made of. */
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** What can be told of a rule without the engine; null: that one has to say. */
export function ruleFault(rule: RedactionRule): string | null {
  switch (rule.kind) {
    case 'header':
      if (rule.name === '') return 'Write the name of a header.'
      return headerName.test(rule.name)
        ? null
        : 'A name of a header has letters, digits and hyphens, and no space or colon.'
    case 'path':
      if (rule.path === '') return 'Write a path, such as $.data.name.'
      return rule.path.startsWith('$') ? null : 'A path begins with $, such as $.data.name.'
  }
}

interface Props {
  readonly rules: readonly RedactionRule[]
  /** Of what they are: "Rules for every export". */
  readonly label: string
  readonly busy: boolean
  /** Why the last one was not taken. */
  readonly error: string | null
  /** Resolves to whether they were taken. */
  readonly onChange: (rules: RedactionRule[]) => Promise<boolean>
}

/** Rules of redaction: those there are, and a line to add one. */
export function RuleRows({ rules, label, busy, error, onChange }: Props) {
  const [kind, setKind] = useState<RedactionRule['kind']>('header')
  const [text, setText] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const told = fault ?? error

  async function add(): Promise<void> {
    const written = text.trim()
    const rule: RedactionRule =
      kind === 'header' ? { kind, name: written } : { kind, path: written }
    const wrong = rules.some((one) => sameRule(one, rule))
      ? 'There is this rule already.'
      : ruleFault(rule)
    setFault(wrong)
    if (wrong === null && (await onChange([...rules, rule]))) setText('')
    field.current?.focus()
  }

  return (
    <div className="rules" role="group" aria-label={label}>
      {rules.length > 0 && (
        <ul className="rule-list">
          {rules.map((rule, index) => (
            <li key={`${rule.kind} ${describeRule(rule)}`}>
              <span className="rule-kind">{rule.kind === 'header' ? 'Header' : 'JSON path'}</span>
              <code className="mono">
                <Shown text={describeRule(rule)} />
              </code>
              <IconButton
                label={`Remove the rule ${describeRule(rule)}`}
                onClick={() =>
                  focusAfter(
                    () => void onChange(rules.toSpliced(index, 1)),
                    () => field.current,
                  )
                }
              >
                <X aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <div className="rule-new">
        <Segments
          label="What the rule names"
          value={kind}
          options={[
            { value: 'header', label: 'Header' },
            { value: 'path', label: 'JSON path' },
          ]}
          onChange={(next) => {
            setKind(next)
            setFault(null)
          }}
        />
        <input
          ref={field}
          className="input mono"
          aria-label={kind === 'header' ? 'Name of the header' : 'JSON path'}
          aria-invalid={told !== null || undefined}
          aria-describedby={told === null ? undefined : 'rule-fault'}
          placeholder={kind === 'header' ? 'X-Venue-Token' : '$.data.items[*].note'}
          value={text}
          maxLength={kind === 'header' ? 200 : 500}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => {
            setText(event.target.value)
            setFault(null)
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            // In a form it would send that.
            event.preventDefault()
            void add()
          }}
        />
        <Button icon={<Plus aria-hidden />} busy={busy} onClick={() => void add()}>
          Add rule
        </Button>
      </div>
      {told !== null && (
        <p className="field-error" id="rule-fault" role="alert">
          {told}
        </p>
      )}
    </div>
  )
}
