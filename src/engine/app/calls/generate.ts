import type { Context } from '../context.ts'
import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { GenerateOutput } from '#contract/constants.ts'
import type { GeneratedFile } from '#contract/generate.ts'
import { plural } from '#shared/text/format.ts'
import { routes } from '../../platform/routes.ts'
import { saveFile } from '../../platform/save-file.ts'
import { readerOf } from '../../event-logs/service.ts'
import { capturedFixtures } from '../../handlers/generate/captured-fixtures.ts'
import { generate, generateDocumented, loadTargets } from '../../handlers/generate/generate.ts'
import { buildModel, headerLines, type Observation } from '../../handlers/generate/model.ts'
import { mergeObserved, type Observed } from '../../handlers/generate/observed.ts'
import type { ObservedPart } from '../../handlers/generate/read-observed.ts'

/** The newest ones are read. */
export const maxObserved = 20_000

export const generateRoutes = routes<Context>()({
  'generate.targets': loadTargets,

  'generate.files': generatedFiles,

  'generate.save': async (context, { to, ...input }) => {
    const { files } = await generatedFiles(context, input)
    return saveFile(context.ports, to, await packed(input.output, files))
  },
})

async function generatedFiles(
  context: Context,
  input: ParsedInput<'generate.files'>,
): Promise<CallOutput<'generate.files'>> {
  const { output, target, brand, types, observed, ids, log, redact } = input
  const { version } = context.config
  const model = { version, brand, types }
  if (observed === null && ids.length === 0) {
    const files = await generateDocumented({ output, target, ...model })
    return { files, payloads: null, notes: [] }
  }
  if (output === 'fixtures') {
    const { fixtures, brand: ofHeaders, notes } = await capturedFixtures(context, input)
    const count = plural(fixtures.length, 'captured delivery', 'captured deliveries')
    const header = headerLines(version, `${count}${redact ? ', masked' : ''}.`)
    const documented = buildModel({ ...model, brand: ofHeaders, observation: null })
    return {
      files: await generate({ output, target, model: { ...documented, header }, fixtures }),
      payloads: fixtures.length,
      notes: [...notes],
    }
  }
  const observation = await observe(context, { filter: observed ?? '', log })
  return {
    files: await generate({
      output,
      target,
      model: buildModel({ ...model, observation }),
      fixtures: [],
    }),
    payloads: observation.payloads,
    notes: [],
  }
}

/** The time in a ZIP file, which cannot be left out: the same files give the same bytes. */
const zipTime = new Date(1980, 0, 1)

async function packed(
  output: GenerateOutput,
  files: readonly GeneratedFile[],
): Promise<{ name: string; bytes: Uint8Array }> {
  const [only] = files
  if (only && files.length === 1) return { name: only.path, bytes: Buffer.from(only.text) }
  // Its code for Node declares `require`, as the bundler does for it.
  const { zipSync } = await import('fflate/browser')
  const folder = output === 'handler' ? 'handler' : 'webhook-tests'
  const entries = files.map(({ path, text }) => [`${folder}/${path}`, Buffer.from(text)] as const)
  return {
    name: `${folder}.zip`,
    bytes: zipSync(Object.fromEntries(entries), { mtime: zipTime }),
  }
}

async function observe(
  context: Context,
  { filter, log }: { filter: string; log: number | null },
): Promise<Observation> {
  const reader = await readerOf(context, log)
  const asOf = context.clock.now()
  const choices = context.logs.view().choices.filter(({ as }) => as === 'mask')
  const observed: Observed = {}
  let payloads = 0
  let before: number | null = null
  do {
    const part: ObservedPart = await reader.call('observed', {
      filter,
      asOf,
      before,
      limit: maxObserved - payloads,
      choices,
    })
    mergeObserved(observed, part.observed)
    payloads += part.payloads
    before = part.before
  } while (before !== null && payloads < maxObserved)
  return { observed, payloads, isPart: before !== null }
}
