import { Plus, X } from '../../../ui/icons.tsx'
import { useRef, useState } from 'react'
import type { RedactionRule } from '#contract/logs.ts'
import { Text, Row, Stack } from '../../../ui/Layout.tsx'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { focusAfter } from '../../../ui/focus.ts'
import { Segments } from '../../../ui/Segments.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { describeRule, sameRule } from '../labels.ts'
import { useAction, useClient } from '../../../platform/use-client.ts'
import { setLogs, useLogs } from '../../../state/logs.ts'
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

/** The user's own redaction rules, which every export applies. */
export function RuleRows() {
  const client = useClient()
  const rules = useLogs((state) => state.rules)
  const [kind, setKind] = useState<RedactionRule['kind']>('header')
  const [text, setText] = useState('')
  const [inputError, setInputError] = useState<string | null>(null)
  const save = useAction(async (next: RedactionRule[]) => {
    setLogs(await client.call('logs.setRules', { rules: next }))
    if (next.length > rules.length) setText('')
  })
  const field = useRef<HTMLInputElement>(null)
  const shownError = inputError ?? save.message

  function add(): void {
    const value = text.trim()
    const rule: RedactionRule = kind === 'header' ? { kind, name: value } : { kind, path: value }
    const problem = rules.some((existing) => sameRule(existing, rule))
      ? 'This rule already exists.'
      : ruleError(rule)
    setInputError(problem)
    if (problem === null) save.start([...rules, rule])
    field.current?.focus()
  }

  return (
    <Stack gap={4} className="rules" role="group" aria-label="Rules for every export">
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
                    () => save.start(rules.toSpliced(index, 1)),
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
            add()
          }}
        />
        <Button icon={<Plus aria-hidden />} busy={save.busy} onClick={add}>
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
