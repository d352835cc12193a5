import type { GenerateOutput } from '#contract/constants.ts'
import type { GeneratedFile } from '#contract/generate.ts'
import { AppError } from '../platform/errors.ts'
import { fixtureFiles, sampleFixtures } from './fixtures.ts'
import type { Contract, Fixture, Handler, Language, TestFramework } from './generators.ts'
import { buildModel, type ModelOptions, type PayloadModel } from './model.ts'

// Generators are loaded when they are used.
const languages = import.meta.glob<Language>('./languages/*.ts', { import: 'default' })
const contracts = import.meta.glob<Contract>('./contracts/*.ts', { import: 'default' })
const handlers = import.meta.glob<Handler>('./handlers/*.ts', { import: 'default' })
const testFrameworks = import.meta.glob<TestFramework>('./test-frameworks/*.ts', {
  import: 'default',
})

type Loaders<T> = Readonly<Record<string, () => Promise<T>>>

export interface Targets {
  readonly languages: readonly Language[]
  readonly handlers: readonly Handler[]
  readonly testFrameworks: readonly TestFramework[]
}

/** Sorted by label. Loads all of them. */
export async function loadTargets(): Promise<Targets> {
  return {
    languages: await allOf(languages),
    handlers: await allOf(handlers),
    testFrameworks: await allOf(testFrameworks),
  }
}

async function allOf<T extends { readonly label: string }>(loaders: Loaders<T>): Promise<T[]> {
  const all = await Promise.all(Object.values(loaders).map((load) => load()))
  return all.toSorted((one, other) => one.label.localeCompare(other.label, 'en'))
}

export interface GenerateRequest {
  readonly output: GenerateOutput
  /** ID of a language, a framework or a test framework; empty for contracts. */
  readonly target: string
  readonly model: PayloadModel
  /** For `fixtures`. */
  readonly fixtures: readonly Fixture[]
}

/** From the API documentation alone. Throws `bad_input` for an unknown target. */
export function generateDocumented({
  output,
  target,
  ...options
}: Pick<GenerateRequest, 'output' | 'target'> & Omit<ModelOptions, 'observation'>): Promise<
  GeneratedFile[]
> {
  const fixtures = output === 'fixtures' ? sampleFixtures(options.brand, options.types) : []
  const model = buildModel({ ...options, observation: null })
  return generate({ output, target, model, fixtures })
}

/** Throws `bad_input` for an unknown target. */
export async function generate(request: GenerateRequest): Promise<GeneratedFile[]> {
  const { output, target, model, fixtures } = request
  if (model.events.length === 0) {
    throw new AppError('bad_input', 'No event has this type. See `tabscope generate types --help`.')
  }
  switch (output) {
    case 'types':
      return [(await pick(languages, target, '--language')).types(model)]
    case 'schema':
    case 'openapi':
    case 'asyncapi':
      return [(await pick(contracts, output, '')).document(model)]
    case 'handler':
      return (await pick(handlers, target, '--framework')).project(model)
    case 'fixtures': {
      const framework = await pick(testFrameworks, target, '--framework')
      const [, ...lines] = model.header
      const header = [
        'Contract tests of a webhook handler.',
        ...lines,
        '',
        'Start the handler with WEBHOOK_SECRET=test-secret, then run the tests.',
        'To test another one, set WEBHOOK_URL and WEBHOOK_SECRET.',
      ]
      return [
        framework.test({ brand: model.brand, header }),
        ...fixtureFiles(framework.folder, fixtures),
      ]
    }
  }
}

async function pick<T>(loaders: Loaders<T>, id: string, option: string): Promise<T> {
  const names = Object.keys(loaders).map((file) => file.split('/').at(-1)?.replace('.ts', '') ?? '')
  const load = Object.values(loaders)[names.indexOf(id)]
  if (load) return load()
  throw new AppError('bad_input', `Unknown ${option} "${id}". Available: ${names.join(', ')}.`)
}
