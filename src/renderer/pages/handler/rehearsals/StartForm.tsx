import { caseGroups, rehearsalCases } from '#catalogue/rehearsal/cases.ts'
import type { Endpoint } from '#contract/models.ts'
import { Field, SelectField, Checkbox } from '#kit/Field.tsx'
import { Card, Fold } from '#kit/Page.tsx'
import { shortText } from '#kit/text/visible.ts'
import { hasUnreadable, NumberField } from '#kit/use-draft.tsx'
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
import { CasesCard, StartFormFrame, useStartForm } from './StartFormFrame.tsx'

interface Props {
  /** Null: not preset. */
  to: string | null
  endpointId: number | null
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
  const form = useStartForm(
    () => {
      const forward = forwards.find(({ url }) => url === to)
      const endpoint = initialEndpoint(endpoints, endpointId, forward?.endpointId ?? null)
      return defaultDraft(to ?? '', endpoint, Math.floor(Math.random() * largestSeed))
    },
    draftErrors,
    'handler',
    (draft, allowTarget) =>
      client.call('rehearsals.start', { ...startInput(draft, endpoints), allowTarget }),
  )
  const { draft, set } = form
  const endpoint = endpoints.find(({ id }) => id === draft.endpointId)
  const signs = endpoint !== undefined && canSign(endpoint)
  return (
    <StartFormFrame
      form={form}
      caseCount={draft.cases.size}
      summary={signs ? '' : ', without signatures'}
    >
      <HandlerCard form={form} signs={signs} />
      <CasesCard
        groups={groups}
        selected={draft.cases}
        error={form.shown.cases}
        onChange={(cases) => set({ cases })}
      >
        <label className="baseline flex gap-4 text-s [&>input]:flex-none">
          <Checkbox checked={draft.load} onChange={(load) => set({ load })} />
          <span>
            Run cases with load{' '}
            <span className="text-dim">Large bodies and many requests at the same time.</span>
          </span>
        </label>
      </CasesCard>
      <Advanced form={form} />
    </StartFormFrame>
  )
}

type StartDraftForm = ReturnType<typeof useStartForm<RehearsalDraft>>

function HandlerCard(props: { form: StartDraftForm; signs: boolean }) {
  const { form, signs } = props
  const { draft, set } = form
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
        error={form.shown.url ?? null}
        suggestions={suggestions}
        whenEmpty="The URL of your webhook handler. It receives valid and hostile requests with made-up IDs."
        focused={false}
        onChange={(url) => {
          // With its secret. Other URLs say nothing about their endpoint.
          const endpoint = suggestions.some((each) => each.url === url)
            ? endpointOf(url)
            : undefined
          set(endpoint ? { url, endpointId: endpoint.id } : { url })
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
            set({ endpointId: target.value === '' ? null : Number(target.value) })
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

function Advanced({ form }: { form: StartDraftForm }) {
  const { seed, requestTimeout } = form.draft
  const isWrong = (form.shown.accept ?? null) !== null || hasUnreadable({ seed, requestTimeout })
  return (
    <Card title="Advanced" note="Seed, accepted statuses and time limit.">
      <Fold summary="Options" {...(form.submitted && isWrong && { open: true })}>
        <div className="grid gap-5">
          <div className="grid grid-cols-3 items-start gap-5 below-480:grid-cols-1 below-480:flex-wrap">
            <NumberField
              label="Seed"
              whole
              min={0}
              max={largestSeed}
              hint="The same seed sends the same requests."
              {...form.value('seed')}
            />
            <Field
              label="Accepted statuses"
              placeholder="any 2xx"
              {...form.text('accept')}
              hint="Separated by commas."
            />
            <NumberField
              label="Time limit"
              unit="seconds"
              factor={1000}
              min={0.1}
              max={120}
              hint="A slower response fails."
              {...form.value('requestTimeout')}
            />
          </div>
          <label className="baseline flex gap-4 text-s [&>input]:flex-none">
            <Checkbox
              checked={form.draft.acknowledgesFirst}
              onChange={(acknowledgesFirst) => form.set({ acknowledgesFirst })}
            />
            <span>
              The handler responds before it verifies{' '}
              <span className="text-dim">
                Then statuses of hostile requests prove nothing, and only an observer can judge
                them.
              </span>
            </span>
          </label>
        </div>
      </Fold>
    </Card>
  )
}
