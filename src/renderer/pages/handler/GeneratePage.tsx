import { useState } from 'react'
import { type GenerateOutput, generateOutputs } from '#contract/constants.ts'
import type { CallOutput } from '#contract/calls.ts'
import { plural } from '#shared/text/format.ts'
import type { ClientInput } from '#client/client.ts'
import { saveFile } from '#kit/clipboard.ts'
import { toastError } from '#kit/toasts.ts'
import { useClient, useQuery, useSettled } from '#client/use-client.ts'
import { generateAddress, generatePlaceOf, type GeneratePlace } from '#client/addresses/pages.ts'
import { useCan, useShell } from '#client/state/app.ts'
import { useIntegration } from '#client/state/authorization.ts'
import { deliveriesOf, queryOf } from '#client/state/deliveries.ts'
import { withTerm } from '#contract/filter/edit.ts'
import { Button, CopyButton } from '#kit/Button.tsx'
import { CodeBlock } from '#kit/CodeBlock.tsx'
import { WhenLoaded } from '#kit/Note.tsx'
import { Field, InlineSelect, SelectField } from '#kit/Field.tsx'
import { Icons } from '#kit/icons.tsx'
import { Page } from '#kit/Page.tsx'
import { loadText, saveText } from '#kit/storage.ts'
import { Segments } from '#kit/Switch.tsx'
import { LearnMore } from '#parts/LearnMore.tsx'

const outputLabels = {
  types: 'Types',
  schema: 'JSON Schema',
  openapi: 'OpenAPI',
  asyncapi: 'AsyncAPI',
  handler: 'Handler',
  fixtures: 'Tests',
} as const satisfies Record<GenerateOutput, string>

type Targets = CallOutput<'generate.targets'>
type Input = ClientInput<'generate.files'>

export function GeneratePage() {
  const targets = useQuery('generate.targets', {})
  return (
    <Page
      lead="Types, contracts, handlers and tests, from the API documentation and from what was captured."
      help={<LearnMore page="generate" />}
      wide
    >
      <WhenLoaded
        query={targets}
        loading={<div className="h-(--measure-panel) coming" role="status" aria-label="Loading" />}
      >
        {(all) => <Generator targets={all} />}
      </WhenLoaded>
    </Page>
  )
}

/** Nothing is generated while the user types. */
const typingDelay = 400

function Generator({ targets }: { targets: Targets }) {
  const place = generatePlaceOf(useShell((state) => state.hash))
  const ownBrand = useIntegration()?.brand
  const [brand, setBrand] = useState(ownBrand ?? 'Service')
  const choices = choicesOf(targets, place.output)
  const wanted = place.target || loadText(targetKey(place.output))
  const target = choices.find(({ id }) => id === wanted)?.id ?? choices[0]?.id ?? ''
  const input = {
    output: place.output,
    target,
    brand: useSettled(brand.trim() || 'Service', typingDelay),
    observed: useSettled(place.observed, typingDelay),
    log: null,
  }
  const files = useQuery('generate.files', input)
  const go = (change: Partial<GeneratePlace>): void =>
    location.replace(generateAddress({ ...place, target, ...change }))
  return (
    <>
      <div className="flex">
        <Segments
          label="Output"
          value={place.output}
          options={generateOutputs.map((value) => ({ value, label: outputLabels[value] }))}
          onChange={(output) => go({ output, target: '' })}
        />
      </div>
      <div className="grid grid-cols-[minmax(0,var(--measure-menu))_minmax(0,1fr)] items-start gap-x-8 gap-y-6 below-900:grid-cols-1">
        <section className="grid min-w-0 gap-6" aria-label="Options">
          {choices.length > 0 && (
            <SelectField
              label={place.output === 'types' ? 'Language' : 'Framework'}
              value={target}
              onChange={({ target: { value } }) => {
                saveText(targetKey(place.output), value)
                go({ target: value })
              }}
            >
              {choices.map(({ id, label }) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </SelectField>
          )}
          <Source place={place} onChange={(observed) => go({ observed })} />
          <Field
            label="Brand"
            value={brand}
            maxLength={40}
            hint="The word in the names of headers and in values."
            onChange={(event) => setBrand(event.target.value)}
          />
          <SameCommand input={input} />
        </section>
        <WhenLoaded
          query={files}
          loading={
            <div className="h-(--measure-panel) coming" role="status" aria-label="Loading" />
          }
        >
          {(generated) => (
            <Preview key={`${input.output} ${input.target}`} input={input} generated={generated} />
          )}
        </WhenLoaded>
      </div>
    </>
  )
}

/** Of the language or framework that was chosen last. */
const targetKey = (output: GenerateOutput): string => `tabscope.generate.${output}`

function choicesOf(targets: Targets, output: GenerateOutput): Targets['languages'] {
  switch (output) {
    case 'types':
      return targets.languages
    case 'handler':
      return targets.handlers
    case 'fixtures':
      return targets.testFrameworks
    case 'schema':
    case 'openapi':
    case 'asyncapi':
      return []
  }
}

function Source({
  place: { output, observed },
  onChange,
}: {
  place: GeneratePlace
  onChange: (observed: string | null) => void
}) {
  const isTests = output === 'fixtures'
  return (
    <div className="grid gap-4">
      <Segments
        label="Source"
        value={observed === null ? 'documentation' : 'deliveries'}
        options={[
          { value: 'documentation', label: isTests ? 'Samples' : 'Documentation' },
          { value: 'deliveries', label: isTests ? 'Deliveries' : 'Documentation and deliveries' },
        ]}
        onChange={(source) => onChange(source === 'deliveries' ? observedFilter(isTests) : null)}
      />
      {observed !== null && (
        <Field
          label="Filter"
          value={observed}
          maxLength={4000}
          hint={
            isTests
              ? 'Each delivery that matches becomes a test, masked as in an export.'
              : 'The fields of deliveries that match are added. Empty: all, also forged ones.'
          }
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </div>
  )
}

/** That of the list, without deliveries that may be forged. As tests they are wanted. */
function observedFilter(isTests: boolean): string {
  const filter = queryOf(deliveriesOf(null).getState())
  return isTests || filter.includes('verdict:') ? filter : withTerm(filter, 'verdict:valid')
}

function SameCommand({ input }: { input: Input }) {
  const command = commandOf(input)
  return (
    <div className="grid gap-1">
      <div className="flex items-center justify-between gap-4">
        <span className="text-s text-mid">The same on the command line</span>
        <CopyButton text={command} label="Copy the command" />
      </div>
      <CodeBlock label="Command" text={command} />
    </div>
  )
}

function commandOf(input: Input): string {
  const { output, target = '', brand = 'Service', observed = null } = input
  const isFixtures = output === 'fixtures'
  const folder = output === 'handler' ? 'handler' : isFixtures ? 'webhook-tests' : null
  return [
    `tabscope generate ${output}`,
    ...(target === '' ? [] : [`--${output === 'types' ? 'language' : 'framework'} ${target}`]),
    ...(observed === null ? [] : [`${isFixtures ? '--filter' : '--observed'} ${quoted(observed)}`]),
    ...(brand === 'Service' ? [] : [`--brand ${quoted(brand)}`]),
    ...(folder === null ? [] : [`-o ${folder}`]),
  ].join(' ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function Preview({
  input,
  generated: { files, payloads, notes },
}: {
  input: Input
  generated: CallOutput<'generate.files'>
}) {
  const client = useClient()
  const dialogs = useCan('nativeDialogs')
  const [path, setPath] = useState('')
  const file = [path, 'README.md', files[0]?.path]
    .map((wanted) => files.find((each) => each.path === wanted))
    .find((each) => each !== undefined)
  if (!file) return null
  return (
    <section
      className="min-w-0 [&_.code-block]:max-h-none [&_.code-block]:whitespace-pre"
      aria-label="Preview"
    >
      <div className="flex flex-wrap items-center gap-4">
        {files.length === 1 ? (
          <span className="mono text-s">{file.path}</span>
        ) : (
          <InlineSelect
            aria-label="File"
            value={file.path}
            onChange={(event) => setPath(event.target.value)}
          >
            {files.map((each) => (
              <option key={each.path}>{each.path}</option>
            ))}
          </InlineSelect>
        )}
        <span className="text-s text-mid">
          {payloads !== null &&
            [`From ${plural(payloads, 'delivery', 'deliveries')}.`, ...notes].join(' ')}
        </span>
        <div className="ml-auto flex gap-3">
          <CopyButton text={file.text} label={`Copy ${file.path}`} words="Copy" />
          <Button
            kind="primary"
            icon={Icons.Download}
            onClick={() =>
              void client
                .call('generate.save', { ...input, to: dialogs ? 'ask' : 'bytes' })
                .then(saveFile, toastError)
            }
          >
            {files.length === 1 ? 'Save…' : 'Save all…'}
          </Button>
        </div>
      </div>
      <CodeBlock label={file.path} file={file.path} text={file.text.trimEnd()} />
    </section>
  )
}
