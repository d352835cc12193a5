import { Play } from '../../ui/icons.tsx'
import { useEffect, useRef, useState } from 'react'
import { caseGroups, rehearsalCases } from '#catalogue/rehearsal/cases.ts'
import type { RehearsalCase } from '#catalogue/rehearsal/define.ts'
import { plural } from '#shared/text/format.ts'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { Field, SelectField } from '../../ui/Field.tsx'
import { Fold } from '../../ui/Fold.tsx'
import { Grid, Row, Stack, Text } from '../../ui/Layout.tsx'
import { Note } from '../../ui/Note.tsx'
import { Card } from '../../ui/Page.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { cut, visible } from '../../ui/text/visible.ts'
import { sentence } from '../../platform/call-error.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { rehearsalAddress } from '../../routes/rehearse.ts'
import { useAnswering } from '../../state/answering.ts'
import { useEndpoints } from '../../state/endpoints.ts'
import { newestRuns, setRehearsal, useRehearsals } from '../../state/rehearsals.ts'
import { AddressField, useRecentTargets } from '../sending/index.ts'
import { unconfirmedOrigin } from '../targets/index.ts'
import {
  canSign,
  defaultDraft,
  draftErrors,
  initialEndpoint,
  isGate,
  largestSeed,
  startInput,
  type RehearsalDraft,
} from './draft.ts'
import { levelMeanings } from './labels.tsx'

interface Props {
  /** Null: not preset. */
  readonly to: string | null
  readonly endpointId: number | null
}

const maximumSuggestions = 6

const oracleKinds = ['none', 'url', 'sandbox'] as const satisfies RehearsalDraft['oracle'][]
const oracles: Record<RehearsalDraft['oracle'], { label: string; hint: string }> = {
  none: { label: 'None', hint: 'Cases about effects are left for your review.' },
  url: { label: 'A number at a URL', hint: 'It grows with each event that is processed.' },
  sandbox: {
    label: 'Calls to the API of the sandbox',
    hint: 'Each call that your handler makes counts as an effect.',
  },
}

/** The options of a rehearsal of a webhook handler, and the button that starts it. */
export function StartForm({ to, endpointId }: Props) {
  const client = useClient()
  const endpoints = useEndpoints((state) => state.endpoints)
  const forwards = useAnswering((state) => state.forwards)
  const runs = useRehearsals((state) => state.runs)
  const recent = useRecentTargets()
  const [draft, setDraft] = useState<RehearsalDraft>(() => {
    const forward = forwards.find(({ url }) => url === to)
    const endpoint = initialEndpoint(endpoints, endpointId, forward?.endpointId ?? null)
    return defaultDraft(to ?? '', endpoint, Math.floor(Math.random() * largestSeed))
  })
  const [submitted, setSubmitted] = useState(false)
  /** The target that needs a permission; null: none does. */
  const [origin, setOrigin] = useState<string | null>(null)
  const change = (changes: Partial<RehearsalDraft>): void =>
    setDraft((before) => ({ ...before, ...changes }))
  const errors = draftErrors(draft)
  const shown = submitted ? errors : {}
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (submitted) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
    // Only when the button was pressed.
  }, [submitted])
  const start = useAction(async (allowTarget: boolean) => {
    try {
      const run = await client.call('rehearsals.start', {
        ...startInput(draft, endpoints),
        allowTarget,
      })
      setRehearsal(run)
      location.assign(rehearsalAddress(run.id))
    } catch (error) {
      const public_ = unconfirmedOrigin(error)
      if (public_ === null || allowTarget) throw error
      setOrigin(public_)
    }
  })
  const endpoint = endpoints.find(({ id }) => id === draft.endpointId)
  const signs = endpoint !== undefined && canSign(endpoint)
  const targets = [
    ...newestRuns(runs)
      .filter(({ options }) => !options.oauth)
      .map(({ options }) => ({ url: options.url, label: 'earlier rehearsal' })),
    ...forwards.map(({ url }) => ({ url, label: 'forward target' })),
    ...recent.map((url) => ({ url, label: 'recent' })),
  ]
  const suggestions = targets
    .filter(({ url }, index) => targets.findIndex((other) => other.url === url) === index)
    .slice(0, maximumSuggestions)

  return (
    <>
      <form
        ref={form}
        className="stack gap-6"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setSubmitted(true)
          if (Object.keys(errors).length === 0) start.start(false)
        }}
      >
        <Card title="Your handler">
          <AddressField
            url={draft.url}
            error={shown.url ?? null}
            suggestions={suggestions}
            whenEmpty="The URL of your webhook handler. It receives valid and hostile requests with made-up IDs."
            focused={false}
            onChange={(url) => change({ url })}
          />
          <Grid columns="1 1" gap={5} align="start" collapse>
            <SelectField
              label="Endpoint"
              value={draft.endpointId ?? ''}
              hint={
                signs
                  ? 'Its secret, brand and custom headers are used.'
                  : 'Without a secret, the signature cases are skipped and the grade is at most C.'
              }
              onChange={({ target }) =>
                change({ endpointId: target.value === '' ? null : Number(target.value) })
              }
            >
              {endpoints.map((each) => (
                <option key={each.id} value={each.id}>
                  {visible(cut(each.name, 60))}
                  {canSign(each) ? '' : ' (no secret)'}
                </option>
              ))}
              <option value="">No endpoint, no secret</option>
            </SelectField>
            <SelectField
              label="Oracle"
              value={draft.oracle}
              hint={oracles[draft.oracle].hint}
              onChange={({ target }) => {
                const oracle = oracleKinds.find((kind) => kind === target.value)
                if (oracle) change({ oracle })
              }}
            >
              {oracleKinds.map((kind) => (
                <option key={kind} value={kind}>
                  {oracles[kind].label}
                </option>
              ))}
            </SelectField>
          </Grid>
          {draft.oracle === 'url' && (
            <Field
              label="Oracle URL"
              data-mono
              inputMode="url"
              placeholder="http://localhost:3000/orders/count"
              value={draft.oracleUrl}
              error={shown.oracleUrl}
              hint="Returns one number, such as the number of orders in your database."
              onChange={({ target }) => change({ oracleUrl: target.value })}
            />
          )}
          {draft.oracle === 'sandbox' && (
            <Field
              label="Port of the sandbox"
              inputMode="numeric"
              value={draft.oraclePort}
              error={shown.oraclePort}
              hint={`Configure your handler with the base URL http://127.0.0.1:${draft.oraclePort.trim()} and any access token.`}
              onChange={({ target }) => change({ oraclePort: target.value })}
            />
          )}
        </Card>
        <Card
          title="Cases"
          note={
            draft.cases.size === rehearsalCases.length
              ? 'All cases are selected. Only a complete run gets a grade.'
              : 'A run of selected cases gets no grade.'
          }
        >
          {caseGroups.map(({ id, label }) => (
            <CaseGroupField
              key={id}
              label={label}
              cases={rehearsalCases.filter(({ group }) => group === id)}
              selected={draft.cases}
              onChange={(cases) => change({ cases })}
            />
          ))}
          {shown.cases !== undefined && (
            <Note tone="invalid" alert>
              {shown.cases}
            </Note>
          )}
        </Card>
        <Advanced draft={draft} errors={shown} onChange={change} />
        {start.error !== null && (
          <Note tone="invalid" alert>
            <Shown text={sentence(start.error)} />
          </Note>
        )}
        <Row align="center" gap={5} className="rehearse-start">
          <Button kind="primary" type="submit" busy={start.busy} icon={<Play aria-hidden />}>
            Start rehearsal
          </Button>
          <Text tone="dim" size="s">
            {plural(draft.cases.size, 'case', 'cases')}
            {signs ? '' : ', without signatures'}
          </Text>
        </Row>
      </form>
      <Confirm
        open={origin !== null}
        onClose={() => setOrigin(null)}
        title="Rehearse a handler outside your network?"
        description={`${visible(cut(origin ?? '', 300))} is outside this machine and its network. The test cases include hostile requests. Continue only if the handler is your own.`}
        action="Send test cases there"
        busy={start.busy}
        error={null}
        onConfirm={() => {
          setOrigin(null)
          start.start(true)
        }}
      />
    </>
  )
}

type SelectableCase = Pick<RehearsalCase, 'id' | 'title' | 'level'> &
  Partial<Pick<RehearsalCase, 'group' | 'needsSecret' | 'needsOracle' | 'load'>>

interface CaseGroupProps {
  readonly label: string
  readonly cases: readonly SelectableCase[]
  /** IDs of the selected cases, also of other groups. */
  readonly selected: ReadonlySet<string>
  readonly onChange: (cases: ReadonlySet<string>) => void
}

/** The cases of a group, with a checkbox for all of them. */
export function CaseGroupField({ label, cases, selected, onChange }: CaseGroupProps) {
  const optional = cases.filter((each) => !isGate(each))
  const count = cases.filter(({ id }) => selected.has(id)).length
  const set = (changed: readonly SelectableCase[], on: boolean): void => {
    const next = new Set(selected)
    for (const { id } of changed) {
      if (on) next.add(id)
      else next.delete(id)
    }
    onChange(next)
  }
  if (cases.length === 0) return null
  return (
    <Fold
      className="rehearse-group"
      summary={
        <>
          {label}
          <Text tone="dim" weight="normal" size="s">
            {count} of {cases.length}
          </Text>
        </>
      }
    >
      <Stack as="ul" gap={1} aria-label={label}>
        {optional.length > 1 && (
          <li>
            <Row as="label" align="center" gap={4} size="s" weight="semibold">
              <input
                type="checkbox"
                checked={count === cases.length}
                ref={(input) => {
                  if (input) input.indeterminate = count > 0 && count < cases.length
                }}
                onChange={({ target }) => set(optional, target.checked)}
              />
              All of {label}
            </Row>
          </li>
        )}
        {cases.map((each) => (
          <li key={each.id}>
            <Row as="label" align="baseline" gap={4} size="s" className="rehearse-check">
              <input
                type="checkbox"
                checked={selected.has(each.id)}
                disabled={isGate(each)}
                onChange={({ target }) => set([each], target.checked)}
              />
              <span className="mono rehearse-id">{each.id}</span>
              <Text grow shrink>
                {each.title}
                {isGate(each) && <span className="dim">, always runs</span>}
                {each.needsSecret && <span className="dim">, needs a secret</span>}
                {each.needsOracle && <span className="dim">, needs an oracle</span>}
                {each.load && <span className="dim">, only with load</span>}
              </Text>
              <span className="tag" data-tone="unsigned" title={levelMeanings[each.level]}>
                {each.level}
              </span>
            </Row>
          </li>
        ))}
      </Stack>
    </Fold>
  )
}

interface AdvancedProps {
  readonly draft: RehearsalDraft
  readonly errors: ReturnType<typeof draftErrors>
  readonly onChange: (changes: Partial<RehearsalDraft>) => void
}

function Advanced({ draft, errors, onChange }: AdvancedProps) {
  const [open, setOpen] = useState(false)
  const wrong = errors.seed ?? errors.accept ?? errors.seconds
  return (
    <Card title="Advanced" note="Seed, accepted statuses, time limit and load.">
      <Fold
        open={open || wrong !== undefined}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
        summary="Options"
      >
        <Stack gap={5}>
          <Grid columns="1 1 1" gap={5} align="start" collapse>
            <Field
              label="Seed"
              inputMode="numeric"
              value={draft.seed}
              error={errors.seed}
              hint="The same seed sends the same requests."
              onChange={({ target }) => onChange({ seed: target.value })}
            />
            <Field
              label="Accepted statuses"
              placeholder="any 2xx"
              value={draft.accept}
              error={errors.accept}
              hint="Separated by commas."
              onChange={({ target }) => onChange({ accept: target.value })}
            />
            <Field
              label="Time limit"
              inputMode="decimal"
              value={draft.seconds}
              error={errors.seconds}
              hint="A slower response fails."
              after={<span className="field-unit">seconds</span>}
              onChange={({ target }) => onChange({ seconds: target.value })}
            />
          </Grid>
          <Row as="label" align="baseline" gap={4} size="s" className="rehearse-check">
            <input
              type="checkbox"
              checked={draft.acknowledgesFirst}
              onChange={({ target }) => onChange({ acknowledgesFirst: target.checked })}
            />
            <span>
              The handler responds before it verifies{' '}
              <span className="dim">
                Then statuses of hostile requests prove nothing, and only an oracle can judge them.
              </span>
            </span>
          </Row>
          <Row as="label" align="baseline" gap={4} size="s" className="rehearse-check">
            <input
              type="checkbox"
              checked={draft.load}
              onChange={({ target }) => onChange({ load: target.checked })}
            />
            <span>
              Run cases with load{' '}
              <span className="dim">Large bodies and many requests at the same time.</span>
            </span>
          </Row>
        </Stack>
      </Fold>
    </Card>
  )
}
