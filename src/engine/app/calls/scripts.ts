import type { Context } from '../context.ts'
import { maxScripts, type Script } from '#contract/scripts.ts'
import { throwDeliveryNotFound } from '../../deliveries/store.ts'
import { AppError } from '../../platform/errors.ts'
import { routes } from '../../platform/routes.ts'
import { saveFile } from '../../platform/save-file.ts'
import type { Sender } from '../../sending/sender.ts'
import { readerOf } from '../../event-logs/service.ts'
import {
  failureText,
  maxScriptBodyBytes,
  type StoredScript,
} from '../../sending/scripts/messages.ts'
import { usesOf } from '../../sending/scripts/store.ts'

export const scriptRoutes = routes<Context>()({
  'scripts.list': async (context) => {
    const scripts = viewsOf(context)
    const saved = scripts.map(({ name, savedAt }) => ({ name, savedAt }))
    const failures = await context.store.reader.call('scriptFailures', saved)
    return scripts.map((script) => ({ ...script, failed: failures.get(script.name) }))
  },

  'scripts.save': async (context, { name, source, replace }) => {
    const { clock, scripts, sender, store, turn } = context
    await assertCompiles(sender, source)
    return turn(async () => {
      const before = scripts.get(name)
      if (before && !replace) {
        throw new AppError(
          'name_taken',
          `There is a script "${name}" already. Choose another name.`,
          { details: { fields: ['name'] } },
        )
      }
      if (!before && scripts.size >= maxScripts) {
        throw new AppError(
          'bad_input',
          `There are already ${maxScripts} scripts, the maximum. Remove one first.`,
        )
      }
      const script = { name, source, savedAt: clock.now() }
      await store.writer.call('writeScript', script)
      scripts.set(name, script)
      await changed(context)
      return viewOf(context, script)
    })
  },

  'scripts.remove': (context, { name }) =>
    context.turn(async () => {
      assertScript(context, name)
      const { responses, forwards } = usesOf(context.endpointRules, name)
      if (responses.length + forwards.length > 0) {
        const users = [
          ...responses.map((id) => `response rule ${id}`),
          ...forwards.map((id) => `forward target ${id}`),
        ]
        throw new AppError(
          'in_use',
          `The script "${name}" is used by ${users.join(', ')}. Let them use none first.`,
        )
      }
      await context.store.writer.call('deleteScript', name)
      context.scripts.delete(name)
      await changed(context)
      return {}
    }),

  'scripts.export': (context, { name, to }) => {
    assertScript(context, name)
    const source = context.scripts.get(name)?.source ?? ''
    return saveFile(context.ports, to, { name: `${name}.ts`, bytes: Buffer.from(source) })
  },

  'scripts.run': async (context, { source, deliveryId: id, log, state }) => {
    assertState(state)
    const reader = await readerOf(context, log)
    const delivery = (await reader.call('get', id)) ?? throwDeliveryNotFound(id)
    // One byte more than a script can get, so that it fails as it would for a new delivery.
    const part = { id, offset: 0, length: maxScriptBodyBytes + 1, decoded: false }
    const { bytes: body } = (await reader.call('body', part)) ?? throwDeliveryNotFound(id)
    const { type, receivedAt, method, path, headers, verdict, endpointName: endpoint } = delivery
    return context.sender.api.call('runScript', {
      script: { name: '', source },
      owner: null,
      state,
      delivery: { id, type, receivedAt, method, path, headers, body, verdict, endpoint },
    })
  },
})

function assertState(json: string): void {
  try {
    const state: unknown = JSON.parse(json)
    if (typeof state === 'object' && state !== null && !Array.isArray(state)) return
  } catch {
    // As for anything else than an object.
  }
  throw new AppError('bad_input', 'The state is not a JSON object.', {
    details: { fields: ['state'] },
  })
}

/** Throws `not_found`. */
export function assertScript({ scripts }: Pick<Context, 'scripts'>, name: string): void {
  if (scripts.has(name)) return
  const names = [...scripts.keys()].toSorted().join(', ') || 'none'
  throw new AppError('not_found', `The script "${name}" does not exist. Available: ${names}.`)
}

/** Use after each change of scripts, and of what names one. */
export function pushScripts(context: Context): void {
  context.bus.push('scripts.changed', viewsOf(context))
}

async function changed(context: Context): Promise<void> {
  await context.configureThreads()
  pushScripts(context)
}

async function assertCompiles(sender: Sender, source: string): Promise<void> {
  const failure = await sender.api.call('checkScript', source)
  if (failure === null) return
  const { line, column } = failure
  throw new AppError('bad_input', failureText(failure), {
    details: { fields: ['source'], line, column },
  })
}

function viewsOf(context: Context): Script[] {
  return [...context.scripts.values()]
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((script) => viewOf(context, script))
}

function viewOf(context: Context, script: StoredScript): Script {
  return { ...script, usedBy: usesOf(context.endpointRules, script.name) }
}
