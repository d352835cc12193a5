import { useState } from 'react'
import { caseGroups, rehearsalCases } from '#catalogue/rehearsal/cases.ts'
import type { Endpoint } from '#contract/models.ts'
import { Field, SelectField, Checkbox } from '#kit/Field.tsx'
import { Card } from '#kit/Page.tsx'
import { shortText } from '#kit/text/visible.ts'
import { fieldsOf } from '#kit/use-form.ts'
import { useClient } from '#client/use-client.ts'
import { useEndpointRules, useEndpoints } from '#client/state/live-values.ts'
import { newestRuns, useRehearsals } from '#client/state/rehearsals.ts'
import { AddressField } from '#parts/send/SendFields.tsx'
import { useTargetSuggestions } from '#parts/send/target-suggestions.ts'
import {
  canSign,
  defaultDraft,
  draftErrors,
  endpointOfTarget,
  initialEndpoint,
  largestSeed,
  startInput,
  type RehearsalDraft,
} from './draft.ts'
import { AdvancedCard, CasesCard, StartFormFrame, useStartForm } from './StartFormFrame.tsx'

interface Props {
  /** Null: not preset. */
  readonly to: string | null
  readonly endpointId: number | null
}

const groups = caseGroups.map(({ id, label }) => ({
  label,
  cases: rehearsalCases.filter(({ group }) => group === id),
}))

/** The options of a rehearsal of a webhook handler, and the button that starts it. */
export function StartForm({ to, endpointId }: Props) {
  const client = useClient()
  const endpoints = useEndpoints((state) => state.endpoints)
  const forwards = useEndpointRules((state) => state.forwards)
  const [draft, setDraft] = useState<RehearsalDraft>(() => {
    const forward = forwards.find(({ url }) => url === to)
    const endpoint = initialEndpoint(endpoints, endpointId, forward?.endpointId ?? null)
    return defaultDraft(to ?? '', endpoint, Math.floor(Math.random() * largestSeed))
  })
  const change = (changes: Partial<RehearsalDraft>): void =>
    setDraft((before) => ({ ...before, ...changes }))
  const form = useStartForm(draftErrors(draft), 'handler', (allowTarget) =>
    client.call('rehearsals.start', { ...startInput(draft, endpoints), allowTarget }),
  )
  const endpoint = endpoints.find(({ id }) => id === draft.endpointId)
  const signs = endpoint !== undefined && canSign(endpoint)
  return (
    <StartFormFrame
      form={form}
      isWrong={Object.keys(form.shown).length > 0}
      caseCount={draft.cases.size}
      summary={signs ? '' : ', without signatures'}
    >
      <HandlerCard draft={draft} errors={form.shown} signs={signs} onChange={change} />
      <CasesCard
        groups={groups}
        selected={draft.cases}
        error={form.shown.cases}
        onChange={(cases) => change({ cases })}
      />
      <Advanced draft={draft} errors={form.shown} onChange={change} />
    </StartFormFrame>
  )
}

interface CardProps {
  readonly draft: RehearsalDraft
  readonly errors: ReturnType<typeof draftErrors>
  readonly onChange: (changes: Partial<RehearsalDraft>) => void
}

/** The handler, and the endpoint whose secret signs. `signs`: whether that endpoint has a secret. */
function HandlerCard(props: CardProps & { readonly signs: boolean }) {
  const { draft, errors, signs, onChange } = props
  const endpoints = useEndpoints((state) => state.endpoints)
  const forwards = useEndpointRules((state) => state.forwards)
  const earlier = newestRuns(useRehearsals((state) => state.runs))
    .filter(({ options }) => !options.oauth)
    .map(({ options }) => options)
  const endpointOf = (url: string): Endpoint | undefined =>
    endpointOfTarget(url, endpoints, earlier, forwards)
  const suggestions = useTargetSuggestions({ used: earlier.map(({ url }) => url), own: false }).map(
    ({ url, label }) => {
      const endpoint = endpointOf(url)
      return { url, label: endpoint ? `${label} of ${endpoint.name}` : label }
    },
  )
  return (
    <Card title="Your handler">
      <AddressField
        url={draft.url}
        error={errors.url ?? null}
        suggestions={suggestions}
        whenEmpty="The URL of your webhook handler. It receives valid and hostile requests with made-up IDs."
        focused={false}
        onChange={(url) => {
          // With its secret. Other URLs say nothing about their endpoint.
          const endpoint = suggestions.some((each) => each.url === url)
            ? endpointOf(url)
            : undefined
          onChange(endpoint ? { url, endpointId: endpoint.id } : { url })
        }}
      />
      <div className="grid grid-cols-2 items-start gap-5 below-480:grid-cols-1 below-480:flex-wrap">
        <SelectField
          label="Endpoint"
          value={draft.endpointId ?? ''}
          hint={
            signs
              ? 'Its secret, brand and custom headers are used.'
              : 'Without a secret, the signature cases are skipped and the grade is at most C.'
          }
          onChange={({ target }) =>
            onChange({ endpointId: target.value === '' ? null : Number(target.value) })
          }
        >
          {endpoints.map((each) => (
            <option key={each.id} value={each.id}>
              {shortText(each.name, 60)}
              {canSign(each) ? '' : ' (no secret)'}
            </option>
          ))}
          <option value="">No endpoint, no secret</option>
        </SelectField>
      </div>
    </Card>
  )
}

function Advanced({ draft, errors, onChange }: CardProps) {
  const field = fieldsOf(draft, errors, onChange)
  const wrong = errors.seed ?? errors.accept ?? errors.seconds
  return (
    <AdvancedCard
      note="Seed, accepted statuses, time limit and load."
      isWrong={wrong !== undefined}
    >
      <div className="grid gap-5">
        <div className="grid grid-cols-3 items-start gap-5 below-480:grid-cols-1 below-480:flex-wrap">
          <Field
            label="Seed"
            inputMode="numeric"
            {...field('seed')}
            hint="The same seed sends the same requests."
          />
          <Field
            label="Accepted statuses"
            placeholder="any 2xx"
            {...field('accept')}
            hint="Separated by commas."
          />
          <Field
            label="Time limit"
            inputMode="decimal"
            {...field('seconds')}
            hint="A slower response fails."
            after={<span className="flex-none text-dim">seconds</span>}
          />
        </div>
        <label className="baseline flex gap-4 text-s [&>input]:flex-none">
          <Checkbox
            checked={draft.acknowledgesFirst}
            onChange={(acknowledgesFirst) => onChange({ acknowledgesFirst })}
          />
          <span>
            The handler responds before it verifies{' '}
            <span className="text-dim">
              Then statuses of hostile requests prove nothing, and only an observer can judge them.
            </span>
          </span>
        </label>
        <label className="baseline flex gap-4 text-s [&>input]:flex-none">
          <Checkbox checked={draft.load} onChange={(load) => onChange({ load })} />
          <span>
            Run cases with load{' '}
            <span className="text-dim">Large bodies and many requests at the same time.</span>
          </span>
        </label>
      </div>
    </AdvancedCard>
  )
}
