import type { Logs } from '../event-logs/service.ts'
import type { Clock } from '../platform/clock.ts'
import { routes } from '../platform/routes.ts'
import { readerOf } from '../store/reader-of.ts'
import type { Store } from '../store/store.ts'
import { generate, loadTargets } from './generate.ts'
import { buildModel, type Observation } from './model.ts'
import { mergeObserved, type Observed, type ObservedPart } from './observed.ts'

export interface GenerateRoutePorts {
  readonly store: Store
  readonly logs: Logs
  readonly clock: Clock
  readonly config: { readonly version: string }
}

type Listed = readonly { readonly id: string; readonly label: string }[]

const listed = (all: Listed) => all.map(({ id, label }) => ({ id, label }))

/** The newest ones are read. */
export const maxObserved = 20_000

export const generateRoutes = routes<GenerateRoutePorts>()({
  'generate.targets': async () => {
    const { languages, handlers, testFrameworks } = await loadTargets()
    return {
      languages: listed(languages),
      handlers: listed(handlers),
      testFrameworks: listed(testFrameworks),
    }
  },

  'generate.files': async (context, input) => {
    const { output, target, brand, types, observed, log } = input
    const observation =
      observed === null ? null : await observe(context, { ...input, filter: observed, log })
    const model = buildModel({ version: context.config.version, brand, types, observation })
    return {
      files: await generate({ output, target, model, fixtures: [] }),
      payloads: observation?.payloads ?? null,
    }
  },
})

async function observe(
  context: GenerateRoutePorts,
  { filter, log, masked }: { filter: string; log: number | null; masked: boolean },
): Promise<Observation> {
  const reader = await readerOf(context, log)
  const asOf = context.clock.now()
  const observed: Observed = {}
  let payloads = 0
  let before: number | null = null
  do {
    const part: ObservedPart = await reader.call('observed', {
      filter,
      asOf,
      before,
      limit: maxObserved - payloads,
      masked,
    })
    mergeObserved(observed, part.observed)
    payloads += part.payloads
    before = part.before
  } while (before !== null && payloads < maxObserved)
  const name = log === null ? null : context.logs.view().logs.find(({ id }) => id === log)?.name
  return { filter, observed, payloads, isPart: before !== null, log: name ?? null }
}
