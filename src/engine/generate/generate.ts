import type { GenerateOutput } from '#contract/constants.ts'
import { AppError } from '../platform/errors.ts'
import type {
  Contract,
  Fixture,
  GeneratedFile,
  Handler,
  Language,
  TestFramework,
} from './generators.ts'
import type { PayloadModel } from './model.ts'

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
    case 'fixtures':
      return (await pick(testFrameworks, target, '--framework')).tests(fixtures, model)
  }
}

async function pick<T>(loaders: Loaders<T>, id: string, option: string): Promise<T> {
  const names = Object.keys(loaders).map((file) => file.split('/').at(-1)?.replace('.ts', '') ?? '')
  const load = Object.values(loaders)[names.indexOf(id)]
  if (load) return load()
  throw new AppError('bad_input', `Unknown ${option} "${id}". Available: ${names.join(', ')}.`)
}
