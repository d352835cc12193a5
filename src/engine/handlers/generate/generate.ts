import type { CallOutput } from '#contract/calls.ts'
import type { GenerateOutput } from '#contract/constants.ts'
import type { GeneratedFile } from '#contract/generate.ts'
import { AppError } from '../../platform/errors.ts'
import { fixtureFiles, sampleFixtures } from './fixtures.ts'
import type { Contract, Fixture, Language } from './generators.ts'
import { buildModel, type ModelOptions, type PayloadModel } from './model.ts'

// Generators are loaded when they are used.
const languages = import.meta.glob<Language>('./languages/*.ts', { import: 'default' })
const contracts = import.meta.glob<Contract>('./contracts/*.ts', { import: 'default' })

type Loaders<T> = Readonly<Record<string, () => Promise<T>>>

interface Target {
  readonly id: string
  readonly label: string
}

/** Sorted by label. */
export async function loadTargets(): Promise<CallOutput<'generate.targets'>> {
  const { handlerFrameworks, testFrameworks } = await import('./templates.ts')
  const all = await Promise.all(Object.values(languages).map((load) => load()))
  return {
    languages: targetsOf(all),
    handlers: targetsOf(handlerFrameworks),
    testFrameworks: targetsOf(testFrameworks),
  }
}

function targetsOf(all: readonly Target[]): Target[] {
  return all
    .map(({ id, label }) => ({ id, label }))
    .toSorted((one, other) => one.label.localeCompare(other.label, 'en'))
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
    case 'handler': {
      const { handlerFrameworks, handlerProject } = await import('./templates.ts')
      const framework = frameworkIn(handlerFrameworks, target)
      const { types } = framework
      const language = types === undefined ? null : await pick(languages, types, '--language')
      return handlerProject(framework, model, language)
    }
    case 'fixtures': {
      const { testFiles, testFrameworks } = await import('./templates.ts')
      const framework = frameworkIn(testFrameworks, target)
      return [...testFiles(framework, model), ...fixtureFiles(framework.fixtures, fixtures)]
    }
  }
}

function frameworkIn<T extends Target>(frameworks: readonly T[], id: string): T {
  const found = frameworks.find((framework) => framework.id === id)
  if (found) return found
  throw unknownTarget(
    '--framework',
    id,
    frameworks.map((each) => each.id),
  )
}

async function pick<T>(loaders: Loaders<T>, id: string, option: string): Promise<T> {
  const names = Object.keys(loaders).map((file) => file.split('/').at(-1)?.replace('.ts', '') ?? '')
  const load = Object.values(loaders)[names.indexOf(id)]
  if (load) return load()
  throw unknownTarget(option, id, names)
}

function unknownTarget(option: string, id: string, ids: readonly string[]): AppError {
  return new AppError('bad_input', `Unknown ${option} "${id}". Available: ${ids.join(', ')}.`)
}
