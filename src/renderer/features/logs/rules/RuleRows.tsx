import { Plus, X } from '../../../ui/icons.tsx'
import { useRef, useState } from 'react'
import type { RedactionRule } from '#contract/logs.ts'
import { Text, Row, Stack } from '../../../ui/Layout.tsx'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { focusAfter } from '../../../ui/focus.ts'
import { Segments } from '../../../ui/Segments.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { describeRule, sameRule } from '../labels.ts'
import '../Logs.css'

/** A header name, RFC 9110, section 5.1. */
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** The error in a rule that can be detected without the engine; null if there is none. */
export function ruleError(rule: RedactionRule): string | null {
  switch (rule.kind) {
    case 'header':
      if (rule.name === '') return 'Enter a header name.'
      return headerName.test(rule.name)
        ? null
        : 'A header name contains letters, digits and hyphens, and no spaces or colons.'
    case 'path':
      if (rule.path === '') return 'Enter a path, such as $.data.name.'
      return rule.path.startsWith('$') ? null : 'A path starts with $, such as $.data.name.'
  }
}

interface Props {
  readonly rules: readonly RedactionRule[]
  /** The label of the group, such as "Rules for every export". */
  readonly label: string
  readonly busy: boolean
  /** Why the last change was rejected. */
  readonly error: string | null
  /** Resolves to whether the rules were accepted. */
  readonly onChange: (rules: RedactionRule[]) => Promise<boolean>
}

export function RuleRows({ rules, label, busy, error, onChange }: Props) {
  const [kind, setKind] = useState<RedactionRule['kind']>('header')
  const [text, setText] = useState('')
  const [inputError, setInputError] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const shownError = inputError ?? error

  async function add(): Promise<void> {
    const value = text.trim()
    const rule: RedactionRule = kind === 'header' ? { kind, name: value } : { kind, path: value }
    const problem = rules.some((existing) => sameRule(existing, rule))
      ? 'This rule already exists.'
      : ruleError(rule)
    setInputError(problem)
    if (problem === null && (await onChange([...rules, rule]))) setText('')
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
                label={`Remove rule ${describeRule(rule)}`}
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
          label="Rule type"
          value={kind}
          options={[
            { value: 'header', label: 'Header' },
            { value: 'path', label: 'JSON path' },
          ]}
          onChange={(next) => {
            setKind(next)
            setInputError(null)
          }}
        />
        <input
          ref={field}
          className="input mono"
          aria-label={kind === 'header' ? 'Header name' : 'JSON path'}
          aria-invalid={shownError !== null || undefined}
          aria-describedby={shownError === null ? undefined : 'rule-error'}
          placeholder={kind === 'header' ? 'X-Venue-Token' : '$.data.items[*].note'}
          value={text}
          maxLength={kind === 'header' ? 200 : 500}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => {
            setText(event.target.value)
            setInputError(null)
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            // Otherwise Enter would submit the surrounding form.
            event.preventDefault()
            void add()
          }}
        />
        <Button icon={<Plus aria-hidden />} busy={busy} onClick={() => void add()}>
          Add rule
        </Button>
      </Row>
      {shownError !== null && (
        <p className="field-error" id="rule-error" role="alert">
          {shownError}
        </p>
      )}
    </Stack>
  )
}
