import { Plus, X } from 'lucide-react'
import { useRef, useState } from 'react'
import type { RedactionRule } from '#contract/logs.ts'
import { Text, Row, Stack } from '../../../ui/Layout.tsx'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { focusAfter } from '../../../ui/focus.ts'
import { Segments } from '../../../ui/Segments.tsx'
import { Shown } from '../../../ui/Shown.tsx'
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
    <Stack gap={4} className="rules" role="group" aria-label={label}>
      {rules.length > 0 && (
        <Stack as="ul" lined frame>
          {rules.map((rule, index) => (
            <Row
              as="li"
              align="center"
              gap={4}
              pad={[1, 4]}
              tall="control-l"
              key={`${rule.kind} ${describeRule(rule)}`}
            >
              <Text measure="key" tone="dim" size="s">
                {rule.kind === 'header' ? 'Header' : 'JSON path'}
              </Text>
              <Text as="code" grow shrink anywhere mono>
                <Shown text={describeRule(rule)} />
              </Text>
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
            </Row>
          ))}
        </Stack>
      )}
      <Row wrap gap={4} align="center" className="rule-new">
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
      </Row>
      {told !== null && (
        <p className="field-error" id="rule-fault" role="alert">
          {told}
        </p>
      )}
    </Stack>
  )
}
